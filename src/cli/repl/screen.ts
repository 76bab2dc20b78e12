/** The lower edge of a terminal: lines that change stay below the output and are never mixed into it. */
import { shorten } from "../render/text.ts";

/** What a screen is drawn on. */
export interface ScreenOutput {
  write(text: string): void;
  columns(): number;
  /** Whether the cursor can be moved: not on a dumb terminal. */
  readonly live: boolean;
}

/** Somebody who owns the last line for a while: a line editor. */
export interface LastLine {
  erase(): void;
  draw(): void;
}

/** Output above, a footer below. */
export class Screen {
  readonly #output: ScreenOutput;
  #footer: readonly string[] = [];
  #drawnRows = 0;
  #atLineStart = true;
  #lastLine: LastLine | null = null;
  /** Whether an urgent footer stands in place of the line that was lent. */
  #covered = false;

  constructor(output: ScreenOutput) {
    this.#output = output;
  }

  get live(): boolean {
    return this.#output.live;
  }

  get columns(): number {
    return this.#output.columns();
  }

  /** Prints text above the footer. */
  write(text: string): void {
    if (text === "") return;
    const lent = this.#covered ? null : this.#lastLine;
    lent?.erase();
    this.#erase();
    this.#output.write(text);
    this.#atLineStart = text.endsWith("\n");
    this.#draw();
    lent?.draw();
  }

  /** Puts other lines into the footer; none: it goes. `urgent` ends an open line of output first, and covers a line that was lent. */
  footer(lines: readonly string[], { urgent = false }: { readonly urgent?: boolean } = {}): void {
    if (!this.#output.live) return;
    this.#erase();
    this.#footer = lines;
    const cover = lines.length > 0 && urgent;
    if (this.#lastLine && cover !== this.#covered) {
      this.#covered = cover;
      if (cover) this.#lastLine.erase();
      else this.#lastLine.draw();
    }
    if (cover && !this.#atLineStart) {
      this.#output.write("\n");
      this.#atLineStart = true;
    }
    this.#draw();
  }

  /** Gives the last line away, until the function returned is called. */
  lend(lastLine: LastLine): () => void {
    this.footer([]);
    if (!this.#atLineStart) this.write("\n");
    this.#lastLine = lastLine;
    return () => {
      this.#lastLine = null;
      this.#covered = false;
      this.#atLineStart = true;
    };
  }

  #erase(): void {
    if (this.#drawnRows === 0) return;
    this.#output.write(`\r${this.#drawnRows > 1 ? `\u001B[${this.#drawnRows - 1}A` : ""}\u001B[J`);
    this.#drawnRows = 0;
  }

  /** A line that is as wide as the terminal would wrap, and the rows could not be counted. */
  #draw(): void {
    if (this.#footer.length === 0 || !this.#atLineStart || (this.#lastLine && !this.#covered)) return;
    this.#output.write(this.#footer.map((line) => cut(line, this.#output.columns() - 1)).join("\n"));
    this.#drawnRows = this.#footer.length;
  }
}

/** The colour of a line that was cut must not run on. */
function cut(line: string, width: number): string {
  const short = shorten(line, width);
  return short === line || !line.includes("\u001B") ? short : `${short}\u001B[0m`;
}
