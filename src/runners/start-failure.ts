import { lookup } from "../lib/json.ts";
import type { FailureKind } from "../model/failure.ts";

/** What the system's code for a failed start is called in `onFault`. */
const START_FAILURES: { readonly [code: string]: FailureKind } = {
  ENOENT: "notFound",
  ENOTDIR: "notFound",
  EACCES: "notExecutable",
  EPERM: "notExecutable",
  ENOEXEC: "notExecutable",
  E2BIG: "tooBig",
};

/** The failure that a code stands for, to be spread into a result; nothing where it has no name of its own. */
export function startFailure(code: string | undefined): { readonly failure?: FailureKind } {
  const failure = lookup(START_FAILURES, code);
  return failure === undefined ? {} : { failure };
}
