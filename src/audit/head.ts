/** The head of a lane: a small file, written in place, that says how far the lane has come. What is cut off behind it is missed. */
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parseJson } from "../lib/json.ts";
import { GENESIS } from "./chain.ts";
import { FILE_MODE, headName } from "./files.ts";

const HeadShape = v.strictObject({
  lane: v.number(),
  segment: v.number(),
  seq: v.number(),
  /** Bytes of the segment up to and with that record. */
  bytes: v.number(),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Whether its writer ended in good order. */
  closed: v.boolean(),
});

/** How far a lane has come. */
export type Head = v.InferOutput<typeof HeadShape>;

/** Always the same length, so that a write replaces all of it. */
const HEAD_BYTES = 192;
const OPEN_OR_CREATE = constants.O_WRONLY | constants.O_CREAT;

/** The head of a lane without records. */
export function firstHead(lane: number): Head {
  return { lane, segment: 0, seq: 0, bytes: 0, hash: GENESIS, closed: false };
}

/** A head file that is open for writing. */
export class HeadFile {
  readonly #file: number;

  constructor(folder: string, lane: number) {
    this.#file = openSync(join(folder, headName(lane)), OPEN_OR_CREATE, FILE_MODE);
  }

  write(head: Head): void {
    writeSync(this.#file, `${JSON.stringify(head).padEnd(HEAD_BYTES - 1)}\n`, 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Reads a head. A reader may come between two writes: what can't be read is looked at again. */
export function readHead(folder: string, lane: number): Head | null {
  for (let attempt = 0; attempt < 3; attempt++) {
    const head = tryRead(folder, lane);
    if (head) return head;
  }
  return null;
}

function tryRead(folder: string, lane: number): Head | null {
  try {
    const text = readFileSync(join(folder, headName(lane)), "utf8");
    const parsed = v.safeParse(HeadShape, parseJson(text));
    // Nothing but what `write` writes: a head is as strict as a record.
    return parsed.success && text === `${JSON.stringify(parsed.output).padEnd(HEAD_BYTES - 1)}\n` && parsed.output.lane === lane ? parsed.output : null;
  } catch {
    return null;
  }
}
