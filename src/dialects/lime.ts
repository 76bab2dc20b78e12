import { controlReader } from "./control.ts";
import type { Dialect } from "./dialect.ts";
import { asText, HOOK_ENV, hookEnv, isAfter, present } from "./payload.ts";
import { SNAKE_TOOLS } from "./tool-names.ts";

const control = controlReader({
  permissionDecision: { allow: "allow", deny: "deny", ask: "ask" },
  decision: { block: "deny" },
  continueFalse: "deny", // "Legacy aliases for 'deny this call'"
  fields: "nested",
  hookEventName: "optional",
  reasonIsMessage: true, // "Surfaced to the user and recorded in audit"
});

/** Lime: shell commands, HOOK_* variables, the PreToolUse control protocol. */
// prettier-ignore
export const lime: Dialect = {
  id: "lime",
  title: "Lime",
  config: {
    shape: "strings",
    places: [
      { layer: "user",    base: "home",    path: ".lime/settings.json" },
      { layer: "project", base: "project", path: ".lime/settings.json" },
      { layer: "local",   base: "project", path: ".lime/settings.local.json" },
    ],
  },
  events: {
    SessionStart:       { is: ["session.start"],      text: "ignore", pace: "await" },
    SessionEnd:         { is: ["session.end"],        text: "ignore", pace: "await" },
    UserPromptSubmit:   { is: ["prompt.submit"],      text: "ignore", pace: "await" },
    PreToolUse:         { is: ["tool.before"],        text: "ignore", pace: "await" },
    PostToolUse:        { is: ["tool.after"],         text: "ignore", pace: "detach" },
    PostToolUseFailure: { is: ["tool.failed"],        text: "ignore", pace: "detach" },
    PreCompact:         { is: ["compact.before"],     text: "ignore", pace: "await" },
    PostCompact:        { is: ["compact.after"],      text: "ignore", pace: "await" },
    PermissionRequest:  { is: ["permission.request"], text: "ignore", pace: "await" },
    PermissionDenied:   { is: ["permission.denied"],  text: "ignore", pace: "await" },
    Stop:               { is: ["turn.cancel"],        text: "ignore", pace: "await" }, // Esc / Ctrl-C, not the end of a turn
    Notification:       { is: ["notification"],       text: "ignore", pace: "await" },
  },
  unfired: [],
  tools: SNAKE_TOOLS,
  matcher: { key: null, rule: "none", on: "subject" },
  types: ["command"],
  options: [],
  launch: "sh -c",
  timeoutMs: 60_000, // "a per-event timeout", no number given
  order: "sequential",
  repeated: "each",
  gate: "hooks-first",
  exit: { 0: "answer", 2: "deny:any", other: "fault" },
  onFault: "allow",
  deniedResult: "reason",
  toolContext: "result",
  contextPlace: "reminder",
  headerEnv: "listed",
  ownEnv: HOOK_ENV,
  silentDenial: ({ wireName, hook }) => `${wireName} hook "${hook}" denied without a reason`,
  stdin: ({ event, wireName }) => {
    const after = isAfter(event);
    return present({
      event: wireName,
      hook_event_name: wireName, // so that claw scripts work
      tool_name: event.tool?.name,
      tool_input: event.tool?.input,
      ...(after && { tool_output: event.tool?.output ?? null, is_error: event.tool?.isError ?? false }),
      session_id: event.sessionId,
      turn_id: event.turnId,
      request_id: event.requestId,
      cwd: event.cwd,
      agent_id: event.agent?.id,
      agent_type: event.agent?.type,
      prompt: event.prompt,
      source: event.source,
      reason: event.reason,
      trigger: event.trigger,
      summary: event.summary,
      message: event.message,
      title: event.title,
    });
  },
  env: (wire) => {
    const { tool } = wire.event;
    const after = isAfter(wire.event);
    return { ...hookEnv(wire), ...(after && { HOOK_TOOL_OUTPUT: asText(tool?.output ?? ""), HOOK_TOOL_IS_ERROR: tool?.isError ? "1" : "0" }) };
  },
  answer: control,
  returned: control,
};
