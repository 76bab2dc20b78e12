import { controlReader } from "./control.ts";
import type { Dialect } from "./dialect.ts";
import { claudePayload, PLUGIN_ENV } from "./payload.ts";
import { CLAUDE_TOOLS } from "./tool-names.ts";

const control = controlReader({
  permissionDecision: { allow: "allow", deny: "deny", ask: "ask" },
  decision: { approve: "allow", block: "deny" },
  continueFalse: "interrupt",
  fields: "anywhere", // "Your callback can return a permissionDecision"
  hookEventName: "optional",
  reasonIsMessage: false,
});

/** Mains: callbacks in matcher groups, run in parallel, and a built-in approval hook. */
// prettier-ignore
export const mains: Dialect = {
  id: "mains",
  title: "Mains",
  config: {
    shape: "named-groups",
    places: [
      { layer: "user",    base: "home",    path: ".claude/settings.json" },
      { layer: "project", base: "project", path: ".mains/settings.json" },
      { layer: "local",   base: "project", path: ".mains/settings.local.json" },
      { layer: "project", base: "project", path: ".claude/settings.json" }, // shared: the shape of an entry names its dialect
      { layer: "local",   base: "project", path: ".claude/settings.local.json" },
    ],
  },
  events: {
    PreToolUse:         { is: ["tool.before"],        text: "ignore", pace: "await" },
    PostToolUse:        { is: ["tool.after"],         text: "ignore", pace: "await" },
    PostToolUseFailure: { is: ["tool.failed"],        text: "ignore", pace: "await" },
    UserPromptSubmit:   { is: ["prompt.submit"],      text: "ignore", pace: "await", halt: "deny" },
    Stop:               { is: ["turn.stop"],          text: "ignore", pace: "await" }, // "about to stop"
    SessionStart:       { is: ["session.start"],      text: "ignore", pace: "await" },
    SessionEnd:         { is: ["session.end"],        text: "ignore", pace: "await" },
    SubagentStart:      { is: ["subagent.start"],     text: "ignore", pace: "await" },
    SubagentStop:       { is: ["subagent.stop"],      text: "ignore", pace: "await" },
    PreCompact:         { is: ["compact.before"],     text: "ignore", pace: "await" },
    Notification:       { is: ["notification"],       text: "ignore", pace: "await" },
    PermissionRequest:  { is: ["permission.request"], text: "ignore", pace: "await" },
    Setup:              { is: ["setup"],              text: "ignore", pace: "await" },
    TeammateIdle:       { is: ["teammate.idle"],      text: "ignore", pace: "await" },
    TaskCompleted:      { is: ["task.completed"],     text: "ignore", pace: "await" },
    ConfigChange:       { is: ["config.change"],      text: "ignore", pace: "await" },
  },
  unfired: [],
  tools: CLAUDE_TOOLS,
  matcher: { key: "matcher", rule: "regex", on: "subject" },
  types: ["callback"],
  options: [],
  launch: "sh -c",
  timeoutMs: 60_000,
  order: "parallel",
  repeated: "each",
  gate: "hooks-first",
  exit: { 0: "answer", 2: "deny:stderr", other: "fault" },
  onFault: "allow",
  deniedResult: "reason",
  toolContext: "result",
  contextPlace: "reminder",
  headerEnv: "listed",
  ownEnv: PLUGIN_ENV,
  preApproved: { tools: ["shell", "read", "write", "edit", "glob", "grep"], mcp: true },
  silentDenial: ({ wireName, hook }) => `${wireName} callback "${hook}" denied without a reason`,
  stdin: claudePayload,
  env: () => ({}),
  answer: control,
  returned: control,
};
