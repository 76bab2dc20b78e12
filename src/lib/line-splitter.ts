const NEWLINE = 10;

/** Bytes that arrive in pieces → lines. A line is decoded when it is whole, so that no character is cut in half. */
export class LineSplitter {
  readonly #take: (line: string, bytes: number) => void;
  #pieces: Buffer[] = [];

  constructor(take: (line: string, bytes: number) => void) {
    this.#take = take;
  }

  write(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#give(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
  }

  /** What stands after the last line break; nothing is left afterwards. */
  rest(): string {
    const text = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    return text;
  }

  #give(chunk: Buffer, start: number, end: number): void {
    if (this.#pieces.length === 0) {
      this.#take(chunk.toString("utf8", start, end), end - start);
      return;
    }
    const line = Buffer.concat([...this.#pieces, chunk.subarray(start, end)]);
    this.#pieces = [];
    this.#take(line.toString("utf8"), line.length);
  }
}
