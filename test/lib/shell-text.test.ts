/** What a shell would understand, understood without one; beside a real one. */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainCommands, variablesOf } from "../../src/lib/shell-text.ts";
import { shellText } from "../support/shell-text.ts";

const ENV = { A: "x y  *", B: "", C: "$(echo no) `no` '\"\\n" };

const valueOf = (wanted: string): string | undefined => Object.entries(ENV).find(([name]) => name === wanted)?.[1];

/** The words of the only command, as a shell sees them. */
function wordsOf(text: string): readonly string[] {
  return execFileSync("/bin/sh", ["-c", `printf '%s\\0' x ${text}`], { env: ENV, cwd: "/", encoding: "utf8" })
    .split("\0")
    .slice(1, -1);
}

test("words are what a shell makes of them", () => {
  let understood = 0;
  fc.assert(
    fc.property(shellText.words, (text) => {
      const commands = plainCommands(`x ${text}`);
      if (!commands) return;
      understood++;
      const [command] = commands;
      const ours = command?.words
        .slice(1)
        .map(({ pieces }) => pieces.map((piece) => (typeof piece === "string" ? piece : (valueOf(piece.variable) ?? ""))).join(""));
      expect(ours).toEqual(wordsOf(text));
    }),
    { numRuns: 300 },
  );
  expect(understood).toBeGreaterThan(100);
});

describe("what means more than itself is not understood", () => {
  test.each([
    "a b | c",
    "a & b",
    "a &",
    "a\nb",
    "a `b`",
    "a $(b)",
    "a $b",
    'a "$1"',
    'a "$@"',
    'a "$$"',
    'a "$(b)"',
    'a "`b`"',
    'a "\\$b"',
    "a *",
    "a ?",
    "a [ab]",
    "a ~",
    "~/a",
    "a {b,c}",
    "a <b",
    "a >b",
    "a >>b",
    "a 2>b",
    "a 3>&1",
    "a >&3",
    "a <<E",
    "a #b",
    "(a)",
    "{ a; }",
    "! a",
    "a\\ b",
    'a "${b:-c}"',
    'a "${#b}"',
    "a 'b",
    'a "b',
    "",
    ";",
    "a ;; b",
    "a &&",
    "a ||",
    "&& a",
    "a () b",
    "a \0",
    "a '\0'",
  ])("%j", (text) => {
    expect(plainCommands(text)).toBeUndefined();
  });
});

test("commands and their variables", () => {
  const commands = plainCommands(`[ "$A" = 'b c' ] && echo "\${A}$B" >&2 || exit 2;`) ?? [];
  expect(commands.map(({ words }) => words.length)).toEqual([5, 2, 2]);
  expect(variablesOf(commands)).toEqual(["A", "A", "B"]);
});
