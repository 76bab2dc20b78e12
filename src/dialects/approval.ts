/** The built-in approval hook: pre-approved tools pass, for any other call an approver is asked [M5]. */
import { isObject } from "../lib/json.ts";
import { NO_SANDBOX, type Hook } from "../model/hook.ts";
import type { Dialect } from "./dialect.ts";
import { canonicalName } from "./spelling.ts";

/** The hook of a dialect that has one. */
export function approvalHook(dialect: Dialect): Hook | undefined {
  const { preApproved } = dialect;
  const wire = Object.entries(dialect.events).find(([, row]) => row.is.includes("tool.before"));
  if (!preApproved || !wire) return undefined;
  const passes = (name: string): boolean => {
    const tool = canonicalName(name);
    return tool === undefined ? preApproved.mcp && name.startsWith("mcp__") : preApproved.tools.includes(tool);
  };
  return {
    name: `${dialect.title} approval`,
    dialect: dialect.id,
    wireName: wire[0],
    events: wire[1].is,
    layer: "user",
    source: null,
    matcher: { kind: "all" },
    condition: null,
    action: { type: "callback", callback: (input) => answer(input, passes, dialect.title), module: null },
    timeoutMs: dialect.timeoutMs,
    onFault: "ask",
    once: false,
    async: false,
    yields: true,
    env: {},
    passEnv: [],
    sandbox: NO_SANDBOX,
    plugin: null,
  };
}

function answer(input: unknown, passes: (name: string) => boolean, title: string): unknown {
  const name = isObject(input) && typeof input["tool_name"] === "string" ? input["tool_name"] : "";
  const said = passes(name)
    ? { permissionDecision: "allow", permissionDecisionReason: `${name} is pre-approved in ${title}` }
    : { permissionDecision: "ask", permissionDecisionReason: `${name} is not pre-approved in ${title}: an approver is asked` };
  return { hookSpecificOutput: said };
}
