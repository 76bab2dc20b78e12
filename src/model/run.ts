import type { FailureKind } from "./failure.ts";

/** How one run of one hook ended. Absent is not zero: a process ended by a signal has no exit code. */
export type RunResult =
  | { readonly kind: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "signalled"; readonly signal: string; readonly stderr: string }
  /** `event`: it was not its own time that was used up, but that of the whole event. */
  | { readonly kind: "timed-out"; readonly afterMs: number; readonly event?: true }
  | { readonly kind: "oversized"; readonly limitBytes: number; readonly code: number | null; readonly stderr: string }
  | { readonly kind: "not-started"; readonly message: string; readonly failure?: FailureKind }
  /** `stderr`: what a worker printed there until it answered. */
  | { readonly kind: "returned"; readonly value: unknown; readonly stderr?: string }
  | {
      readonly kind: "failed";
      readonly fault: "exception" | "http" | "answer" | "callback" | "unsupported" | "timeout";
      readonly message: string;
      readonly failure?: FailureKind;
    }
  /** A file that its approval covers changed, so what ran may be something else. `result`: how that ended. */
  | { readonly kind: "changed"; readonly message: string; readonly result: RunResult }
  | { readonly kind: "detached" }
  | { readonly kind: "skipped"; readonly why: string };

/** How a run ended, in one word, as the decision lists it. */
export type Ended = "exited" | "signalled" | "timed-out" | "oversized" | "not-started" | "returned" | "skipped" | "detached";

/** One run of one hook: how it ended, how long it took, and what the launch had to change or leave behind. */
export interface Run {
  readonly result: RunResult;
  readonly durationMs: number;
  /** Variables whose value did not fit and was replaced by a stub [F6]. */
  readonly stubbed: readonly string[];
  /** Remarks of the runner: cut stderr, processes left behind. */
  readonly remarks: readonly string[];
}

/** The word for a result. */
export function endedAs(result: RunResult): Ended {
  const { kind } = endOf(result);
  return kind === "failed" ? "returned" : kind;
}

/** How it ended, whatever it was that ran. */
export function endOf(result: RunResult): Exclude<RunResult, { readonly kind: "changed" }> {
  return result.kind === "changed" ? endOf(result.result) : result;
}
