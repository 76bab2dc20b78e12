/** Text of any length: its beginning and its end are kept, what lies between is counted. */
export class HeadTail {
  readonly #half: number;
  #head = "";
  #tail = "";
  #length = 0;

  constructor(limitCharacters: number) {
    this.#half = Math.floor(limitCharacters / 2);
  }

  write(text: string): void {
    this.#length += text.length;
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    // Cutting only now and then keeps the cost of a character constant.
    if (this.#tail.length > 2 * this.#half) this.#tail = this.#tail.slice(-this.#half);
  }

  /** How many characters arrived, kept or not. */
  get length(): number {
    return this.#length;
  }

  /** All that is kept, with a note where something is missing. */
  text(): string {
    const cut = this.#length - this.#head.length - Math.min(this.#tail.length, this.#half);
    if (cut === 0) return this.#head + this.#tail;
    return `${this.#head.replace(/[\uD800-\uDBFF]$/, "")}\n\n(${cut} characters are cut here)\n\n${this.tail(this.#half)}`;
  }

  /** The last characters. */
  tail(characters: number): string {
    const all = this.#tail.length >= characters ? this.#tail : this.#head + this.#tail;
    return all.slice(-characters).replace(/^[\uDC00-\uDFFF]/, "");
  }
}
