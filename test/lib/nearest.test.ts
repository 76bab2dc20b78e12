import { expect, test } from "vitest";
import { nearest } from "../../src/lib/nearest.ts";

const EVENTS = ["PreToolUse", "PostToolUse", "SessionStart", "Stop", "tool.before"];

test.each([
  ["PreTooluse", "PreToolUse"],
  ["pretooluse", "PreToolUse"],
  ["PostToolUSe", "PostToolUse"],
  ["SesionStart", "SessionStart"],
  ["Stpo", "Stop"],
  ["Strap", undefined],
  ["Stp", "Stop"],
  ["tool.befor", "tool.before"],
  ["Banana", undefined],
  ["", undefined],
  ["x".repeat(10_000), undefined],
])("%s → %s", (word, meant) => {
  expect(nearest(word, EVENTS)).toBe(meant);
});

test("of two the closer one", () => {
  expect(nearest("PosToolUse", EVENTS)).toBe("PostToolUse");
});
