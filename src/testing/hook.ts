import type { Dialect, DialectEvent } from "../dialects/dialect.ts";
import { lookup } from "../lib/json.ts";
import { NO_SANDBOX, type Hook } from "../model/hook.ts";

/** A hook of a dialect as a configuration file would make it; what it does and how it is limited may be changed. */
export function hookFor(dialect: Dialect, wireName: string, changes: Partial<Hook> = {}): Hook {
  const row = lookup<DialectEvent>(dialect.events, wireName);
  if (!row) throw new TypeError(`${dialect.title} has no event "${wireName}"; it has ${Object.keys(dialect.events).join(", ")}`);
  return {
    name: "hook",
    dialect: dialect.id,
    wireName,
    events: row.is,
    layer: "run",
    source: null,
    matcher: { kind: "all" },
    condition: null,
    action: { type: "command", launch: dialect.launch, command: "hook", args: null },
    timeoutMs: row.timeoutMs ?? dialect.timeoutMs,
    onFault: dialect.onFault,
    once: false,
    async: false,
    yields: false,
    env: {},
    passEnv: [],
    sandbox: NO_SANDBOX,
    plugin: null,
    ...changes,
  };
}
