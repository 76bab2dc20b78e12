/** The hash chain: one line a record, and each hash covers the line and the hash before it. */
import { hash } from "node:crypto";

/** Length of a hash in hexadecimal digits. */
export const HASH_LENGTH = 64;

/** What stands before the first record of a lane. */
export const GENESIS = "0".repeat(HASH_LENGTH);

const HASH_KEY = ',"hash":"';
const LINE_END = '"}\n';
/** Bytes of a line behind what is hashed. */
const SEAL_BYTES = HASH_KEY.length + HASH_LENGTH + LINE_END.length;
const FIRST_BYTES = 16_384;
/** The most bytes that one unit of a text can become. */
const MOST_UNIT_BYTES = 3;
const COMMA = 0x2c;
/** Where a line begins in its pen's bytes. */
export const LINE_BEGINS = HASH_LENGTH;

/** Where a chain stands: the number and hash of its last record. */
export interface ChainState {
  readonly seq: number;
  readonly hash: string;
}

/** Makes lines of one chain. The bytes it hands out hold until the next call. */
export class ChainPen {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #seq: number;
  #hash: string;

  constructor({ seq, hash: last }: ChainState) {
    this.#seq = seq;
    this.#hash = last;
  }

  get seq(): number {
    return this.#seq;
  }

  get hash(): string {
    return this.#hash;
  }

  /** Goes back by one line: it could not be written. */
  undo(before: string): void {
    this.#seq -= 1;
    this.#hash = before;
  }

  /**
   * Writes the next line, sealed: its number, then `first`, the text of a few plain entries, then those of `object`, the text of a JSON
   * object. Returns where the line ends in `bytes`; it begins at `LINE_BEGINS`.
   */
  line(first: string, object: string): number {
    const head = `${this.#hash}{"seq":${this.#seq + 1}${first === "" ? "" : ","}${first}`;
    this.#makeRoom(head.length + object.length * MOST_UNIT_BYTES + SEAL_BYTES);
    const buffer = this.#buffer;
    // The hash before stands in front of the line: what is hashed lies in one piece. The object's own braces become a comma, and nothing.
    let end = buffer.write(head + object, 0, "utf8") - 1;
    if (end === head.length + 1) end = head.length;
    else buffer[head.length] = COMMA;
    this.#hash = hash("sha256", buffer.subarray(0, end), "hex");
    this.#seq += 1;
    return end + buffer.write(HASH_KEY + this.#hash + LINE_END, end, "latin1");
  }

  /** What the lines are written in. */
  get bytes(): Buffer {
    return this.#buffer;
  }

  #makeRoom(bytes: number): void {
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(bytes * 2);
  }
}

/** What is wrong with a line at its place in the chain. */
export type ChainFault =
  | { readonly kind: "altered" }
  | { readonly kind: "out-of-order"; readonly seq: number }
  | { readonly kind: "torn" }
  | { readonly kind: "no-record" };

/** Checks one line, without its line end, against the state before it. */
export function checkLine(line: Buffer, before: ChainState): ChainState | ChainFault {
  const sealed = line.length - (SEAL_BYTES - 1);
  const head = `{"seq":${before.seq + 1},`;
  if (sealed < head.length || line.toString("latin1", sealed, sealed + HASH_KEY.length) !== HASH_KEY || line.toString("latin1", line.length - 2) !== '"}')
    return { kind: "no-record" };
  const stored = line.toString("latin1", sealed + HASH_KEY.length, line.length - 2);
  if (line.toString("latin1", 0, head.length) !== head) {
    const seq = /^\{"seq":(\d{1,15}),/.exec(line.toString("latin1", 0, 32))?.[1];
    return seq === undefined || Number(seq) === before.seq + 1 ? { kind: "altered" } : { kind: "out-of-order", seq: Number(seq) };
  }
  const computed = hash("sha256", Buffer.concat([Buffer.from(before.hash, "latin1"), line.subarray(0, sealed)]), "hex");
  return computed === stored ? { seq: before.seq + 1, hash: computed } : { kind: "altered" };
}

/** Whether a check found a fault. */
export function isChainFault(checked: ChainState | ChainFault): checked is ChainFault {
  return "kind" in checked;
}
