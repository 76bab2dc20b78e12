import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import type { EventName } from "../../src/model/events.ts";
import { conformance, exited, oversized, payloadAs } from "../../src/testing/index.ts";

const specific = (fields: object): string => JSON.stringify({ hookSpecificOutput: fields });

conformance(
  DIALECTS.lime,
  [
    {
      says: "[L6] exit 2 denies, even silent",
      wire: "PreToolUse",
      run: exited(2),
      means: { verdict: "deny", reason: 'PreToolUse hook "hook" denied without a reason' },
    },
    { says: "[L6] exit 2: stderr is the reason", wire: "PreToolUse", run: exited(2, "", "no\n"), means: { verdict: "deny", reason: "no" } },
    {
      says: "[L6] exit 2: a JSON answer can't take the denial back",
      wire: "PreToolUse",
      run: exited(2, specific({ permissionDecision: "allow" })),
      means: { verdict: "deny", reason: 'PreToolUse hook "hook" denied without a reason' },
    },
    {
      says: "[L6] exit 2 is not lost in too much output",
      wire: "PreToolUse",
      run: oversized(10, 2, "no"),
      means: { verdict: "deny", reason: "no", remarks: ["it printed more than 10 bytes; its exit code denies all the same"] },
    },
    { says: "[L5] text that is not JSON continues", wire: "PreToolUse", run: exited(0, "hello"), means: {} },
    { says: "[L5] a JSON list continues", wire: "PreToolUse", run: exited(0, "[1]"), means: {} },
    { says: "[L4] permissionDecision allow", wire: "PreToolUse", run: exited(0, specific({ permissionDecision: "allow" })), means: { verdict: "allow" } },
    {
      says: "[L4] permissionDecision ask with its reason",
      wire: "PreToolUse",
      run: exited(0, specific({ permissionDecision: "ask", permissionDecisionReason: "sure?" })),
      means: { verdict: "ask", reason: "sure?" },
    },
    {
      says: "[L4] permissionDecision deny without a reason says who denied",
      wire: "PreToolUse",
      run: exited(0, specific({ permissionDecision: "deny" })),
      means: { verdict: "deny", reason: 'PreToolUse hook "hook" denied without a reason' },
    },
    {
      says: "[L4] reason is a message, and the denial's reason where no other is given",
      wire: "PreToolUse",
      run: exited(0, '{"decision":"block","reason":"policy"}'),
      means: { verdict: "deny", reason: "policy", effects: [{ kind: "message", text: "policy" }] },
    },
    {
      says: "[L4] continue: false denies",
      wire: "PreToolUse",
      run: exited(0, '{"continue":false}'),
      means: { verdict: "deny", reason: 'PreToolUse hook "hook" denied without a reason' },
    },
    { says: "[L4] continue: true is no opinion", wire: "PreToolUse", run: exited(0, '{"continue":true}'), means: {} },
    {
      says: "[L9] additionalContext is context",
      wire: "PreToolUse",
      run: exited(0, specific({ additionalContext: "Note: this repo uses pnpm, not npm." })),
      means: { effects: [{ kind: "context", text: "Note: this repo uses pnpm, not npm." }] },
    },
    {
      says: "[L4] updatedInput replaces the input",
      wire: "PreToolUse",
      run: exited(0, specific({ updatedInput: { command: "ls" } })),
      means: { effects: [{ kind: "input", value: { command: "ls" } }] },
    },
    {
      says: "[L10] updatedPermissions are allow rules",
      wire: "PreToolUse",
      run: exited(0, specific({ updatedPermissions: ["Bash(git push:*)", "Read"] })),
      means: {
        effects: [
          { kind: "rule", allow: "Bash(git push:*)" },
          { kind: "rule", allow: "Read" },
        ],
      },
    },
    { says: "[L11] interrupt, nested", wire: "PreToolUse", run: exited(0, specific({ interrupt: true })), means: { effects: [{ kind: "interrupt" }] } },
    { says: "[L11] interrupt, at the top", wire: "PreToolUse", run: exited(0, '{"interrupt":true}'), means: { effects: [{ kind: "interrupt" }] } },
    {
      says: "[L4] systemMessage is for the user",
      wire: "PreToolUse",
      run: exited(0, '{"systemMessage":"hi"}'),
      means: { effects: [{ kind: "message", text: "hi" }] },
    },
    {
      says: "[L4] every field at once, as the seed prints it",
      wire: "PreToolUse",
      run: exited(
        0,
        '{ "systemMessage": "Suppressed by audit hook.", "reason": "Hook policy", "hookSpecificOutput": { "permissionDecision": "deny", "permissionDecisionReason": "git push to main is restricted", "additionalContext": "see runbook RB-42", "updatedInput": { "command": "git push origin feature/branch" }, "updatedPermissions": ["Bash(git push:*)"], "interrupt": true }, "interrupt": true, "continue": false, "decision": "block"}',
      ),
      means: {
        verdict: "deny",
        reason: "git push to main is restricted",
        effects: [
          { kind: "context", text: "see runbook RB-42" },
          { kind: "input", value: { command: "git push origin feature/branch" } },
          { kind: "rule", allow: "Bash(git push:*)" },
          { kind: "message", text: "Suppressed by audit hook." },
          { kind: "message", text: "Hook policy" },
          { kind: "interrupt" },
        ],
      },
    },
    {
      says: "[F10] text around the answer does not lose it",
      wire: "PreToolUse",
      run: exited(0, `debug\n${specific({ permissionDecision: "deny", permissionDecisionReason: "no" })}\ndone`),
      means: { verdict: "deny", reason: "no", remarks: ["other text stands around the answer of hook"] },
    },
    {
      says: "[F10] of two answers the last counts, and it is said",
      wire: "PreToolUse",
      run: exited(0, `${specific({ permissionDecision: "allow" })}\n${specific({ permissionDecision: "ask" })}`),
      means: { verdict: "ask", remarks: ["other text stands around the answer of hook; of 2 answers the last one that decides counts"] },
    },
    {
      says: "[F10] a decision word it does not know is a fault",
      wire: "PreToolUse",
      run: exited(0, specific({ permissionDecision: "denied" })),
      means: { fault: { kind: "answer", message: 'permissionDecision "denied" is not one of allow, deny, ask' } },
    },
    {
      says: "[F10] the name of a property every object has is no decision word",
      wire: "PreToolUse",
      run: exited(0, '{"decision":"toString"}'),
      means: { fault: { kind: "answer", message: 'decision "toString" is not one of block' } },
    },
    {
      says: "[F10] a decision of the wrong type is a fault",
      wire: "PreToolUse",
      run: exited(0, specific({ permissionDecision: { deny: true } })),
      means: { fault: { kind: "answer", message: 'permissionDecision {"deny":true} is not one of allow, deny, ask' } },
    },
    {
      says: "[F10] a continue that is no boolean is a fault",
      wire: "PreToolUse",
      run: exited(0, '{"continue":"false"}'),
      means: { fault: { kind: "answer", message: 'continue "false" is not true or false' } },
    },
    {
      says: "[F4] an interrupt that is no boolean is told",
      wire: "PreToolUse",
      run: exited(0, '{"interrupt":"yes"}'),
      means: { remarks: ['interrupt "yes" is not true or false'] },
    },
    {
      says: "[F4] a permissionDecision outside hookSpecificOutput is a fault, its companions are told",
      wire: "PreToolUse",
      run: exited(0, '{"permissionDecision":"allow","additionalContext":"x"}'),
      means: {
        fault: { kind: "answer", message: "permissionDecision belongs into hookSpecificOutput; where it stands it was ignored" },
        remarks: ["additionalContext belongs into hookSpecificOutput; where it stands it was ignored"],
      },
    },
    {
      says: "[F10] a misspelt decision key is a fault",
      wire: "PreToolUse",
      run: exited(0, specific({ permisionDecision: "deny" })),
      means: { fault: { kind: "answer", message: '"permisionDecision" is not a key of this protocol, did you mean "permissionDecision"?' } },
    },
    {
      says: "[F10] a deny counts although another field is unreadable",
      wire: "PreToolUse",
      run: exited(0, '{"decision":"block","hookSpecificOutput":"x"}'),
      means: { verdict: "deny", reason: 'PreToolUse hook "hook" denied without a reason', remarks: ["hookSpecificOutput is not an object"] },
    },
    {
      says: "[L4] updatedInput that is no object is a fault",
      wire: "PreToolUse",
      run: exited(0, specific({ updatedInput: "ls" })),
      means: { fault: { kind: "answer", message: "updatedInput is not an object" } },
    },
    {
      says: "a byte order mark before the answer is no noise",
      wire: "PreToolUse",
      run: exited(0, `\uFEFF${specific({ permissionDecision: "ask" })}`),
      means: { verdict: "ask" },
    },
  ],
  { describe, test, expect },
);

describe("lime: what a hook is shown", () => {
  test("[L2] HOOK_TOOL_OUTPUT and HOOK_TOOL_IS_ERROR are set only after the call", () => {
    const before = payloadAs(DIALECTS.lime, "PreToolUse", { name: "tool.before", tool: { name: "Bash", input: { command: "ls" } } });
    expect(before.env).toEqual({ HOOK_EVENT: "PreToolUse", HOOK_TOOL_NAME: "bash", HOOK_TOOL_INPUT: '{"command":"ls"}' });
    const after = payloadAs(DIALECTS.lime, "PostToolUseFailure", {
      name: "tool.failed",
      tool: { name: "Bash", input: { command: "ls" }, output: { code: 1 }, isError: true },
    });
    expect(after.env).toEqual({
      HOOK_EVENT: "PostToolUseFailure",
      HOOK_TOOL_NAME: "bash",
      HOOK_TOOL_INPUT: '{"command":"ls"}',
      HOOK_TOOL_OUTPUT: '{"code":1}',
      HOOK_TOOL_IS_ERROR: "1",
    });
  });

  test("[E1] Stop is a cancelled turn", () => {
    const stop: readonly EventName[] = DIALECTS.lime.events["Stop"]?.is ?? [];
    expect(stop).toEqual(["turn.cancel"]);
  });
});
