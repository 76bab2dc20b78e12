/** What the decision has to say about hooks that did something odd [F4]. Pure. */
import { verdictOnFault } from "../model/failure.ts";
import type { Heard } from "../model/heard.ts";
import type { Notice } from "../model/notice.ts";

/** The notices of one hook's run. */
export function noticesOf({ hook, run, outcome }: Heard): readonly Notice[] {
  if (outcome.fault === null && outcome.remarks.length === 0 && run.remarks.length === 0 && run.stubbed.length === 0) return NONE;
  const about = { hook: hook.name, ...hook.source };
  const { fault } = outcome;
  return [
    ...(fault
      ? [{ kind: "fault" as const, message: `${hook.name} failed: ${fault.message}. ${CONSEQUENCES[verdictOnFault(hook.onFault, fault)]}`, ...about }]
      : []),
    ...outcome.remarks.map((message) => ({ kind: "answer" as const, message, ...about })),
    ...run.remarks.map((message) => ({ kind: "runner" as const, message: `${hook.name}: ${message}`, ...about })),
    ...run.stubbed.map((name) => ({
      kind: "stub" as const,
      message: `${name} did not fit into a variable: ${hook.name} may have seen only the stub; the whole is on stdin and in the file ${name}_FILE`,
      ...about,
    })),
  ];
}

const NONE: readonly Notice[] = [];

const CONSEQUENCES = {
  allow: "The event goes on as if the hook were not there (onFault: allow).",
  ask: "The call is asked (onFault: ask).",
  deny: "The call is denied (onFault: deny).",
} as const;
