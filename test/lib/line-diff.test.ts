import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffLines, withContext } from "../../src/lib/line-diff.ts";

const shown = (before: string, after: string): readonly string[] =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: " ", gone: "-", new: "+" }[kind]}${text}`);

describe("line diff", () => {
  test("keeps the longest common lines", () => {
    expect(shown("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n")).toEqual([" a", "-b", "+x", " c", " d", "+e"]);
    expect(shown("", "a\n")).toEqual(["+a"]);
    expect(shown("a\n", "")).toEqual(["-a"]);
  });

  test("both texts can be read off it", () => {
    const line = fc.constantFrom("a", "b", "c", "");
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (left, right) => {
        const lines = diffLines([...left, "end"].join("\n"), [...right, "end"].join("\n"));
        expect(lines.filter(({ kind }) => kind !== "new").map(({ text }) => text)).toEqual([...left, "end"]);
        expect(lines.filter(({ kind }) => kind !== "gone").map(({ text }) => text)).toEqual([...right, "end"]);
      }),
    );
  });

  test("leaves out what is far from a change", () => {
    const lines = diffLines("1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\nx\n5\n6\n7\n");
    expect(withContext(lines, 1).map((line) => line?.text ?? "…")).toEqual(["…", "3", "4", "x", "5", "…"]);
  });
});
