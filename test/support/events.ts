/** Events, hooks and heard outcomes for tests of the pure stages. */
import type { Dialect } from "../../src/dialects/dialect.ts";
import { DIALECTS } from "../../src/dialects/index.ts";
import type { HookEvent } from "../../src/model/events.ts";
import type { Heard } from "../../src/model/heard.ts";
import type { Hook } from "../../src/model/hook.ts";
import { NO_OPINION, type Outcome } from "../../src/model/outcome.ts";
import type { RunResult } from "../../src/model/run.ts";
import { exited, hookFor } from "../../src/testing/index.ts";

/** A shell call about to be made. */
export function callOf(command: string, fields: Partial<HookEvent> = {}): HookEvent {
  return { name: "tool.before", tool: { name: "shell", input: { command } }, ...fields };
}

/** The hook of a dialect that is asked before a call. */
export function guard(name: string, dialect: Dialect = DIALECTS.snaphook, changes: Partial<Hook> = {}): Hook {
  const wire = Object.entries(dialect.events).find(([, row]) => row.is.includes("tool.before"))?.[0] ?? "";
  return hookFor(dialect, wire, { name, ...changes });
}

/** A hook that was run and said something. */
export function heard(hook: Hook, said: Partial<Outcome> = {}, result: RunResult = exited(0)): Heard {
  return { hook, run: { result, durationMs: 1, stubbed: [], remarks: [] }, outcome: { ...NO_OPINION, ...said } };
}
