/** Text for a terminal: one line, as wide as it says, and never more than it shows. */
import { stripVTControlCharacters } from "node:util";

/** Text from a file on one line: blanks for line ends, and no control characters that a terminal would obey. */
export function oneLine(text: string): string {
  return text
    .replace(/\s*[\r\n]+\s*/g, " ")
    .replace(/\t/g, " ")
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD");
}

/** How many columns a text takes: East Asian characters and emoji take two, marks none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    if (!/\p{Mark}/u.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

/** The text cut to a width, with an ellipsis where something is missing. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** The text padded with blanks to a width. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The text in lines of a width, broken at blanks. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** `1 hook`, `2 hooks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
