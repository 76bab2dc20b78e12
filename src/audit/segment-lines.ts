/** The lines of a segment file, as bytes, with their places. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** One line of a segment, without its line end. */
export interface SegmentLine {
  readonly bytes: Buffer;
  /** Where it begins. */
  readonly offset: number;
  /** Where the next one begins. */
  readonly end: number;
  /** False: the file ends in it. */
  readonly whole: boolean;
}

const CHUNK_BYTES = 1 << 20;

/** Reads a file line by line from an offset to where it ended when the reading began. The bytes of a line hold until the next one is asked for. */
export function* segmentLines(path: string, offset = 0): Generator<SegmentLine> {
  const file = openSync(path, "r");
  try {
    const size = fstatSync(file).size;
    let position = offset;
    let rest: Buffer = Buffer.alloc(0);
    let start = offset;
    while (position < size) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
      const read = readSync(file, chunk, 0, chunk.length, position);
      if (read === 0) break;
      position += read;
      const text = rest.length === 0 ? chunk.subarray(0, read) : Buffer.concat([rest, chunk.subarray(0, read)]);
      let from = 0;
      for (let newline = text.indexOf(10); newline >= 0; newline = text.indexOf(10, from)) {
        const end = start + (newline - from) + 1;
        yield { bytes: text.subarray(from, newline), offset: start, end, whole: true };
        start = end;
        from = newline + 1;
      }
      rest = text.subarray(from);
    }
    if (rest.length > 0) yield { bytes: rest, offset: start, end: start + rest.length, whole: false };
  } finally {
    closeSync(file);
  }
}
