import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { apply } from "../../src/engine/apply.ts";
import { merge } from "../../src/engine/merge.ts";
import type { ToolResult } from "../../src/model/decision.ts";
import type { HookEvent } from "../../src/model/events.ts";
import type { Heard } from "../../src/model/heard.ts";
import { hookFor } from "../../src/testing/index.ts";
import { callOf, guard, heard } from "../support/events.ts";

const { claw, lime } = DIALECTS;

function resultOf(event: HookEvent, hooks: readonly Heard[]): ToolResult | null {
  return apply(merge({ given: event, event, heard: hooks, beforeGate: hooks, gate: null, floors: [], notices: [] }), event).result;
}

const after = (output: unknown, isError = false): HookEvent => ({
  name: isError ? "tool.failed" : "tool.after",
  tool: { name: "shell", input: {}, output, isError },
});
const post = (said: Heard["outcome"] | object): Heard => heard(hookFor(claw, "PostToolUse"), said);
const feedback = (text: string): object => ({ effects: [{ kind: "feedback", text }] });

describe("before a call", () => {
  test("there is no result unless it is denied", () => {
    expect(resultOf(callOf("ls"), [heard(guard("h"), { verdict: "ask" })])).toBeNull();
  });

  test("a denied call's result is the reason, as an error", () => {
    expect(resultOf(callOf("ls"), [heard(guard("h", lime), { verdict: "deny", reason: "no" })])).toEqual({ output: "no", isError: true });
  });

  test("[C5] claw: the result is the joined messages of its hooks", () => {
    const hooks = [heard(guard("a", claw), feedback("first")), heard(guard("b", claw), { verdict: "deny", reason: "second", ...feedback("second") })];
    expect(resultOf(callOf("ls"), hooks)).toEqual({ output: "first\nsecond", isError: true });
  });

  test("an event without a tool has no result", () => {
    expect(resultOf({ name: "tool.before" }, [heard(guard("h"), { verdict: "deny" })])).toBeNull();
  });
});

describe("after a call", () => {
  test("[C4] feedback stands under its label after the output", () => {
    expect(resultOf(after("out"), [post(feedback("one")), post(feedback("two"))])).toEqual({ output: "out\n\nHook feedback:\none\ntwo", isError: false });
  });

  test("[C4] a denying post hook makes it an error and changes the label", () => {
    expect(resultOf(after("out"), [post({ verdict: "deny", reason: "bad", ...feedback("bad") })])).toEqual({
      output: "out\n\nHook feedback (denied):\nbad",
      isError: true,
    });
  });

  test("a denial of a dialect whose words are no feedback is told as well", () => {
    const denied = heard(hookFor(DIALECTS.robota, "PostToolUse"), { verdict: "deny", reason: "bad" });
    expect(resultOf(after("out"), [denied])).toEqual({ output: "out\n\nHook feedback (denied):\nbad", isError: true });
  });

  test("[L9] [M6] context comes after the result", () => {
    const context = heard(hookFor(DIALECTS.mains, "PostToolUse"), { effects: [{ kind: "context", text: "note" }] });
    expect(resultOf(after("out"), [context])).toEqual({ output: "out\n\nnote", isError: false });
  });

  test("with nothing to add, the output is left as it came", () => {
    expect(resultOf(after({ files: [1, 2] }), [])).toEqual({ output: { files: [1, 2] }, isError: false });
    expect(resultOf(after("no", true), [])).toEqual({ output: "no", isError: true });
  });

  test("structured output is written as JSON before what is added", () => {
    expect(resultOf(after({ a: 1 }), [post(feedback("f"))])).toEqual({ output: '{"a":1}\n\nHook feedback:\nf', isError: false });
  });
});
