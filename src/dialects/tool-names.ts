/** Tool names that more than one dialect spells alike. */
import type { Dialect } from "./dialect.ts";

/** Lime and claw: snake case. */
// prettier-ignore
export const SNAKE_TOOLS: Dialect["tools"] = {
  shell: { name: "bash" },
  read:  { name: "read_file" },
  write: { name: "write_file" },
  edit:  { name: "edit_file" },
  glob:  { name: "glob_search" },
  grep:  { name: "grep_search" },
  fetch: { name: "web_fetch" },
  agent: { name: "agent" },
  ask:   { name: "ask_user_question" },
};

/** Mains and Claude Code: the names of the Claude Code family, whose input keys are the canonical ones. */
// prettier-ignore
export const CLAUDE_TOOLS: Dialect["tools"] = {
  shell: { name: "Bash" },
  read:  { name: "Read" },
  write: { name: "Write" },
  edit:  { name: "Edit",            also: ["MultiEdit"] },
  glob:  { name: "Glob" },
  grep:  { name: "Grep" },
  fetch: { name: "WebFetch" },
  agent: { name: "Agent",           also: ["Task"] },
  ask:   { name: "AskUserQuestion" },
  "task.create": { name: "TaskCreate" },
  "task.update": { name: "TaskUpdate" },
  "task.list":   { name: "TaskList" },
};

/** Robota: the same names, camel-case input keys. */
// prettier-ignore
export const CAMEL_TOOLS: Dialect["tools"] = {
  ...CLAUDE_TOOLS,
  read:  { name: "Read",  keys: { file_path: "filePath" } },
  write: { name: "Write", keys: { file_path: "filePath" } },
  edit:  { name: "Edit",  keys: { file_path: "filePath", old_string: "oldString", new_string: "newString" } },
};
