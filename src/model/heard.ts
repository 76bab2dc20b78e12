import { rounded } from "../lib/time.ts";
import type { HookReport } from "./decision.ts";
import { keepOutput } from "./hook-output.ts";
import { verdictOnFault } from "./failure.ts";
import type { Hook } from "./hook.ts";
import type { Outcome } from "./outcome.ts";
import { endedAs, endOf, type Run } from "./run.ts";
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

/** What a decision and the record tell of it. */
export function reportOf({ hook, run, outcome }: Heard): HookReport {
  const result = endOf(run.result);
  const told: HookReport = {
    name: hook.name,
    dialect: hook.dialect,
    type: hook.action.type,
    source: hook.source,
    ended: endedAs(result),
    exitCode: result.kind === "exited" || result.kind === "oversized" ? result.code : null,
    signal: result.kind === "signalled" ? result.signal : null,
    durationMs: rounded(run.durationMs),
    verdict: outcome.verdict,
    reason: outcome.reason,
    fault: outcome.fault,
  };
  return keepOutput(told, result);
}
