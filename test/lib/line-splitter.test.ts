import { expect, test } from "vitest";
import { LineSplitter } from "../../src/lib/line-splitter.ts";

function split(...chunks: readonly (string | Buffer)[]): { readonly lines: readonly (readonly [string, number])[]; readonly rest: string } {
  const lines: [string, number][] = [];
  const splitter = new LineSplitter((line, bytes) => void lines.push([line, bytes]));
  for (const chunk of chunks) splitter.write(Buffer.from(chunk));
  return { lines, rest: splitter.rest() };
}

test("one line, several, and what is left", () => {
  expect(split("a\n")).toEqual({ lines: [["a", 1]], rest: "" });
  expect(split("a\n\nbc\nd")).toEqual({
    lines: [
      ["a", 1],
      ["", 0],
      ["bc", 2],
    ],
    rest: "d",
  });
});

test("a line in pieces, cut inside a character", () => {
  const text = Buffer.from("größe\nx");
  for (let at = 0; at <= text.length; at++) expect(split(text.subarray(0, at), text.subarray(at))).toEqual({ lines: [["größe", 7]], rest: "x" });
});

test("the rest is given once", () => {
  const splitter = new LineSplitter(() => {});
  splitter.write(Buffer.from("half"));
  expect([splitter.rest(), splitter.rest()]).toEqual(["half", ""]);
});
