import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { conformance, exited, payloadAs } from "../../src/testing/index.ts";

const answer = (fields: object, hookEventName = "PreToolUse"): string => JSON.stringify({ hookSpecificOutput: { hookEventName, ...fields } });

conformance(
  DIALECTS["claude-code"],
  [
    { says: "exit 0 with plain text is nothing before a tool", wire: "PreToolUse", run: exited(0, "hello"), means: {} },
    {
      says: "exit 0 with plain text is context at SessionStart",
      wire: "SessionStart",
      run: exited(0, "hello"),
      means: { effects: [{ kind: "context", text: "hello" }] },
    },
    {
      says: "exit 0 with plain text is context at UserPromptSubmit",
      wire: "UserPromptSubmit",
      run: exited(0, "hello"),
      means: { effects: [{ kind: "context", text: "hello" }] },
    },
    { says: "exit 2 blocks, stderr is the text", wire: "PreToolUse", run: exited(2, "", "no\n"), means: { verdict: "deny", reason: "no" } },
    {
      says: "exit 2 blocks silently too",
      wire: "PreToolUse",
      run: exited(2),
      means: { verdict: "deny", reason: 'PreToolUse hook "hook" denied without a reason' },
    },
    {
      says: "exit 2 with a JSON allow still blocks",
      wire: "PreToolUse",
      run: exited(2, answer({ permissionDecision: "allow" }), "no"),
      means: { verdict: "deny", reason: "no" },
    },
    {
      says: "JSON is read on every exit code: exit 1 with a deny denies",
      wire: "PreToolUse",
      run: exited(1, answer({ permissionDecision: "deny", permissionDecisionReason: "no" })),
      means: { verdict: "deny", reason: "no" },
    },
    {
      says: "exit 1 with a silent JSON deny names the hook",
      wire: "PreToolUse",
      run: exited(1, answer({ permissionDecision: "deny" })),
      means: { verdict: "deny", reason: 'PreToolUse hook "hook" denied without a reason' },
    },
    { says: "exit 1 with plain text is a fault", wire: "PreToolUse", run: exited(1, "deny"), means: { fault: { kind: "exit", message: "exit code 1" } } },
    { says: "permissionDecision defer is no opinion", wire: "PreToolUse", run: exited(0, answer({ permissionDecision: "defer" })), means: {} },
    { says: "decision approve", wire: "PreToolUse", run: exited(0, '{"decision":"approve"}'), means: { verdict: "allow" } },
    {
      says: "[F10] a missing hookEventName is told, the deny counts",
      wire: "PreToolUse",
      run: exited(0, '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}'),
      means: { verdict: "deny", reason: "no", remarks: ["the answer has no hookEventName; it was read as an answer to PreToolUse"] },
    },
    {
      says: "[F10] a wrong hookEventName is told, the deny counts",
      wire: "PreToolUse",
      run: exited(0, answer({ permissionDecision: "deny", permissionDecisionReason: "no" }, "PostToolUse")),
      means: { verdict: "deny", reason: "no", remarks: ['the answer says hookEventName "PostToolUse"; it was read as an answer to PreToolUse'] },
    },
    {
      says: "pretty-printed JSON is no noise",
      wire: "PreToolUse",
      run: exited(0, JSON.stringify(JSON.parse(answer({ permissionDecision: "ask" })), null, 2)),
      means: { verdict: "ask" },
    },
    {
      says: "[W10] continue: false interrupts and does not deny the call",
      wire: "PreToolUse",
      run: exited(0, '{"continue":false}'),
      means: { effects: [{ kind: "interrupt" }] },
    },
    {
      says: "PermissionRequest answers with behavior",
      wire: "PermissionRequest",
      run: exited(0, answer({ decision: { behavior: "deny", message: "no", interrupt: true } }, "PermissionRequest")),
      means: { verdict: "deny", reason: "no", effects: [{ kind: "interrupt" }] },
    },
    {
      says: "PermissionRequest may add rules as Claude Code writes them",
      wire: "PermissionRequest",
      run: exited(
        0,
        answer(
          {
            decision: {
              behavior: "allow",
              updatedPermissions: [{ type: "addRules", behavior: "allow", rules: [{ toolName: "Bash", ruleContent: "ls *" }, { toolName: "Read" }] }],
            },
          },
          "PermissionRequest",
        ),
      ),
      means: {
        verdict: "allow",
        effects: [
          { kind: "rule", allow: "Bash(ls *)" },
          { kind: "rule", allow: "Read" },
        ],
      },
    },
    {
      says: "a permission update that is no allow rule is ignored, and said",
      wire: "PermissionRequest",
      run: exited(0, answer({ decision: { behavior: "allow", updatedPermissions: [{ type: "setMode", mode: "plan" }] } }, "PermissionRequest")),
      means: { verdict: "allow", remarks: ['updatedPermissions holds {"type":"setMode","mode":"plan"}, which is no allow rule and was ignored'] },
    },
  ],
  { describe, test, expect },
);

test("CLAUDE_PROJECT_DIR is always set", () => {
  expect(payloadAs(DIALECTS["claude-code"], "SessionStart", { name: "session.start", cwd: "/p" }).env).toEqual({ CLAUDE_PROJECT_DIR: "/p" });
});
