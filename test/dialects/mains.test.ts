import { describe, expect, test } from "vitest";
import { approvalHook } from "../../src/dialects/approval.ts";
import { DIALECTS } from "../../src/dialects/index.ts";
import { conformance, exited, failed, payloadAs, returned } from "../../src/testing/index.ts";

const specific = (fields: object): unknown => ({ hookSpecificOutput: fields });

conformance(
  DIALECTS.mains,
  [
    {
      says: "[M4] a callback's return is the answer",
      wire: "PreToolUse",
      run: returned(specific({ permissionDecision: "ask", permissionDecisionReason: "sure?" })),
      means: { verdict: "ask", reason: "sure?" },
    },
    {
      says: "[M4] the fields may stand without hookSpecificOutput around them, as the documentation names them",
      wire: "PreToolUse",
      run: returned({ permissionDecision: "deny", permissionDecisionReason: "flat", additionalContext: "c", updatedInput: { a: 1 } }),
      means: {
        verdict: "deny",
        reason: "flat",
        effects: [
          { kind: "context", text: "c" },
          { kind: "input", value: { a: 1 } },
        ],
      },
    },
    {
      says: "[M4] deny without a reason says which callback",
      wire: "PreToolUse",
      run: returned(specific({ permissionDecision: "deny" })),
      means: { verdict: "deny", reason: 'PreToolUse callback "hook" denied without a reason' },
    },
    {
      says: "[M4] decision approve and block",
      wire: "PreToolUse",
      run: returned({ decision: "block", reason: "no" }),
      means: { verdict: "deny", reason: "no" },
    },
    {
      says: "[M4] updatedInput and additionalContext",
      wire: "PreToolUse",
      run: returned(specific({ updatedInput: { a: 1 }, additionalContext: "c" })),
      means: {
        effects: [
          { kind: "context", text: "c" },
          { kind: "input", value: { a: 1 } },
        ],
      },
    },
    {
      says: "[W10] continue: false interrupts, with its reason for the user",
      wire: "PreToolUse",
      run: returned({ continue: false, stopReason: "enough" }),
      means: {
        effects: [
          { kind: "interrupt", reason: "enough" },
          { kind: "message", text: "enough" },
        ],
      },
    },
    {
      says: "[W10] continue: false at a prompt denies it",
      wire: "UserPromptSubmit",
      run: returned({ continue: false, stopReason: "enough" }),
      means: {
        verdict: "deny",
        reason: "enough",
        effects: [
          { kind: "interrupt", reason: "enough" },
          { kind: "message", text: "enough" },
        ],
      },
    },
    {
      says: "[M4] systemMessage is for the user",
      wire: "SessionStart",
      run: returned({ systemMessage: "hi" }),
      means: { effects: [{ kind: "message", text: "hi" }] },
    },
    {
      says: "[M9] an answer that is no object is a fault",
      wire: "PreToolUse",
      run: returned(42),
      means: { fault: { kind: "answer", message: "the answer is a number, not an object" } },
    },
    {
      says: "[M9] a list is no object",
      wire: "PreToolUse",
      run: returned([]),
      means: { fault: { kind: "answer", message: "the answer is a list, not an object" } },
    },
    {
      says: "[M9] a callback that threw is a fault",
      wire: "PreToolUse",
      run: failed("exception", "it threw: no"),
      means: { fault: { kind: "exception", message: "it threw: no" } },
    },
    {
      says: "[F10] a word of another dialect is a fault",
      wire: "PreToolUse",
      run: returned(specific({ permissionDecision: "block" })),
      means: { fault: { kind: "answer", message: 'permissionDecision "block" is not one of allow, deny, ask' } },
    },
    { says: "exit 2 of a command: stderr is the reason", wire: "PreToolUse", run: exited(2, "", "no"), means: { verdict: "deny", reason: "no" } },
  ],
  { describe, test, expect },
);

test("[M9] a callback that returns nothing has no opinion", async () => {
  const { interpretAs } = await import("../../src/testing/index.ts");
  const action = { type: "callback", callback: "x", module: null } as const;
  expect(interpretAs(DIALECTS.mains, "PreToolUse", returned(undefined), { action })).toMatchObject({ verdict: null, fault: null });
});

test("[M3] every payload carries session_id, transcript_path and cwd", () => {
  for (const [wire, row] of Object.entries(DIALECTS.mains.events)) {
    const { stdin } = payloadAs(DIALECTS.mains, wire, { name: row.is[0], sessionId: "s", transcriptPath: "/t.jsonl", cwd: "/p" });
    expect(stdin).toMatchObject({ session_id: "s", transcript_path: "/t.jsonl", cwd: "/p", hook_event_name: wire });
  }
});

test("[M1] there are sixteen events", () => {
  expect(Object.keys(DIALECTS.mains.events)).toHaveLength(16);
});

describe("the approval hook [M5]", () => {
  const hook = approvalHook(DIALECTS.mains);
  const answerTo = (name: string): unknown => {
    if (hook?.action.type !== "callback" || typeof hook.action.callback !== "function") throw new TypeError("the approval hook is no callback");
    return hook.action.callback({ tool_name: name }, undefined, { signal: new AbortController().signal });
  };

  test.each(["Bash", "Read", "Write", "Edit", "Glob", "Grep", "mcp__fake__add"])("%s is pre-approved", (name) => {
    expect(answerTo(name)).toEqual(specific({ permissionDecision: "allow", permissionDecisionReason: `${name} is pre-approved in Mains` }));
  });

  test.each(["WebFetch", "AskUserQuestion", "Agent", "Unknown"])("for %s an approver is asked", (name) => {
    expect(answerTo(name)).toEqual(
      specific({ permissionDecision: "ask", permissionDecisionReason: `${name} is not pre-approved in Mains: an approver is asked` }),
    );
  });

  test("gives way to others, and a fault of it is a question", () => {
    expect(hook).toMatchObject({ yields: true, onFault: "ask", wireName: "PreToolUse", events: ["tool.before"] });
  });

  test("no other dialect has one", () => {
    const { mains: _, ...others } = DIALECTS;
    expect(Object.values(others).filter((dialect) => approvalHook(dialect))).toEqual([]);
  });
});
