/** Runs one hook: the only place where an event meets a runner. */
import type { HookEvent } from "../model/events.ts";
import { unheard, type Heard } from "../model/heard.ts";
import type { Hook } from "../model/hook.ts";
import type { Outcome } from "../model/outcome.ts";
import type { RunResult } from "../model/run.ts";
import { RUNNERS } from "../runners/index.ts";
import { payloadFor, shownToolName } from "../runners/payload.ts";
import type { RunContext } from "../runners/runner.ts";
import { wordsOf, type Interpretation } from "./words.ts";

/** Runs a hook of any dialect on an event, and has what it said interpreted. */
export async function hear(
  hook: Hook,
  event: HookEvent,
  { context, interpret }: { readonly context: RunContext; readonly interpret: (result: RunResult, how: Interpretation) => Outcome },
): Promise<Heard> {
  const cwd = event.cwd ?? context.cwd;
  const refusal = context.refusal(hook, cwd);
  if (refusal !== null) return unheard(hook, { kind: "skipped", why: refusal });
  const words = wordsOf(hook);
  const payload = payloadFor(event, hook, { dialect: words.dialect, projectDir: context.projectDir });
  const started = context.now();
  const runner = context.runners[hook.action.type] ?? RUNNERS[hook.action.type];
  const { result, stubbed, remarks } = await runner(hook, payload, { ...context, cwd });
  const run = { result, durationMs: context.now() - started, stubbed, remarks };
  return { hook, run, outcome: interpret(result, { ...words, hook, toolName: shownToolName(event, words.dialect) }) };
}
