import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageTokens, mustCompact, tooLarge, usedTokens } from "../../src/session/budget.ts";

describe("budget", () => {
  test("[S3] the conversation is compacted above 83.5 % of the window, not at it", () => {
    expect([mustCompact(83_500, 100_000), mustCompact(83_501, 100_000)]).toEqual([false, true]);
  });

  test("[S4] a result is too large when it takes the context above 80 %, not to it", () => {
    expect(tooLarge({ used: 79_000, adds: 1_000, contextWindow: 100_000 })).toBe(false);
    expect(tooLarge({ used: 79_000, adds: 1_001, contextWindow: 100_000 })).toBe(true);
  });

  test("[W12] usage is the larger of what was reported and what is estimated", () => {
    fc.assert(fc.property(fc.nat(), fc.nat(), (reported, estimated) => usedTokens({ reported, estimated }) === Math.max(reported, estimated)));
  });

  test("[W12] the estimate of a message counts calls and results, not only text", () => {
    const text = "word ".repeat(400);
    const plain = messageTokens({ role: "user", text });
    expect(messageTokens({ role: "tool", results: [{ useId: "1", name: "Bash", output: text, isError: false }] })).toBe(plain);
    expect(messageTokens({ role: "assistant", text: "", toolCalls: [{ id: "1", name: "Write", input: { content: text } }] })).toBeGreaterThan(plain / 2);
  });
});
