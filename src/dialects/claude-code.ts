import { controlReader } from "./control.ts";
import type { Dialect } from "./dialect.ts";
import { claudePayload, PLUGIN_ENV } from "./payload.ts";
import { CLAUDE_TOOLS } from "./tool-names.ts";

const control = controlReader({
  permissionDecision: { allow: "allow", deny: "deny", ask: "ask", defer: null },
  decision: { approve: "allow", block: "deny" },
  continueFalse: "interrupt",
  fields: "nested",
  hookEventName: "expected",
  reasonIsMessage: false,
});

/** Claude Code's command hooks in settings.json, as recorded from the agent itself. */
// prettier-ignore
export const claudeCode: Dialect = {
  id: "claude-code",
  title: "Claude Code",
  config: {
    shape: "typed-groups",
    places: [
      { layer: "managed", base: "root",    path: "etc/claude-code/managed-settings.json" },
      { layer: "user",    base: "home",    path: ".claude/settings.json" },
      { layer: "project", base: "project", path: ".claude/settings.json" },
      { layer: "local",   base: "project", path: ".claude/settings.local.json" },
      { layer: "plugin",  base: "plugin",  path: "hooks/hooks.json" },
    ],
  },
  events: {
    PreToolUse:         { is: ["tool.before"],        text: "ignore",  pace: "await" },
    PostToolUse:        { is: ["tool.after"],         text: "ignore",  pace: "await" },
    PostToolUseFailure: { is: ["tool.failed"],        text: "ignore",  pace: "await" },
    UserPromptSubmit:   { is: ["prompt.submit"],      text: "context", pace: "await", halt: "deny", timeoutMs: 30_000 },
    Stop:               { is: ["turn.stop"],          text: "ignore",  pace: "await" },
    SessionStart:       { is: ["session.start"],      text: "context", pace: "await" },
    SessionEnd:         { is: ["session.end"],        text: "ignore",  pace: "await" },
    SubagentStart:      { is: ["subagent.start"],     text: "ignore",  pace: "await" },
    SubagentStop:       { is: ["subagent.stop"],      text: "ignore",  pace: "await" },
    PreCompact:         { is: ["compact.before"],     text: "context", pace: "await" }, // instructions for the summary
    PostCompact:        { is: ["compact.after"],      text: "ignore",  pace: "await" },
    Notification:       { is: ["notification"],       text: "ignore",  pace: "await" },
    PermissionRequest:  { is: ["permission.request"], text: "ignore",  pace: "await" },
    PermissionDenied:   { is: ["permission.denied"],  text: "ignore",  pace: "await" },
    Setup:              { is: ["setup"],              text: "ignore",  pace: "await" },
    TeammateIdle:       { is: ["teammate.idle"],      text: "ignore",  pace: "await" },
    TaskCompleted:      { is: ["task.completed"],     text: "ignore",  pace: "await" },
    ConfigChange:       { is: ["config.change"],      text: "ignore",  pace: "await" },
  },
  unfired: ["CwdChanged", "FileChanged", "InstructionsLoaded", "MessageDisplay", "PostToolBatch", "TaskCreated", "UserPromptExpansion", "WorktreeCreate", "WorktreeRemove"],
  tools: CLAUDE_TOOLS,
  matcher: { key: "matcher", rule: "list-or-regex", on: "subject" },
  types: ["command", "http", "prompt", "agent"],
  options: ["if", "once", "async"],
  launch: "sh -c",
  timeoutMs: 600_000,
  order: "parallel",
  repeated: "once",
  gate: "hooks-first",
  exit: { 0: "answer", 2: "deny:stderr", other: "answer-or-fault" },
  onFault: "allow",
  deniedResult: "reason",
  toolContext: "message",
  contextPlace: "reminder",
  headerEnv: "listed",
  ownEnv: PLUGIN_ENV,
  release: "async-line",
  silentDenial: ({ wireName, hook }) => `${wireName} hook "${hook}" denied without a reason`,
  stdin: claudePayload,
  env: ({ projectDir }) => ({ CLAUDE_PROJECT_DIR: projectDir }),
  answer: control,
  returned: control,
};
