/** One dialect at work, without a process: what a hook is shown, and what its answer means. */
import type { Dialect } from "../dialects/dialect.ts";
import { interpret } from "../engine/interpret.ts";
import { wordsOf } from "../engine/words.ts";
import type { HookEvent } from "../model/events.ts";
import type { Hook } from "../model/hook.ts";
import type { Outcome } from "../model/outcome.ts";
import type { RunResult } from "../model/run.ts";
import { payloadFor } from "../runners/payload.ts";
import type { Payload } from "../runners/runner.ts";
import { hookFor } from "./hook.ts";

/** The call that such a hook was asked about. */
const SHELL_CALL = { name: "shell", input: {} };

/** What a run means as an answer to a wire event of a dialect. */
export function interpretAs(dialect: Dialect, wireName: string, run: RunResult, changes: Partial<Hook> = {}): Outcome {
  const hook = hookFor(dialect, wireName, changes);
  return interpret(run, { ...wordsOf(hook), hook, tool: SHELL_CALL });
}

/** What a hook of a dialect would be shown of an event. */
export function payloadAs(dialect: Dialect, wireName: string, event: HookEvent, changes: Partial<Hook> = {}): Payload {
  return payloadFor(event, hookFor(dialect, wireName, changes), { dialect, projectDir: event.cwd ?? "/project" });
}
