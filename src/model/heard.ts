import { verdictOnFault } from "./failure.ts";
import type { Hook } from "./hook.ts";
import type { Outcome } from "./outcome.ts";
import type { Run } from "./run.ts";
import { NO_OPINION } from "./outcome.ts";
import type { Verdict } from "./verdict.ts";

/** One hook that was concerned by an event: how its run ended and what that means. */
export interface Heard {
  readonly hook: Hook;
  readonly run: Run;
  readonly outcome: Outcome;
}

/** A hook that was concerned and not run, or not waited for. */
export function unheard(hook: Hook, result: { readonly kind: "detached" } | { readonly kind: "skipped"; readonly why: string }): Heard {
  return { hook, run: { result, durationMs: 0, stubbed: [], remarks: [] }, outcome: NO_OPINION };
}

/** What a hook weighs in the merge: its verdict, or what its owner wants to happen when it fails [F8]. */
export function effectiveVerdict({ hook, outcome }: Heard): Verdict | null {
  if (!outcome.fault) return outcome.verdict;
  const verdict = verdictOnFault(hook.onFault, outcome.fault);
  return verdict === "allow" ? null : verdict;
}
