import { describe, expect, test } from "vitest";
import { compilePattern, looksExponential, PATTERN_LIMIT_MS } from "../../src/lib/pattern.ts";

async function tester(text: string): Promise<{ engine: string; test: (subject: string) => boolean }> {
  const pattern = await compilePattern(text);
  if (pattern.kind === "bad") throw new TypeError(pattern.message);
  return pattern;
}

describe("engines", () => {
  test.each([
    ["Bash|Read", "plain"],
    ["mcp__.*__write", "plain"],
    ["(Edit|Write)+", "linear"],
    ["(a+)+$", "linear"],
    ["(?!Bash).*", "limited"],
    ["(.)\\1", "limited"],
    ["\\-x", "plain"],
  ])("%s runs %s", async (text, engine) => {
    expect((await tester(text)).engine).toBe(engine);
  });
});

describe("matching", () => {
  test("is unanchored and case-sensitive", async () => {
    const { test: matches } = await tester("Bash");
    expect([matches("Bash"), matches("BashOutput"), matches("bash")]).toEqual([true, true, false]);
  });

  test.each(["(a+)+$", "(a|aa)+$", "(a|a)*b", "^(\\w+\\s?)*$"])("an exponential pattern %s answers soon on a word made for it", async (text) => {
    const { test: matches } = await tester(text);
    const started = performance.now();
    matches(`${"a".repeat(40)}!`);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test("a pattern that only backtracking can run is stopped, and counts as a match: the guard runs", async () => {
    const { engine, test: matches } = await tester("^(?=(a+)+$)x");
    expect(engine).toBe("limited");
    const started = performance.now();
    expect(matches(`${"a".repeat(40)}!`)).toBe(true);
    expect(performance.now() - started).toBeLessThan(PATTERN_LIMIT_MS + 1_000);
  });

  test("look-around works where it is quick", async () => {
    const { test: matches } = await tester("^(?!Bash$).*");
    expect([matches("Read"), matches("Bash")]).toEqual([true, false]);
  });
});

test.each(["(", "[a", "*a", "a{2,1}", "(?<x"])("%s is no pattern, and it is said why", async (text) => {
  expect(await compilePattern(text)).toMatchObject({ kind: "bad", message: expect.stringMatching(/./) });
});

test.each([
  ["(a+)+", true],
  ["(a|b)*", true],
  ["(Edit|Write)", false],
  ["a+b+", false],
])("looksExponential(%s) is %s", (text, expected) => {
  expect(looksExponential(text)).toBe(expected);
});
