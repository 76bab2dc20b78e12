/** Bracketed paste: a pasted text of several lines is one prompt, not many. */
import { cleanText } from "./clean.ts";

/** Stands for a line end inside a line that is being edited. */
export const LINE_MARK = "↵";

/** Switches bracketed paste on or off. */
export const PASTE_MODE = { on: "\u001B[?2004h", off: "\u001B[?2004l" } as const;

const START = "\u001B[200~";
const END = "\u001B[201~";

/** A line as it was meant. */
export function unmarked(line: string): string {
  return line.replaceAll(LINE_MARK, "\n");
}

/** Takes the brackets away and marks line ends between them. */
export class PasteFilter {
  #inside = false;

  push(text: string): string {
    let out = "";
    for (let rest = text; rest !== "";) {
      const bracket = this.#inside ? END : START;
      const at = rest.indexOf(bracket);
      const part = at < 0 ? rest : rest.slice(0, at);
      out += this.#inside ? cleanText(part).replaceAll("\n", LINE_MARK) : part;
      if (at < 0) return out;
      this.#inside = !this.#inside;
      rest = rest.slice(at + bracket.length);
    }
    return out;
  }
}
