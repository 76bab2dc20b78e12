/** Text that arrives in pieces of bytes: kept up to a limit, counted beyond it, decoded only when whole. */
export class CappedText {
  readonly #limitBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  write(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    const room = this.#limitBytes - this.#kept;
    if (room <= 0) return;
    const kept = chunk.length <= room ? chunk : chunk.subarray(0, room);
    this.#chunks.push(kept);
    this.#kept += kept.length;
  }

  /** How many bytes arrived, kept or not. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether more arrived than was kept. */
  get over(): boolean {
    return this.#bytes > this.#limitBytes;
  }

  /** The first chunk as text: enough to see a first line. */
  beginning(): string {
    return Buffer.concat(this.#chunks.slice(0, 1)).toString("utf8");
  }

  /** All that was kept. A character that was cut in half becomes a replacement character. */
  end(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
