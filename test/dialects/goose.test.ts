import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { conformance, exited, payloadAs } from "../../src/testing/index.ts";

conformance(
  DIALECTS.goose,
  [
    { says: "[G4] block denies", wire: "pre_tool_use", run: exited(0, '{"decision":"block","reason":"r"}'), means: { verdict: "deny", reason: "r" } },
    {
      says: "[G4] block without a reason says which hook",
      wire: "pre_tool_use",
      run: exited(0, '{"decision":"block"}'),
      means: { verdict: "deny", reason: 'pre_tool_use hook "hook" blocked without a reason' },
    },
    { says: "[G4] require_approval asks", wire: "pre_tool_use", run: exited(0, '{"decision":"require_approval"}'), means: { verdict: "ask" } },
    { says: "[G4] allow allows", wire: "pre_tool_use", run: exited(0, '{"decision":"allow"}'), means: { verdict: "allow" } },
    { says: "[G4] no decision is no opinion", wire: "pre_tool_use", run: exited(0, "{}"), means: {} },
    {
      says: "[G7] exit 2 has no effect",
      wire: "pre_tool_use",
      run: exited(2, '{"decision":"block"}'),
      means: { fault: { kind: "exit", message: "exit code 2" } },
    },
    { says: "[G7] plain text at a decision event is nothing", wire: "pre_tool_use", run: exited(0, "hi"), means: {} },
    {
      says: "[F10] a misspelt decision is a fault, never an allow",
      wire: "pre_tool_use",
      run: exited(0, '{"decision":"blocked"}'),
      means: { fault: { kind: "answer", message: 'decision "blocked" is not one of allow, block, require_approval' } },
    },
    {
      says: "[F10] a block is found in noise",
      wire: "pre_tool_use",
      run: exited(0, 'Loading {profile}…\n{"decision":"block","reason":"r"}\n'),
      means: { verdict: "deny", reason: "r", remarks: ["other text stands around the answer of hook"] },
    },
    {
      says: "[G5] plain text is context at session_start",
      wire: "session_start",
      run: exited(0, "hi\n"),
      means: { effects: [{ kind: "context", text: "hi" }] },
    },
    {
      says: "[G5] context_injection",
      wire: "session_start",
      run: exited(0, '{"context_injection":"hi"}'),
      means: { effects: [{ kind: "context", text: "hi" }] },
    },
    {
      says: "[G5] prompt_submit replaces its own text",
      wire: "prompt_submit",
      run: exited(0, '{"context_injection":"hi"}'),
      means: { effects: [{ kind: "context", text: "hi", slot: "goose.prompt_submit" }] },
    },
    { says: "[G5] empty injections are nothing", wire: "prompt_submit", run: exited(0, '{"context_injection":""}'), means: {} },
    {
      says: "context_injection that is no text is ignored, and said",
      wire: "session_start",
      run: exited(0, '{"context_injection":1}'),
      means: { remarks: ["context_injection is not text and was ignored"] },
    },
  ],
  { describe, test, expect },
);

describe("goose: what a hook is shown [G3]", () => {
  test("pre_tool_use: no session id", () => {
    const { stdin } = payloadAs(DIALECTS.goose, "pre_tool_use", {
      name: "tool.before",
      sessionId: "s",
      tool: { name: "Bash", input: { command: "rm -rf /" } },
    });
    expect(stdin).toEqual({ event: "pre_tool_use", tool_name: "developer__shell", tool_arguments: { command: "rm -rf /" } });
  });

  test("post_tool_use: result or error, the other is null", () => {
    const tool = { name: "Bash", input: { command: "ls /tmp" } };
    const done = payloadAs(DIALECTS.goose, "post_tool_use", {
      name: "tool.after",
      sessionId: "abc-123",
      tool: { ...tool, output: ["file1.txt", "file2.txt"] },
    });
    expect(done.stdin).toEqual({
      event: "post_tool_use",
      session_id: "abc-123",
      tool_name: "developer__shell",
      tool_arguments: { command: "ls /tmp" },
      tool_result: '["file1.txt","file2.txt"]',
      tool_error: null,
    });
    const broken = payloadAs(DIALECTS.goose, "post_tool_use", { name: "tool.failed", tool: { ...tool, output: "no", isError: true } });
    expect(broken.stdin).toMatchObject({ session_id: "", tool_result: null, tool_error: "no" });
  });

  test("prompt_submit carries prompt_text", () => {
    expect(payloadAs(DIALECTS.goose, "prompt_submit", { name: "prompt.submit", sessionId: "abc-123", prompt: "list files in /tmp" }).stdin).toEqual({
      event: "prompt_submit",
      session_id: "abc-123",
      prompt_text: "list files in /tmp",
    });
  });

  test("[E3] one editor tool stands for three", () => {
    const shown = (name: string, input: object): unknown =>
      payloadAs(DIALECTS.goose, "pre_tool_use", { name: "tool.before", tool: { name, input: { ...input } } }).stdin["tool_arguments"];
    expect(shown("Read", { file_path: "/a" })).toEqual({ file_path: "/a", path: "/a", command: "view" });
    expect(shown("Write", { file_path: "/a", content: "x" })).toMatchObject({ path: "/a", file_text: "x", command: "write" });
    expect(shown("Edit", { file_path: "/a", old_string: "x", new_string: "y" })).toMatchObject({
      path: "/a",
      old_str: "x",
      new_str: "y",
      command: "str_replace",
    });
  });
});
