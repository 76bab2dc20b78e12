/** The bytes that hooks get on stdin, and their variables. Scripts of others read them: a change here breaks them. */
import { describe, expect, test } from "vitest";
import { DIALECTS, type DialectId } from "../../src/dialects/index.ts";
import type { EventName, HookEvent } from "../../src/model/events.ts";
import { payloadAs } from "../../src/testing/index.ts";

const TOOL = { name: "Bash", input: { command: "ls -la", description: "lists" }, useId: "use-1" };
const COMMON = { sessionId: "session-1", turnId: "turn-1", requestId: "request-1", cwd: "/project", transcriptPath: "/t.jsonl", permissionMode: "default" };

const OWN: { readonly [name in EventName]?: Partial<HookEvent> } = {
  "tool.before": { tool: TOOL },
  "tool.after": { tool: { ...TOOL, output: "file", isError: false } },
  "prompt.submit": { prompt: "hi" },
  "session.start": { source: "startup" },
};

// prettier-ignore
const PAYLOADS: readonly (readonly [dialect: DialectId, event: EventName, stdin: string, env: { readonly [name: string]: string }])[] = [
  ["lime", "tool.before", '{"event":"PreToolUse","hook_event_name":"PreToolUse","tool_name":"bash","tool_input":{"command":"ls -la","description":"lists"},"session_id":"session-1","turn_id":"turn-1","request_id":"request-1","cwd":"/project"}', {"HOOK_EVENT":"PreToolUse","HOOK_TOOL_NAME":"bash","HOOK_TOOL_INPUT":"{\"command\":\"ls -la\",\"description\":\"lists\"}"}],
  ["lime", "tool.after", '{"event":"PostToolUse","hook_event_name":"PostToolUse","tool_name":"bash","tool_input":{"command":"ls -la","description":"lists"},"tool_output":"file","is_error":false,"session_id":"session-1","turn_id":"turn-1","request_id":"request-1","cwd":"/project"}', {"HOOK_EVENT":"PostToolUse","HOOK_TOOL_NAME":"bash","HOOK_TOOL_INPUT":"{\"command\":\"ls -la\",\"description\":\"lists\"}","HOOK_TOOL_OUTPUT":"file","HOOK_TOOL_IS_ERROR":"0"}],
  ["lime", "prompt.submit", '{"event":"UserPromptSubmit","hook_event_name":"UserPromptSubmit","session_id":"session-1","turn_id":"turn-1","request_id":"request-1","cwd":"/project","prompt":"hi"}', {"HOOK_EVENT":"UserPromptSubmit"}],
  ["lime", "session.start", '{"event":"SessionStart","hook_event_name":"SessionStart","session_id":"session-1","turn_id":"turn-1","request_id":"request-1","cwd":"/project","source":"startup"}', {"HOOK_EVENT":"SessionStart"}],
  ["claw", "tool.before", '{"hook_event_name":"PreToolUse","tool_name":"bash","tool_input":{"command":"ls -la","description":"lists"},"tool_input_json":"{\\"command\\":\\"ls -la\\",\\"description\\":\\"lists\\"}","tool_output":null,"tool_result_is_error":false}', {"HOOK_EVENT":"PreToolUse","HOOK_TOOL_NAME":"bash","HOOK_TOOL_INPUT":"{\"command\":\"ls -la\",\"description\":\"lists\"}","HOOK_TOOL_IS_ERROR":"0"}],
  ["claw", "tool.after", '{"hook_event_name":"PostToolUse","tool_name":"bash","tool_input":{"command":"ls -la","description":"lists"},"tool_input_json":"{\\"command\\":\\"ls -la\\",\\"description\\":\\"lists\\"}","tool_output":"file","tool_result_is_error":false}', {"HOOK_EVENT":"PostToolUse","HOOK_TOOL_NAME":"bash","HOOK_TOOL_INPUT":"{\"command\":\"ls -la\",\"description\":\"lists\"}","HOOK_TOOL_IS_ERROR":"0","HOOK_TOOL_OUTPUT":"file"}],
  ["mains", "tool.before", '{"session_id":"session-1","transcript_path":"/t.jsonl","cwd":"/project","prompt_id":"turn-1","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls -la","description":"lists"},"tool_use_id":"use-1"}', {}],
  ["mains", "tool.after", '{"session_id":"session-1","transcript_path":"/t.jsonl","cwd":"/project","prompt_id":"turn-1","permission_mode":"default","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls -la","description":"lists"},"tool_use_id":"use-1","tool_response":"file"}', {}],
  ["mains", "prompt.submit", '{"session_id":"session-1","transcript_path":"/t.jsonl","cwd":"/project","prompt_id":"turn-1","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"hi"}', {}],
  ["mains", "session.start", '{"session_id":"session-1","transcript_path":"/t.jsonl","cwd":"/project","prompt_id":"turn-1","permission_mode":"default","hook_event_name":"SessionStart","source":"startup"}', {}],
  ["robota", "tool.before", '{"session_id":"session-1","cwd":"/project","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls -la","description":"lists"}}', {}],
  ["robota", "tool.after", '{"session_id":"session-1","cwd":"/project","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls -la","description":"lists"},"tool_output":"file","is_error":false}', {}],
  ["robota", "prompt.submit", '{"session_id":"session-1","cwd":"/project","hook_event_name":"UserPromptSubmit","prompt":"hi"}', {}],
  ["robota", "session.start", '{"session_id":"session-1","cwd":"/project","hook_event_name":"SessionStart","source":"startup"}', {}],
  ["goose", "tool.before", '{"event":"pre_tool_use","tool_name":"developer__shell","tool_arguments":{"command":"ls -la","description":"lists"}}', {}],
  ["goose", "tool.after", '{"event":"post_tool_use","session_id":"session-1","tool_name":"developer__shell","tool_arguments":{"command":"ls -la","description":"lists"},"tool_result":"file","tool_error":null}', {}],
  ["goose", "prompt.submit", '{"event":"prompt_submit","session_id":"session-1","prompt_text":"hi"}', {}],
  ["goose", "session.start", '{"event":"session_start","session_id":"session-1"}', {}],
  ["claude-code", "tool.before", '{"session_id":"session-1","transcript_path":"/t.jsonl","cwd":"/project","prompt_id":"turn-1","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls -la","description":"lists"},"tool_use_id":"use-1"}', {"CLAUDE_PROJECT_DIR":"/project"}],
  ["claude-code", "tool.after", '{"session_id":"session-1","transcript_path":"/t.jsonl","cwd":"/project","prompt_id":"turn-1","permission_mode":"default","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls -la","description":"lists"},"tool_use_id":"use-1","tool_response":"file"}', {"CLAUDE_PROJECT_DIR":"/project"}],
  ["claude-code", "prompt.submit", '{"session_id":"session-1","transcript_path":"/t.jsonl","cwd":"/project","prompt_id":"turn-1","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"hi"}', {"CLAUDE_PROJECT_DIR":"/project"}],
  ["claude-code", "session.start", '{"session_id":"session-1","transcript_path":"/t.jsonl","cwd":"/project","prompt_id":"turn-1","permission_mode":"default","hook_event_name":"SessionStart","source":"startup"}', {"CLAUDE_PROJECT_DIR":"/project"}],
  ["snaphook", "tool.before", '{"event":"tool.before","sessionId":"session-1","turnId":"turn-1","requestId":"request-1","cwd":"/project","transcriptPath":"/t.jsonl","permissionMode":"default","tool":{"name":"shell","input":{"command":"ls -la","description":"lists"},"useId":"use-1"}}', {"SNAPHOOK_EVENT":"tool.before","SNAPHOOK_PROJECT_DIR":"/project","SNAPHOOK_TOOL":"shell","SNAPHOOK_SESSION_ID":"session-1"}],
  ["snaphook", "tool.after", '{"event":"tool.after","sessionId":"session-1","turnId":"turn-1","requestId":"request-1","cwd":"/project","transcriptPath":"/t.jsonl","permissionMode":"default","tool":{"name":"shell","input":{"command":"ls -la","description":"lists"},"useId":"use-1","output":"file","isError":false}}', {"SNAPHOOK_EVENT":"tool.after","SNAPHOOK_PROJECT_DIR":"/project","SNAPHOOK_TOOL":"shell","SNAPHOOK_SESSION_ID":"session-1"}],
  ["snaphook", "prompt.submit", '{"event":"prompt.submit","sessionId":"session-1","turnId":"turn-1","requestId":"request-1","cwd":"/project","transcriptPath":"/t.jsonl","permissionMode":"default","prompt":"hi"}', {"SNAPHOOK_EVENT":"prompt.submit","SNAPHOOK_PROJECT_DIR":"/project","SNAPHOOK_SESSION_ID":"session-1"}],
  ["snaphook", "session.start", '{"event":"session.start","sessionId":"session-1","turnId":"turn-1","requestId":"request-1","cwd":"/project","transcriptPath":"/t.jsonl","permissionMode":"default","source":"startup"}', {"SNAPHOOK_EVENT":"session.start","SNAPHOOK_PROJECT_DIR":"/project","SNAPHOOK_SESSION_ID":"session-1"}],
];

describe("payload bytes", () => {
  test.each(PAYLOADS)("%s %s", (id, name, stdin, env) => {
    const dialect = DIALECTS[id];
    const wire = Object.entries(dialect.events).find(([, row]) => row.is.some((each) => each === name))?.[0] ?? "";
    const payload = payloadAs(dialect, wire, { name, ...COMMON, ...OWN[name] });
    expect([payload.stdinText, payload.env]).toEqual([stdin, env]);
  });
});
