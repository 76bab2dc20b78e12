import type { Dialect } from "./dialect.ts";
import { okReader } from "./ok.ts";
import { asText, HOOK_ENV, hookEnv, isAfter } from "./payload.ts";
import { SNAKE_TOOLS } from "./tool-names.ts";

/** claw: two events, exit codes only, stdout is feedback for the model. */
// prettier-ignore
export const claw: Dialect = {
  id: "claw",
  title: "claw",
  config: {
    shape: "strings",
    places: [
      { layer: "user",    base: "home",    path: ".claude/settings.json" },
      { layer: "project", base: "project", path: ".claude/settings.json" },
      { layer: "local",   base: "project", path: ".claude/settings.local.json" },
    ],
  },
  events: {
    PreToolUse:  { is: ["tool.before"],               text: "feedback", pace: "await" },
    PostToolUse: { is: ["tool.after", "tool.failed"], text: "feedback", pace: "await" },
  },
  unfired: [],
  tools: {
    ...SNAKE_TOOLS,
    read:  { name: "read_file",  keys: { file_path: "path" } },
    write: { name: "write_file", keys: { file_path: "path" } },
    edit:  { name: "edit_file",  keys: { file_path: "path" } },
  },
  matcher: { key: null, rule: "none", on: "subject" },
  types: ["command"],
  options: [],
  launch: "sh -lc",
  timeoutMs: 60_000, // its documentation names none
  order: "until-deny",
  repeated: "each",
  gate: "permission-first",
  exit: { 0: "answer", 2: "deny:stdout", other: "fault" },
  onFault: "allow",
  deniedResult: "messages",
  toolContext: "result",
  contextPlace: "reminder",
  headerEnv: "listed",
  ownEnv: HOOK_ENV,
  silentDenial: ({ wireName, tool }) => `${wireName} hook denied tool \`${tool ?? "?"}\``,
  stdin: ({ event, wireName, inputText }) => {
    const ran = isAfter(event) ? event.tool : undefined;
    return {
      hook_event_name: wireName,
      tool_name: event.tool?.name,
      tool_input: event.tool?.input,
      tool_input_json: inputText,
      tool_output: ran?.output ?? null,
      tool_result_is_error: ran?.isError ?? false,
    };
  },
  env: (wire) => {
    const ran = isAfter(wire.event) ? wire.event.tool : undefined;
    return {
      ...hookEnv(wire),
      HOOK_TOOL_IS_ERROR: ran?.isError ? "1" : "0",
      ...(ran?.output !== undefined && { HOOK_TOOL_OUTPUT: asText(ran.output) }),
    };
  },
  returned: okReader,
};
