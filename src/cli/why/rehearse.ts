/** What the gate and the built-in hooks make of a call: nothing that stands in a file is run. */
import { fire } from "../../engine/fire.ts";
import { Plans } from "../../engine/plans.ts";
import { buildRegistry } from "../../engine/registry.ts";
import type { HookEvent } from "../../model/events.ts";
import type { Hook } from "../../model/hook.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Judgement, Step } from "../../permissions/judgement.ts";

/** A verdict with its reason and the step that decided: one of the gate's, a hook, or a file that can't be read. */
export interface Answer {
  readonly verdict: Verdict;
  readonly because: string;
  readonly step: Step | "hook" | "unreadable-file";
}

/** What a rehearsal is made from. */
export interface Stage {
  readonly event: HookEvent;
  readonly judgement: Judgement;
  /** Hooks that a dialect brings along: functions of the program, which may always be asked. */
  readonly builtIn: readonly Hook[];
  /** Files that could not be read. */
  readonly broken: readonly string[];
}

/** The answer when every hook of a file keeps silent. */
export async function rehearse({ event, judgement, builtIn, broken }: Stage): Promise<Answer> {
  const ruled = withBroken(judgement, broken);
  if (builtIn.length === 0) return ruled;
  const { signal } = new AbortController();
  const decision = await fire(event, {
    plans: new Plans(buildRegistry(builtIn)),
    judge: () => judgement,
    meets: () => true,
    admits: () => true,
    floors: () => broken.map((file) => ({ verdict: "ask", reason: unreadable(file) })),
    notices: () => [],
    onDetached: () => {},
    onDecision: null,
    guardMissing: broken.length > 0,
    lifetime: signal,
    run: {
      env: {},
      cwd: event.cwd ?? "",
      projectDir: event.cwd ?? "",
      tempDir: "",
      now: () => 0,
      date: () => new Date(0),
      callbacks: null,
      limitBytes: 0,
      runners: {},
      background: () => {},
    },
  });
  return answerOf(ruled, decision);
}

/** What was decided in the end: the gate's own answer where the hooks left it as it was. */
export function answerOf(ruled: Answer, { verdict, reason }: { readonly verdict: Verdict | null; readonly reason: string | null }): Answer {
  if (verdict === null || verdict === ruled.verdict) return ruled;
  return { verdict, because: reason ?? "A hook said so.", step: "hook" };
}

/** A guard that can't be read makes the call a question. */
export function withBroken({ verdict, because, step }: Judgement, [first]: readonly string[]): Answer {
  if (first === undefined || verdict !== "allow") return { verdict, because, step };
  return { verdict: "ask", because: unreadable(first), step: "unreadable-file" };
}

function unreadable(file: string): string {
  return `${file} can't be read, so a guard in it may be missing.`;
}
