import { NOTICES, type Notice } from "../model/notice.ts";

/** How much a finding matters: an error means that something its owner configured does not happen. */
export type Severity = (typeof NOTICES)[keyof typeof NOTICES];

/** Something to mend in a configuration file. */
export interface Finding extends Notice {
  readonly severity: Severity;
}

/** A notice weighed by the table of its kind. */
export function findingOf(notice: Notice): Finding {
  return { ...notice, severity: NOTICES[notice.kind] };
}
