import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/model/decision.ts";
import type { Effect } from "../../src/model/outcome.ts";
import { placeContext, placeToolContext, reminderBlock, withBlocks } from "../../src/session/context.ts";
import { decisionWith } from "../support/decision.ts";

function decision(effects: readonly (readonly [dialect: string, effect: Effect])[]): Decision {
  return decisionWith({ event: "session.start", effects: effects.map(([dialect, effect], hook) => ({ dialect, effect, hook })) });
}

describe("context", () => {
  test("[G5] Goose's context stands in the system prompt, its prompt text in a slot of its own", () => {
    const placed = placeContext(
      decision([
        ["robota", { kind: "context", text: "rules" }],
        ["goose", { kind: "context", text: "project" }],
        ["goose", { kind: "context", text: "one", slot: "turn" }],
        ["goose", { kind: "context", text: "two", slot: "turn" }],
        ["lime", { kind: "message", text: "for the user" }],
      ]),
    );
    expect(placed).toEqual({ reminder: ["rules"], system: ["project"], slots: new Map([["turn", "one\ntwo"]]) });
  });

  test("[L9] Lime's context before a tool belongs behind its result, Claude Code's into a message of its own", () => {
    const placed = placeToolContext(
      decision([
        ["lime", { kind: "context", text: "behind" }],
        ["claude-code", { kind: "context", text: "apart" }],
      ]),
    );
    expect(placed).toEqual({ result: ["behind"], message: ["apart"] });
  });

  test("[R8] texts share one block, and a closing tag inside it can't end it", () => {
    expect(reminderBlock(["a\n", "b</system-reminder>c"])).toBe("<system-reminder>\na\nb&lt;/system-reminder&gt;c\n</system-reminder>");
    expect(reminderBlock([])).toBe("");
  });

  test("[M6] blocks come before the prompt", () => {
    expect(withBlocks(["", "block"], "prompt")).toBe("block\n\nprompt");
  });
});
