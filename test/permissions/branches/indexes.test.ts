import { describe, expect, test } from "vitest";
import { findCommands, indexCommands, mayFindCommands, type Indexed } from "../../../src/permissions/command-index.ts";
import { findByFlags, flagIndex } from "../../../src/permissions/flag-index.ts";
import { commandPattern, exactPattern, matchesText, mayMatchText } from "../../../src/permissions/glob.ts";
import { HOLE, SPLIT_HOLE } from "../../../src/permissions/holes.ts";
import { findLiterals, indexLiterals } from "../../../src/permissions/literal-index.ts";
import { findPaths, indexPaths, type PathQuery } from "../../../src/permissions/path-index.ts";
import { pathPatterns } from "../../../src/permissions/path-pattern.ts";
import type { Token } from "../../../src/permissions/shell/tree.ts";
import { textAt } from "../../../src/permissions/text-at.ts";

interface Named extends Indexed {
  readonly text: string;
}

function named(texts: readonly string[]): { text: string; item: Named }[] {
  return texts.map((text, order) => ({ text, item: { text, order } }));
}

function found(patterns: readonly string[], text: string): readonly string[] {
  const names: string[] = [];
  findCommands(indexCommands(named(patterns)), text, ({ text: name }) => names.push(name));
  return names.toSorted();
}

function mayBeFound(patterns: readonly string[], text: string): readonly string[] {
  const names: string[] = [];
  mayFindCommands(indexCommands(named(patterns)), text, ({ text: name }) => names.push(name));
  return names;
}

const many = (make: (index: number) => string, count = 200): readonly string[] => Array.from({ length: count }, (_, index) => make(index));

describe("command patterns", () => {
  test.each<[string, string, boolean]>([
    ["a*b", "a x b", true],
    ["a*b", "ab", true],
    ["a*b", "a", false],
    ["a*x*b", "a-x-b", true],
    ["a*x*b", "a-y-b", false],
    ["a*bc*b", "abcb", true],
    ["a*b*b", "ab", false],
    ["a:*", "a", true],
    ["a:*", "a b", true],
    ["a:*", "ab", false],
    ["a*b:*", "a x b y", true],
    ["a\\*", "a*", true],
    ["a\\*", "ab", false],
    ["a\\\\*", "a\\b", true],
  ])("[A4] %j on %j is %s", (pattern, text, expected) => expect(matchesText(commandPattern(pattern), text)).toBe(expected));

  test.each<[string, string, boolean]>([
    ["rm -rf *", `rm ${HOLE}`, true],
    ["rm", `rm${SPLIT_HOLE}`, true],
    ["rm", `rx${SPLIT_HOLE}`, false],
    ["a*b", `${HOLE}c`, false],
    ["a*b", `c${HOLE}`, false],
    ["a*b", `a${HOLE}x${HOLE}b`, true],
    ["a:*", `a${SPLIT_HOLE}`, true],
    ["abc:*", `ab${HOLE}d`, true],
    ["abc:*", `x${HOLE}`, false],
  ])("[A1] %j may match %j: %s", (pattern, text, expected) => expect(mayMatchText(commandPattern(pattern), text)).toBe(expected));

  test("[A4] patterns are found by their words, by half a word, and by what stands in the middle", () => {
    const patterns = ["git push *", "git pu*", "git push", "*push*", "git:*", "gi*", "rm *", "**"];
    expect(found(patterns, "git push origin")).toEqual(["**", "*push*", "gi*", "git pu*", "git push *", "git:*"]);
    expect(found(patterns, "git")).toEqual(["**", "gi*", "git:*"]);
    expect(found([], "git")).toEqual([]);
  });
  test("[A4] many patterns with the same beginning are found by a literal of their own, in one pass", () => {
    const patterns = [...many((index) => `*tool${index}x* --force`), "* --force", "**", "*too*", "*oo*", "*ool7x run*"];
    expect(found(patterns, "a tool7x run --force")).toEqual(["* --force", "**", "*oo*", "*ool7x run*", "*too*", "*tool7x* --force"]);
    expect(found(patterns, "tool7x tool7x tool8x --force")).toEqual(["* --force", "**", "*oo*", "*too*", "*tool7x* --force", "*tool8x* --force"]);
    expect(found(patterns, "nothing")).toEqual(["**"]);
    expect(
      found(
        many(() => "git *", 20),
        "git x",
      ),
    ).toHaveLength(20);
    expect(
      found(
        many((index) => `*a${index}z*long${index}z*`),
        "a7z and long7z",
      ),
    ).toEqual(["*a7z*long7z*"]);
  });
  test("[A4] all literals that occur are found, those inside others too, each once", () => {
    const index = indexLiterals(["he", "she", "his", "hers", "e"].map((text) => ({ text, item: text })));
    expect([...findLiterals(index, "ushers, she")].toSorted()).toEqual(["e", "he", "hers", "she"]);
    expect([...findLiterals(index, "hi")]).toEqual([]);
    expect([...findLiterals(indexLiterals([]), "hi")]).toEqual([]);
  });
  test("[A1] a text with holes may match what its known part leaves open", () => {
    const patterns = ["git push *", "git status", "rm *", "*force*", "g*"];
    expect(mayBeFound(patterns, `git ${HOLE}`)).toEqual(["*force*", "g*", "git status", "git push *"]);
    expect(mayBeFound(patterns, `git status ${HOLE}`)).toEqual(["*force*", "g*"]);
    expect(mayBeFound(patterns, `ls ${HOLE} x`)).toEqual(["*force*"]);
    expect(mayBeFound([], HOLE)).toEqual([]);
  });
  test("[A1] beyond the limit of candidates the answer is maybe without looking at each", () => {
    expect(
      mayBeFound(
        many((index) => `tool${index} *`),
        `${HOLE}x`,
      ),
    ).toHaveLength(64);
    expect(
      mayBeFound(
        many((index) => `*x${index}*`),
        `ls ${HOLE} y`,
      ),
    ).toHaveLength(64);
  });
  test("[W12] an exact pattern stands for its text alone", () => {
    for (const text of ["a*", "a\\*", "\\\\*", "a:*", "*"])
      expect([matchesText(commandPattern(exactPattern(text)), text), matchesText(commandPattern(exactPattern(text)), `${text}x`)]).toEqual([true, false]);
  });
  test("[A4] beyond a list of texts there is nothing", () => {
    expect([textAt(["a", "b"], 0), textAt(["a", "b"], -1), textAt([], 0)]).toEqual(["a", "b", ""]);
  });
});

function flagged(pattern: string, command: string): boolean {
  const [program = "", ...words] = command.split(" ");
  const tokens = [program, ...words].map((value): Token => ({ raw: value, value, start: 0, end: 0, dynamic: false, splits: false, quoted: false }));
  let hit = false;
  findByFlags(flagIndex(named([pattern])), program, tokens, () => void (hit = true));
  return hit;
}

describe("order and grouping of flags", () => {
  test.each<[string, string, boolean]>([
    ["rm -rf *", "rm -fr x", true],
    ["rm -rf *", "rm -r --force x", true],
    ["rm -rf *", "rm --recursive -f x", true],
    ["rm -rf *", "rm -r x", false],
    ["rm -rf -- *", "rm -fr x", true],
    ["rm -rf /*", "rm -fr /etc", true],
    ["rm -rf /*", "rm -fr x", false],
    ["git push --force*", "git -C x push origin --force", true],
    ["git push --force*", "git push origin", false],
    ["git push origin *", "git push -v origin x", true],
    ["git push origin *", "git push other x", false],
    ["git push origin *", "git push", false],
    ["git a* b*", "git ac bd", true],
    ["git reset * --hard", "git reset --hard HEAD", true],
    ["find * -delete", "find . -delete", true],
    ["kill -9 *", "kill -KILL 1", true],
    ["tar --extract=x *", "tar -x", true],
    ["/bin/rm -rf *", "rm -fr x", true],
    ["rm x -*", "rm -- x -y", true],
    ["x * y", "x y", false],
    ["*x -f", "x -f", false],
    ["rm *", "rm x", false],
    ["rm *", "mv x", false],
  ])("[A3] a deny of %j on %j: %s", (pattern, command, expected) => expect(flagged(pattern, command)).toBe(expected));
});

function paths(patterns: readonly string[], path: string, query: Partial<PathQuery> = {}): readonly string[] {
  const index = indexPaths(named(patterns).flatMap(({ text, item }) => pathPatterns(text).map(({ segments }) => ({ segments, item }))));
  const names: string[] = [];
  findPaths(index, path, { covers: false, recursive: false, ...query }, ({ text }, match) => names.push(match === "yes" ? text : `${text}?`));
  return [...new Set(names)].toSorted();
}

describe("path patterns", () => {
  test.each<[string, readonly string[], string, Partial<PathQuery>, readonly string[]]>([
    ["names, one star, two stars", ["/a/b", "/a/*", "/a/**", "/a/*.ts", "/**/b"], "/a/b", {}, ["/**/b", "/a/*", "/a/**", "/a/b"]],
    ["an end of a name", ["/a/*.ts", "/a/*.d.ts", "/a/*.very-long-ending"], "/a/x.d.ts", {}, ["/a/*.d.ts", "/a/*.ts"]],
    ["a star inside a name", ["/a/x*z", "/a/x*y*z", "/a/?b", "/a/x?z"], "/a/xyz", {}, ["/a/x*y*z", "/a/x*z", "/a/x?z"]],
    ["chunks that do not fit", ["/x*yy*z", "/x*z*z", "/ab*bc"], "/xyz", {}, []],
    ["chunks that must not overlap", ["/ab*bc", "/a*b*c"], "/abc", {}, ["/a*b*c"]],
    ["the same glob twice", ["/x*z/a", "/x*z/b"], "/xyz/b", {}, ["/x*z/b"]],
    ["the root itself", ["/", "/a"], "/", {}, ["/"]],
    ["nothing", [], "/a", {}, []],
    ["what lies in a folder", ["/a", "/a/b/c", "/a/**"], "/a/b", { covers: true }, ["/a", "/a/**"]],
    ["the folder of a pattern", ["/a/**", "/a/*"], "/a", { covers: true }, ["/a/**"]],
    [
      "a tree that holds what is named",
      ["/a/b/c", "/a/*.ts", "/a/x*z", "/a/**/k", "/b"],
      "/a",
      { recursive: true },
      ["/a/**/k?", "/a/*.ts?", "/a/b/c?", "/a/x*z?"],
    ],
    ["a tree below two stars", ["/**/k/l"], "/a/b", { recursive: true }, ["/**/k/l?"]],
    ["an unknown part", ["/a/b", "/c/*"], `/a/${HOLE}`, {}, ["/a/b?", "/c/*?"]],
    ["a file name pattern", ["/a/b", "/a/.b", "/a/*.ts", "/a/*.md", "/a/x*z", "/a/.x*z", "/a/?", "/c"], "/a/\uFDD2.ts", {}, ["/a/*.ts?", "/a/??"]],
  ])("[A5] %s", (_, patterns, path, query, expected) => expect(paths(patterns, path, query)).toEqual(expected));
  test("[A5] a file name pattern needs the leading dot to be written", () => {
    const patterns = ["/a/.env", "/a/env", "/a/.e*v", "/a/e*v", "/a/*v"];
    expect(paths(patterns, "/a/\uFDD2v")).toEqual(["/a/*v?", "/a/e*v?", "/a/env?"]);
    expect(paths(patterns, "/a/.\uFDD2v")).toEqual(["/a/*v?", "/a/.e*v?", "/a/.env?"]);
    expect(paths(patterns, "/a/\uFDD2x")).toEqual([]);
  });
  test("[A1] of a tree with many patterns below so many are named, and never none", () => {
    const below = many((index) => `/a/b${index}/c`);
    expect(paths(below, "/a", { recursive: true })).toHaveLength(64);
    expect(paths(below, `/a/${HOLE}`)).toHaveLength(64);
  });
  test("[A1] patterns with many `**` are followed once: no path takes exponential time", () => {
    const deep = `/${"**/a/".repeat(12)}x`;
    expect(paths([deep, "/**/a/**/b"], `/${"a/".repeat(400)}b`)).toEqual(["/**/a/**/b"]);
    expect(paths([deep], `/${"a/".repeat(12)}x`)).toEqual([deep]);
    expect(paths(["/**/a/**/a/**/b", "/**/*z/**/b"], `/a/\uFDD2/a/\uFDD2z/a/b`)).toEqual(["/**/*z/**/b?", "/**/a/**/a/**/b", "/**/a/**/a/**/b?"]);
  });
  test("[A5] patterns are read with dots, braces and escapes", () => {
    const segments = (text: string): unknown =>
      pathPatterns(text).map(
        ({ anchor, segments: parts }) =>
          `${anchor}:${parts.map((part) => (part.kind === "name" ? part.name : part.kind === "deep" ? "**" : part.chunks.join("*"))).join("/")}`,
      );
    expect(segments("a/./b//c")).toEqual(["root:a/b/c"]);
    expect(segments("../../a/../b")).toEqual(["root:../../b"]);
    expect(segments("**/../b")).toEqual(["root:**/../b"]);
    expect(segments("~")).toEqual(["home:"]);
    expect(segments("~/a")).toEqual(["home:a"]);
    expect(segments("**/*")).toEqual(["anything:"]);
    expect(segments("a\\*b/a\\b/x**y")).toEqual(["root:a*b/a\\b/x*y"]);
    expect(segments("/{a,b}/{c,d}")).toEqual(["absolute:a/c", "absolute:a/d", "absolute:b/c", "absolute:b/d"]);
    expect(segments("/{a}")).toEqual(["absolute:{a}"]);
    expect(segments(`/${"{a,b}".repeat(7)}`)).toEqual([`absolute:${"{a,b}".repeat(7)}`]);
  });
});
