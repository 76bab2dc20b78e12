/** What no single dialect decides; each dialect's own words are proved in test/dialects/. */
import { describe, expect, test } from "vitest";
import { DIALECT_LIST, DIALECTS } from "../../src/dialects/index.ts";
import { NO_OPINION } from "../../src/model/outcome.ts";
import { detached, exited, interpretAs, oversized, returned, signalled } from "../../src/testing/index.ts";
import * as fc from "fast-check";

const { lime, snaphook } = DIALECTS;
const DENY = '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}';

describe("noise does not lose an answer [F10]", () => {
  test("a deny wrapped in any text without braces is found, with a notice", () => {
    const noise = fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replace(/[{}]/g, "").trim());
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        const outcome = interpretAs(lime, "PreToolUse", exited(0, `${before}\n${DENY}\n${after}`));
        expect(outcome).toMatchObject({ verdict: "deny", reason: "no", fault: null });
      }),
    );
  });

  test.each([
    ["braces in prose before it", `using {profile} and {}\n${DENY}`],
    ["an open brace before it", `if (x) {\n${DENY}`],
    ["a closing brace after it", `${DENY}\n}`],
    ["a JSON log line before it", `{"level":"info","msg":"starting"}\n${DENY}`],
    ["a JSON log line after it", `${DENY}\n{"level":"info","msg":"done"}`],
    ["an unbalanced quote before it", `it's "quoted\n${DENY}`],
    ["no line break at all", `answer:${DENY}.`],
    ["carriage returns", `debug\r\n${DENY}\r\n`],
  ])("%s", (_, stdout) => {
    const outcome = interpretAs(lime, "PreToolUse", exited(0, stdout));
    expect(outcome).toMatchObject({ verdict: "deny", reason: "no", remarks: ["other text stands around the answer of hook"] });
  });

  test("an object without a word of the dialect is text", () => {
    expect(interpretAs(lime, "PreToolUse", exited(0, 'debug {"level":"info"}'))).toEqual(NO_OPINION);
  });

  test("output full of objects that never end is a fault, in time", () => {
    const started = performance.now();
    expect(interpretAs(lime, "PreToolUse", exited(0, '{"a":'.repeat(200_000))).fault).toEqual({
      kind: "answer",
      message: "the output is full of braces and no answer could be found in it",
    });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test.each(DIALECT_LIST)("$id: what was not waited for or not run has no opinion", (dialect) => {
  for (const wire of Object.keys(dialect.events)) {
    expect(interpretAs(dialect, wire, detached)).toEqual(NO_OPINION);
    expect(interpretAs(dialect, wire, { kind: "skipped", why: "a hook before it denied" })).toEqual(NO_OPINION);
  }
});

test("a fault says the last line of stderr, shortened", () => {
  expect(interpretAs(snaphook, "tool.before", exited(3, "", `first\n${"x".repeat(500)}\n`)).fault).toEqual({
    kind: "exit",
    message: `exit code 3: ${"x".repeat(200)}`,
  });
  expect(interpretAs(snaphook, "tool.before", signalled("SIGSEGV", "core dumped")).fault).toEqual({ kind: "signal", message: "ended by SIGSEGV: core dumped" });
});

test("126 and 127 are explained", () => {
  expect(interpretAs(snaphook, "tool.before", exited(126)).fault?.message).toBe("exit code 126 (not executable)");
  expect(interpretAs(snaphook, "tool.before", exited(127)).fault?.message).toBe("exit code 127 (command not found)");
});

test("too much output of a server has no exit code and is a fault", () => {
  expect(interpretAs(snaphook, "tool.before", oversized(10, null)).fault).toEqual({ kind: "oversized", message: "it printed more than 10 bytes" });
});

test("no answer, whatever it is, makes the interpreter throw or allow by accident", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(...DIALECT_LIST), (text, dialect) => {
      for (const wire of Object.keys(dialect.events)) {
        const printed = interpretAs(dialect, wire, exited(0, text));
        const given = interpretAs(dialect, wire, returned(JSON.parse(text)));
        expect([printed.verdict, given.verdict]).toEqual([null, null]);
      }
    }),
    { numRuns: 100 },
  );
});
