import { describe, expect, test } from "vitest";
import { shlexSplit } from "../../src/lib/shlex.ts";
import * as fc from "fast-check";

/** The table of the Rust crate's own tests; null: it refuses the line. */
const SPLITS: readonly (readonly [line: string, words: readonly string[] | null])[] = [
  ["foo$baz", ["foo$baz"]],
  ["foo baz", ["foo", "baz"]],
  ['foo"bar"baz', ["foobarbaz"]],
  ['foo "bar"baz', ["foo", "barbaz"]],
  ["   foo \nbar", ["foo", "bar"]],
  ["foo\\\nbar", ["foobar"]],
  ['"foo\\\nbar"', ["foobar"]],
  ["'baz\\$b'", ["baz\\$b"]],
  ["'baz\\''", null],
  ["\\", null],
  ['"\\', null],
  ["'\\", null],
  ['"', null],
  ["'", null],
  ["foo #bar\nbaz", ["foo", "baz"]],
  ["foo #bar", ["foo"]],
  ["foo#bar", ["foo#bar"]],
  ['foo"#bar', null],
  ["'\\n'", ["\\n"]],
  ["'\\\\n'", ["\\\\n"]],
];

describe("splits as the Rust crate does [G1]", () => {
  test.each(SPLITS)("%j", (line, words) => {
    const split = shlexSplit(line);
    expect(split.kind === "words" ? split.words : null).toEqual(words);
  });

  test.each([
    ["", []],
    ["''", [""]],
    ['a "" b', ["a", "", "b"]],
    ["a\tb", ["a", "b"]],
    ["a\rb", ["a\rb"]],
    ['"a\\"b"', ['a"b']],
    ['"a\\qb"', ["a\\qb"]],
    ['"\\$HOME `x` \\`"', ["$HOME `x` `"]],
    ["a\\ b", ["a b"]],
    ["$(rm) | x > y && z", ["$(rm)", "|", "x", ">", "y", "&&", "z"]],
    ["ünï 'cödé ✓'", ["ünï", "cödé ✓"]],
  ])("%j", (line, words) => {
    expect(shlexSplit(line)).toEqual({ kind: "words", words });
  });

  test("says what was left open", () => {
    expect(shlexSplit("a 'b")).toEqual({ kind: "unbalanced", what: "an open single quote" });
    expect(shlexSplit('a "b')).toEqual({ kind: "unbalanced", what: "an open double quote" });
    expect(shlexSplit("a \\")).toEqual({ kind: "unbalanced", what: "a backslash at the end" });
  });
});

describe("properties", () => {
  const words = fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 6 });
  const single = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  const double = (word: string): string => `"${word.replaceAll(/[\\"$`]/g, "\\$&")}"`;

  test.each([
    ["single", single],
    ["double", double],
  ] as const)("words in %s quotes come back as they were", (_, quote) => {
    fc.assert(
      fc.property(words, (all) => {
        expect(shlexSplit(all.map(quote).join(" "))).toEqual({ kind: "words", words: all });
      }),
    );
  });

  test("plain words are split at blanks and at nothing else", () => {
    const plain = fc.array(
      fc.string({ minLength: 1 }).filter((word) => /^[^\s"'\\#]+$/.test(word)),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(plain, (all) => {
        expect(shlexSplit(all.join(" \t\n "))).toEqual({ kind: "words", words: all });
      }),
    );
  });
});
