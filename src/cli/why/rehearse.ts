/** What the gate and the built-in hooks make of a call: nothing that stands in a file is run. */
import { fire } from "../../engine/fire.ts";
import { Plans } from "../../engine/plans.ts";
import { buildRegistry } from "../../engine/registry.ts";
import { Lifetime } from "../../lib/lifetime.ts";
import type { HookEvent } from "../../model/events.ts";
import type { Hook } from "../../model/hook.ts";
import type { Verdict } from "../../model/verdict.ts";
import { Workers } from "../../runners/worker-pool.ts";
import type { Judgement, Step } from "../../permissions/judgement.ts";

/** A verdict with its reason and the step that decided: one of the gate's, a hook, or a guard that is not there. */
export interface Answer {
  readonly verdict: Verdict;
  readonly because: string;
  readonly step: Step | "hook" | MissingGuard["step"];
}

/** A guard that may be missing, which makes a call a question: a file that can't be read, or a hook that is not what was trusted. */
export interface MissingGuard {
  readonly step: "unreadable-file" | "changed-hook";
  readonly reason: string;
}

/** What a rehearsal is made from. */
export interface Stage {
  readonly event: HookEvent;
  readonly judgement: Judgement;
  /** Hooks that a dialect brings along: functions of the program, which may always be asked. */
  readonly builtIn: readonly Hook[];
  readonly missing: readonly MissingGuard[];
}

/** The answer when every hook of a file keeps silent. */
export async function rehearse({ event, judgement, builtIn, missing }: Stage): Promise<Answer> {
  const ruled = withMissing(judgement, missing);
  if (builtIn.length === 0) return ruled;
  const decision = await fire(event, {
    plans: new Plans(buildRegistry(builtIn)),
    judge: () => judgement,
    meets: () => true,
    admits: () => true,
    standing: {
      guardMissing: () => missing.length > 0,
      floors: () => missing.map(({ reason }) => ({ verdict: "ask", reason })),
      notices: () => [],
    },
    spill: null,
    onDetached: () => {},
    onDecision: null,
    lifetime: new Lifetime(),
    run: {
      env: {},
      cwd: event.cwd ?? "",
      projectDir: event.cwd ?? "",
      tempDir: "",
      now: () => 0,
      date: () => new Date(0),
      callbacks: null,
      eventTimeoutMs: null,
      limitBytes: 0,
      launch: async () => ({ kind: "cancelled" }),
      runners: {},
      workers: new Workers(),
      background: () => {},
      refusal: () => null,
      vouch: () => null,
    },
  });
  return answerOf(ruled, decision);
}

/** What was decided in the end: the gate's own answer where the hooks left it as it was. */
export function answerOf(ruled: Answer, { verdict, reason }: { readonly verdict: Verdict | null; readonly reason: string | null }): Answer {
  if (verdict === null || verdict === ruled.verdict) return ruled;
  return { verdict, because: reason ?? "A hook said so.", step: "hook" };
}

/** A guard that may be missing makes the call a question. */
export function withMissing({ verdict, because, step }: Judgement, [first]: readonly MissingGuard[]): Answer {
  if (first === undefined || verdict !== "allow") return { verdict, because, step };
  return { verdict: "ask", because: first.reason, step: first.step };
}

/** The guards that files might have held which can't be read. */
export function missingFrom(files: readonly string[]): readonly MissingGuard[] {
  return files.map((file) => ({ step: "unreadable-file", reason: `${file} can't be read, so a guard in it may be missing.` }));
}
