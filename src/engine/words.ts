import type { Dialect, DialectEvent } from "../dialects/dialect.ts";
import { dialectById } from "../dialects/index.ts";
import { lookup } from "../lib/json.ts";
import type { Hook } from "../model/hook.ts";
import type { ToolCall } from "../model/tools.ts";

/** The words of a hook: its dialect, and the row of its wire event. */
export interface Words {
  readonly dialect: Dialect;
  readonly row: DialectEvent;
}

/** A hook is only ever made from a row of a dialect's table. */
export function wordsOf(hook: Hook): Words {
  const dialect = dialectById(hook.dialect);
  const row = dialect && lookup<DialectEvent>(dialect.events, hook.wireName);
  if (!dialect || !row) throw new TypeError(`hook ${hook.name} names ${hook.wireName} of ${hook.dialect}, which no table has`);
  return { dialect, row };
}

/** A hook with its words at hand, looked up once. */
export interface Voice extends Words {
  readonly hook: Hook;
}

/** A hook with its words. */
export function voiceOf(hook: Hook): Voice {
  return { hook, ...wordsOf(hook) };
}

/** What a run is read with. */
export interface Interpretation extends Voice {
  /** The call that the hook was asked about. */
  readonly tool: ToolCall | undefined;
}
