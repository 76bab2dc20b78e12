import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { conformance, exited, failed, interpretAs, payloadAs, returned } from "../../src/testing/index.ts";

conformance(
  DIALECTS.robota,
  [
    { says: "[R5] exit 0 allows and its stdout is nothing", wire: "PreToolUse", run: exited(0, '{"decision":"block"}'), means: {} },
    { says: "[R5] exit 2: stderr is the reason", wire: "PreToolUse", run: exited(2, "out", "no\n"), means: { verdict: "deny", reason: "no" } },
    {
      says: "[R5] exit 2 without stderr says which hook",
      wire: "PreToolUse",
      run: exited(2, "out"),
      means: { verdict: "deny", reason: 'PreToolUse hook "hook" denied without a reason' },
    },
    {
      says: "[R8] stdout of SessionStart is context",
      wire: "SessionStart",
      run: exited(0, "rules\n"),
      means: { effects: [{ kind: "context", text: "rules" }] },
    },
    {
      says: "[R8] stdout of UserPromptSubmit is context",
      wire: "UserPromptSubmit",
      run: exited(0, "rules"),
      means: { effects: [{ kind: "context", text: "rules" }] },
    },
    { says: "[R6] ok: true is no opinion", wire: "PreToolUse", run: returned({ ok: true }), means: {} },
    { says: "[R6] ok: false denies", wire: "PreToolUse", run: returned({ ok: false, reason: "no" }), means: { verdict: "deny", reason: "no" } },
    {
      says: "[R6] ok: false without a reason says which hook",
      wire: "PreToolUse",
      run: returned({ ok: false }),
      means: { verdict: "deny", reason: 'PreToolUse hook "hook" denied without a reason' },
    },
    {
      says: "[R6] ok in quotes is a fault",
      wire: "PreToolUse",
      run: returned({ ok: "false" }),
      means: { fault: { kind: "answer", message: '"ok" is "false", not true or false' } },
    },
    {
      says: "[R6] no ok is a fault",
      wire: "PreToolUse",
      run: returned({}),
      means: { fault: { kind: "answer", message: '"ok" is missing, not true or false' } },
    },
    {
      says: "[R6] an empty answer of a server is a fault",
      wire: "PreToolUse",
      run: returned(null),
      means: { fault: { kind: "answer", message: "the answer is empty" } },
    },
    {
      says: "[R6] a transport failure is a fault",
      wire: "PreToolUse",
      run: failed("http", "the server answered 500"),
      means: { fault: { kind: "http", message: "the server answered 500" } },
    },
  ],
  { describe, test, expect },
);

test("[R7] prompt is there at UserPromptSubmit and SessionStart", () => {
  const base = { session_id: "session_1234", cwd: "/path/to/project", prompt: "hi" };
  const event = { sessionId: "session_1234", cwd: "/path/to/project", prompt: "hi" };
  expect(payloadAs(DIALECTS.robota, "UserPromptSubmit", { name: "prompt.submit", ...event }).stdin).toEqual({ ...base, hook_event_name: "UserPromptSubmit" });
  expect(payloadAs(DIALECTS.robota, "SessionStart", { name: "session.start", ...event, source: "startup" }).stdin).toEqual({
    ...base,
    hook_event_name: "SessionStart",
    source: "startup",
  });
});

test("[R10] plugin hooks get their four variables, the script's path filled in", () => {
  const plugin = { root: "/plugins/one", name: "one" };
  const action = { type: "command", launch: "sh -c", command: '"$CLAUDE_PLUGIN_ROOT/check.sh" --fast', args: null } as const;
  const { env } = payloadAs(
    DIALECTS.robota,
    "PreToolUse",
    { name: "tool.before", sessionId: "s", cwd: "/p", tool: { name: "Bash", input: {} } },
    { plugin, action },
  );
  expect(env).toEqual({ CLAUDE_PLUGIN_ROOT: "/plugins/one", CLAUDE_PLUGIN_PATH: "/plugins/one/check.sh", CLAUDE_PROJECT_DIR: "/p", CLAUDE_SESSION_ID: "s" });
});

test("[E1] Stop is the end of the session", () => {
  expect(DIALECTS.robota.events["Stop"]?.is).toEqual(["session.end"]);
});

test("a returned answer is read the same at every event", () => {
  for (const wire of Object.keys(DIALECTS.robota.events)) expect(interpretAs(DIALECTS.robota, wire, returned({ ok: false, reason: "r" })).verdict).toBe("deny");
});
