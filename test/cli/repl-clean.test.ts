import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanLine, cleanText } from "../../src/cli/repl/clean.ts";

describe("text of hooks, tools and models on a terminal", () => {
  test.each([
    { says: "colours are taken away", text: "\u001B[31mred\u001B[0m", shows: "red" },
    { says: "cursor movements are taken away", text: "a\u001B[2J\u001B[Hb", shows: "ab" },
    { says: "the eight-bit control sequence too", text: "a\u009B31mb", shows: "ab" },
    { says: "titles and links are taken away", text: "\u001B]0;owned\u0007x", shows: "x" },
    { says: "half an escape sequence is shown, not obeyed", text: "a\u001B", shows: "a\uFFFD" },
    { says: "a bell and a backspace are shown, not obeyed", text: "a\u0007\bb", shows: "a\uFFFD\uFFFDb" },
    { says: "an override of the direction is shown, not obeyed", text: "rm \u202Egpj.exe\u202C", shows: "rm \uFFFDgpj.exe\uFFFD" },
    { says: "isolates and marks too", text: "\u2066a\u2069\u200Fb\u061C", shows: "\uFFFDa\uFFFD\uFFFDb\uFFFD" },
    { says: "tags that nobody sees are shown", text: "a\u{E0041}b", shows: "a\uFFFDb" },
    { says: "a carriage return can't overwrite the line", text: "deny\rallow\r\nend", shows: "deny\nallow\nend" },
    { says: "tabs are blanks", text: "a\tb", shows: "a    b" },
    { says: "emoji and other scripts stay", text: "👩‍💻 日本 שלום", shows: "👩‍💻 日本 שלום" },
  ])("$says", ({ text, shows }) => {
    expect(cleanText(text)).toBe(shows);
  });

  test("on one line, line ends are blanks", () => {
    expect(cleanLine(" one\n\n  two\r\nthree ")).toBe("one two three");
  });

  test("nothing that a terminal obeys is left, whatever comes in", () => {
    const nasty = constantFrom("\u001B", "\u009B", "[", "]", "3", "1", "m", "\u0007", "\u202E", "\r", "\n", "\u0000", "x", "\u{E0001}");
    assert(
      property(
        array(nasty).map((parts) => parts.join("")),
        (text) => {
          expect(cleanText(text)).toMatch(
            /^[^\p{Cc}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}\n]*(\n[^\p{Cc}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]*)*$/u,
          );
        },
      ),
    );
  });
});
