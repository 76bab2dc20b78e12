/** Reading what a session laid out: on from a place, or back from the end. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parseJson } from "../lib/json.ts";
import { PLACES } from "./places.ts";
import { readLine, type DeskLine } from "./records.ts";

/** Whole lines as they stand in the file, where they begin, and where the next ones will. */
export interface LinesPiece {
  readonly bytes: Buffer;
  readonly start: number;
  readonly next: number;
}

/** The same, read. */
export interface LinesPart extends Omit<LinesPiece, "bytes"> {
  readonly lines: readonly DeskLine[];
}

/** How much of the end is looked at. */
export interface TailSize {
  /** At least the lines behind this number; 0: no line in particular. */
  readonly after?: number;
  /** Bytes from the end that the first look takes. */
  readonly firstBytes?: number;
}

/** Bytes that are read at once; a longer line is read whole all the same. */
const CHUNK_BYTES = 1_048_576;
/** Bytes from the end that a look takes at the most, but for one long line or where older lines are asked for. */
const TAIL_BYTES = 524_288;
/** Lines that a look brings where they are short: more than a screen has room for. */
const LEAST_LINES = 100;

/** Lines of a session from a place in its file; an unfinished line waits. */
export function readLines(desk: string, id: string, from: number): LinesPart {
  return parsed(readPiece(desk, id, from));
}

/** The last lines of a session: at least those behind a number, where one is given. */
export function readTail(desk: string, id: string, size: TailSize = {}): LinesPart {
  return parsed(readTailPiece(desk, id, size));
}

/** As `readLines`, unread: for somebody who reads them elsewhere. */
export function readPiece(desk: string, id: string, from: number): LinesPiece {
  return withFile(desk, id, from, (read, size) => {
    for (let bytes = CHUNK_BYTES; ; bytes *= 2) {
      const chunk = read(from, Math.min(size - from, bytes));
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0 || from + bytes >= size) return { bytes: chunk.subarray(0, end), start: from, next: from + end };
    }
  });
}

/** As `readTail`, unread. */
export function readTailPiece(desk: string, id: string, { after = 0, firstBytes = TAIL_BYTES }: TailSize = {}): LinesPiece {
  return withFile(desk, id, 0, (read, size) => {
    for (let bytes = firstBytes; ; bytes *= 4) {
      const from = Math.max(0, size - bytes);
      const chunk = read(from, size - from);
      const begin = from === 0 ? 0 : chunk.indexOf(NEWLINE) + 1;
      const piece = chunk.subarray(begin, chunk.lastIndexOf(NEWLINE) + 1);
      const isEnough = after === 0 ? piece.length > 0 && (bytes >= TAIL_BYTES || hasLines(piece, LEAST_LINES)) : firstNumber(piece) <= after + 1;
      if (from === 0 || isEnough) return { bytes: piece, start: from + begin, next: from + begin + piece.length };
    }
  });
}

function hasLines(bytes: Buffer, count: number): boolean {
  let at = -1;
  for (let found = 0; found < count; found += 1) if ((at = bytes.indexOf(NEWLINE, at + 1)) < 0) return false;
  return true;
}

function firstNumber(bytes: Buffer): number {
  return parse(bytes.subarray(0, bytes.indexOf(NEWLINE) + 1))[0]?.seq ?? Infinity;
}

/** Where a session's lines end now. */
export function endOfLines(desk: string, id: string): number {
  return withFile(desk, id, 0, (_read, size) => ({ bytes: NONE, start: size, next: size })).next;
}

const NEWLINE = 0x0a;
const NONE = Buffer.alloc(0);

type Read = (from: number, length: number) => Buffer;

function withFile(desk: string, id: string, from: number, work: (read: Read, size: number) => LinesPiece): LinesPiece {
  const file = openIfThere(PLACES.lines(PLACES.session(desk, id)));
  if (file === undefined) return { bytes: NONE, start: from, next: from };
  try {
    const { size } = fstatSync(file);
    if (size <= from) return { bytes: NONE, start: from, next: from };
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

function parsed({ bytes, start, next }: LinesPiece): LinesPart {
  return { lines: parse(bytes), start, next };
}

function parse(bytes: Buffer): readonly DeskLine[] {
  return bytes
    .toString("utf8")
    .split("\n")
    .flatMap((line) => readLine(parseJson(line)) ?? []);
}
