/** Reading what a session laid out: on from a place, or back from the end. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parseJson } from "../lib/json.ts";
import { PLACES } from "./places.ts";
import { readLine, type DeskLine } from "./records.ts";

/** Lines, where they begin in the file, and where the next ones will. */
export interface LinesPart {
  readonly lines: readonly DeskLine[];
  readonly start: number;
  readonly next: number;
}

/** Bytes that are read at once; a longer line is read whole all the same. */
const CHUNK_BYTES = 1_048_576;
/** Bytes from the end that a first look takes. */
const TAIL_BYTES = 524_288;

/** Lines of a session from a place in its file; an unfinished line waits. */
export function readLines(desk: string, id: string, from: number): LinesPart {
  return withFile(desk, id, from, (read, size) => {
    for (let bytes = CHUNK_BYTES; ; bytes *= 2) {
      const chunk = read(from, Math.min(size - from, bytes));
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0 || from + bytes >= size) return { lines: parse(chunk.subarray(0, end)), start: from, next: from + end };
    }
  });
}

/** The last lines of a session: at least those behind a number, where one is given. */
export function readTail(desk: string, id: string, after = 0): LinesPart {
  return withFile(desk, id, 0, (read, size) => {
    for (let bytes = TAIL_BYTES; ; bytes *= 4) {
      const from = Math.max(0, size - bytes);
      const chunk = read(from, size - from);
      const begin = from === 0 ? 0 : chunk.indexOf(NEWLINE) + 1;
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      const lines = parse(chunk.subarray(begin, end));
      const [first] = lines;
      if (from === 0 || (first && (after === 0 || first.seq <= after + 1)))
        return { lines: lines.filter(({ seq }) => seq > after), start: from + begin, next: from + end };
    }
  });
}

/** Where a session's lines end now. */
export function endOfLines(desk: string, id: string): number {
  return withFile(desk, id, 0, (_read, size) => ({ lines: [], start: size, next: size })).next;
}

const NEWLINE = 0x0a;

type Read = (from: number, length: number) => Buffer;

function withFile(desk: string, id: string, from: number, work: (read: Read, size: number) => LinesPart): LinesPart {
  const file = openIfThere(PLACES.lines(PLACES.session(desk, id)));
  if (file === undefined) return { lines: [], start: from, next: from };
  try {
    const { size } = fstatSync(file);
    if (size <= from) return { lines: [], start: from, next: from };
    return work((start, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, start));
    }, size);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}

function parse(bytes: Buffer): readonly DeskLine[] {
  return bytes
    .toString("utf8")
    .split("\n")
    .flatMap((line) => readLine(parseJson(line)) ?? []);
}
