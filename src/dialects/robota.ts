import type { Dialect } from "./dialect.ts";
import { okReader } from "./ok.ts";
import { PLUGIN_ENV, present } from "./payload.ts";
import { CAMEL_TOOLS } from "./tool-names.ts";

/** Robota: typed hooks in matcher groups; commands answer by exit code, the other types by `{"ok"}`. */
// prettier-ignore
export const robota: Dialect = {
  id: "robota",
  title: "Robota",
  config: {
    shape: "typed-groups",
    places: [
      { layer: "user",    base: "home",    path: ".robota/settings.json" },
      { layer: "project", base: "project", path: ".robota/settings.json" },
      { layer: "local",   base: "project", path: ".robota/settings.local.json" },
    ],
  },
  events: {
    PreToolUse:       { is: ["tool.before"],               text: "ignore",  pace: "await" },
    PostToolUse:      { is: ["tool.after", "tool.failed"], text: "ignore",  pace: "await" },
    PreCompact:       { is: ["compact.before"],            text: "ignore",  pace: "await" },
    PostCompact:      { is: ["compact.after"],             text: "ignore",  pace: "await" },
    SessionStart:     { is: ["session.start"],             text: "context", pace: "await" },
    Stop:             { is: ["session.end"],               text: "ignore",  pace: "await" }, // "Session termination"
    UserPromptSubmit: { is: ["prompt.submit"],             text: "context", pace: "await" },
    Notification:     { is: ["notification"],              text: "ignore",  pace: "await" },
  },
  unfired: [],
  tools: CAMEL_TOOLS,
  matcher: { key: "matcher", rule: "regex", on: "subject" },
  types: ["command", "http", "prompt", "agent"],
  options: [],
  launch: "sh -c",
  timeoutMs: 10_000,
  order: "sequential",
  repeated: "each",
  gate: "hooks-first",
  exit: { 0: "answer", 2: "deny:stderr", other: "fault" },
  onFault: "allow",
  deniedResult: "reason",
  toolContext: "result",
  contextPlace: "reminder",
  headerEnv: "any", // "supports env var interpolation in headers"
  ownEnv: PLUGIN_ENV,
  silentDenial: ({ wireName, hook }) => `${wireName} hook "${hook}" denied without a reason`,
  stdin: ({ event, wireName }) => present({
    session_id: event.sessionId,
    cwd: event.cwd,
    hook_event_name: wireName,
    tool_name: event.tool?.name,
    tool_input: event.tool?.input,
    tool_output: event.tool?.output,
    is_error: event.tool?.isError,
    agent_id: event.agent?.id,
    agent_type: event.agent?.type,
    prompt: event.prompt,
    source: event.source,
    reason: event.reason,
    trigger: event.trigger,
    summary: event.summary,
    message: event.message,
  }),
  env: () => ({}),
  returned: okReader,
};
