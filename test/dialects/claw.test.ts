import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { conformance, exited, oversized, payloadAs } from "../../src/testing/index.ts";

conformance(
  DIALECTS.claw,
  [
    { says: "[C1] exit 0: stdout is feedback", wire: "PreToolUse", run: exited(0, "ok\n"), means: { effects: [{ kind: "feedback", text: "ok" }] } },
    {
      says: "[C1] exit 0: JSON is feedback like any other text",
      wire: "PreToolUse",
      run: exited(0, '{"decision":"block"}'),
      means: { effects: [{ kind: "feedback", text: '{"decision":"block"}' }] },
    },
    {
      says: "[C1] exit 2: stdout is the denial message",
      wire: "PreToolUse",
      run: exited(2, "Blocked\n", "ignored"),
      means: { verdict: "deny", reason: "Blocked", effects: [{ kind: "feedback", text: "Blocked" }] },
    },
    {
      says: "[C5] exit 2 without stdout names event and tool",
      wire: "PreToolUse",
      run: exited(2),
      means: { verdict: "deny", reason: "PreToolUse hook denied tool `bash`", effects: [{ kind: "feedback", text: "PreToolUse hook denied tool `bash`" }] },
    },
    {
      says: "[C4] exit 2 of a post hook denies the result",
      wire: "PostToolUse",
      run: exited(2, "bad"),
      means: { verdict: "deny", reason: "bad", effects: [{ kind: "feedback", text: "bad" }] },
    },
    {
      says: "[F7] exit 2 after too much output still denies, with words of our own",
      wire: "PreToolUse",
      run: oversized(10, 2),
      means: {
        verdict: "deny",
        reason: "PreToolUse hook denied tool `bash`",
        effects: [{ kind: "feedback", text: "PreToolUse hook denied tool `bash`" }],
        remarks: ["it printed more than 10 bytes; its exit code denies all the same"],
      },
    },
    {
      says: "[C1] any other code is a warning with the last line of stderr",
      wire: "PreToolUse",
      run: exited(127, "", "a\nsh: nope: not found\n"),
      means: { fault: { kind: "exit", message: "exit code 127 (command not found): sh: nope: not found", failure: "notFound" } },
    },
  ],
  { describe, test, expect },
);

describe("claw: what a hook is shown", () => {
  test("[C2] [C3] before a call: parsed and raw input, null output, is-error always set, no output variable", () => {
    const { stdin, env } = payloadAs(DIALECTS.claw, "PreToolUse", { name: "tool.before", sessionId: "s", tool: { name: "shell", input: { command: "ls" } } });
    expect(stdin).toEqual({
      hook_event_name: "PreToolUse",
      tool_name: "bash",
      tool_input: { command: "ls" },
      tool_input_json: '{"command":"ls"}',
      tool_output: null,
      tool_result_is_error: false,
    });
    expect(env).toEqual({ HOOK_EVENT: "PreToolUse", HOOK_TOOL_NAME: "bash", HOOK_TOOL_INPUT: '{"command":"ls"}', HOOK_TOOL_IS_ERROR: "0" });
  });

  test("[C3] an output that an event carries before its call is not shown", () => {
    const { stdin, env } = payloadAs(DIALECTS.claw, "PreToolUse", { name: "tool.before", tool: { name: "shell", input: {}, output: "x", isError: true } });
    expect(stdin).toMatchObject({ tool_output: null, tool_result_is_error: false });
    expect(env).toEqual({ HOOK_EVENT: "PreToolUse", HOOK_TOOL_NAME: "bash", HOOK_TOOL_INPUT: "{}", HOOK_TOOL_IS_ERROR: "0" });
  });

  test("[C2] input that is no JSON object is shown raw", () => {
    const { stdin } = payloadAs(DIALECTS.claw, "PreToolUse", { name: "tool.before", tool: { name: "shell", input: { raw: "{oops" }, rawInput: "{oops" } });
    expect(stdin).toMatchObject({ tool_input: { raw: "{oops" }, tool_input_json: "{oops" });
  });

  test("[C3] after a failed call: its output and 1", () => {
    const { env } = payloadAs(DIALECTS.claw, "PostToolUse", {
      name: "tool.failed",
      tool: { name: "shell", input: {}, output: "file1.txt\nfile2.txt", isError: true },
    });
    expect(env).toMatchObject({ HOOK_TOOL_IS_ERROR: "1", HOOK_TOOL_OUTPUT: "file1.txt\nfile2.txt" });
  });

  test("[E3] a path is shown under claw's key and the canonical one", () => {
    const { stdin } = payloadAs(DIALECTS.claw, "PreToolUse", { name: "tool.before", tool: { name: "Write", input: { file_path: "/a", content: "x" } } });
    expect(stdin).toMatchObject({ tool_name: "write_file", tool_input: { path: "/a", file_path: "/a", content: "x" } });
  });
});
