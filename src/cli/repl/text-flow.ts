import { widthOf } from "../render/text.ts";

/** Characters that are held back until it is known where the word ends; a longer word is printed as it comes. */
const HELD_CHARACTERS = 40;

/** Text that arrives in pieces, broken at blanks before it reaches the edge. */
export class TextFlow {
  #column = 0;
  #word = "";

  /** What can be printed now. */
  push(text: string, width: number): string {
    let out = "";
    for (const character of text) {
      if (character === "\n") {
        out += `${this.#take(width)}\n`;
        this.#column = 0;
      } else if (character === " ") {
        out += this.#take(width);
        if (this.#column < width) {
          out += " ";
          this.#column += 1;
        }
      } else {
        this.#word += character;
        if (this.#word.length >= HELD_CHARACTERS) out += this.#take(width);
      }
    }
    return out;
  }

  /** What is left, with the end of its line. */
  end(width: number): string {
    const rest = this.#take(width);
    const open = this.#column > 0;
    this.#column = 0;
    return `${rest}${open ? "\n" : ""}`;
  }

  #take(width: number): string {
    const word = this.#word;
    this.#word = "";
    const broken = this.#column > 0 && this.#column + widthOf(word) > width;
    this.#column = (broken ? 0 : this.#column) + widthOf(word);
    return `${broken ? "\n" : ""}${word}`;
  }
}
