import type { JsonObject } from "../lib/json.ts";

/** What a tool can do to the machine; modes and rules depend on it. */
export type ToolKind = "read" | "write" | "shell" | "own" | "other";

/** One row of the tool table. */
export interface ToolRow {
  readonly kind: ToolKind;
  /** The name in permission rules and in the agent's own tool list. */
  readonly ruleName: string;
  /** The canonical input key that a rule's pattern is tested against, where there is one. */
  readonly argument: string | null;
}

/** The canonical tools. Inputs use the keys listed in the specification [W8]. */
// prettier-ignore
export const TOOLS = {
  shell: { kind: "shell", ruleName: "Bash",            argument: "command" },
  read:  { kind: "read",  ruleName: "Read",            argument: "file_path" },
  write: { kind: "write", ruleName: "Write",           argument: "file_path" },
  edit:  { kind: "write", ruleName: "Edit",            argument: "file_path" },
  glob:  { kind: "read",  ruleName: "Glob",            argument: "pattern" },
  grep:  { kind: "read",  ruleName: "Grep",            argument: "path" },
  fetch: { kind: "other", ruleName: "WebFetch",        argument: "url" },
  agent: { kind: "other", ruleName: "Agent",           argument: "subagent_type" },
  ask:   { kind: "other", ruleName: "AskUserQuestion", argument: null },
  // What a session keeps for itself touches nothing that a mode could guard.
  "task.create": { kind: "own", ruleName: "TaskCreate", argument: null },
  "task.update": { kind: "own", ruleName: "TaskUpdate", argument: null },
  "task.list":   { kind: "own", ruleName: "TaskList",   argument: null },
} as const satisfies Record<string, ToolRow>;

export type ToolName = keyof typeof TOOLS;

/** One tool call as the engine sees it: a canonical name, or the agent's own when it is in no table. */
export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
}
