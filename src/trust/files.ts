/** The bytes of files, hashed once and looked at again by their identity. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { messageOf } from "../lib/errors.ts";

/** A file above this is not hashed, and what names it is refused. */
export const FILE_LIMIT_BYTES = 64 * 1024 * 1024;

/** So much of a text is looked into for the files that it names in turn, and kept for review. */
export const TEXT_LIMIT_BYTES = 256 * 1024;

/** What is at a path. */
export type Seen =
  | { readonly kind: "file"; readonly real: string; readonly sha256: string; readonly size: number; readonly text: string | null; readonly identity: Identity }
  | { readonly kind: "folder"; readonly real: string; readonly identity: Identity }
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly real: string; readonly reason: string };

/** Which file stands at a path, and whether it was touched. Times in milliseconds, with their fractions. */
export interface Identity {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly mode: number;
  readonly uid: number;
}

/** The identity of what is at a path, links followed, nothing read. Undefined: there is nothing. */
export function identityOf(path: string): Identity | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether two identities are the same. */
export function isSame(left: Identity | undefined, right: Identity | undefined): boolean {
  if (!left || !right) return left === right;
  return (
    left.ino === right.ino &&
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs &&
    left.size === right.size &&
    left.dev === right.dev &&
    left.mode === right.mode &&
    left.uid === right.uid
  );
}

/** A file touched less than this before it is read may be touched again without its times telling. */
const SETTLED_MS = 2_000;

/** Whether a later change must show in the times of a file. */
export function isSettled({ mtimeMs, ctimeMs }: Identity): boolean {
  return Date.now() - Math.max(mtimeMs, ctimeMs) > SETTLED_MS;
}

/** Reads files, and remembers those that have settled. */
export class FileReader {
  readonly #known = new Map<string, Seen & { readonly kind: "file" }>();

  /** What is at an absolute path, links followed. */
  see(path: string): Seen {
    try {
      // Asked first, since a missing file is the usual case and an exception is dear.
      const stat = statSync(path, { throwIfNoEntry: false });
      if (!stat) return { kind: "absent" };
      const real = realpathSync.native(path);
      if (stat.isDirectory()) return { kind: "folder", real, identity: stat };
      if (!stat.isFile()) return { kind: "refused", real, reason: `${real} is no plain file` };
      const known = this.#known.get(real);
      if (known && isSame(known.identity, stat)) return known;
      const read = readWhole(real);
      if (read.kind === "file" && isSettled(read.identity)) this.#known.set(real, read);
      else this.#known.delete(real);
      return read;
    } catch (error) {
      return { kind: "refused", real: path, reason: `${path} can't be read: ${messageOf(error)}` };
    }
  }
}

const CHUNK_BYTES = 256 * 1024;
const ATTEMPTS = 3;

/** Opened once: what is hashed is what was looked at, and a file that is written meanwhile is read again. */
function readWhole(real: string): Seen {
  const file = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = fstatSync(file);
      if (!before.isFile()) return { kind: "refused", real, reason: `${real} is no plain file` };
      if (before.size > FILE_LIMIT_BYTES) return { kind: "refused", real, reason: `${real} is larger than ${FILE_LIMIT_BYTES / 1_048_576} MiB` };
      const { sha256, size, head } = digest(file, before.size);
      if (!isSame(before, fstatSync(file))) continue;
      return { kind: "file", real, sha256, size, text: size <= TEXT_LIMIT_BYTES && !head.includes(0) ? head.toString("utf8") : null, identity: before };
    }
    return { kind: "refused", real, reason: `${real} is being written` };
  } finally {
    closeSync(file);
  }
}

function digest(file: number, expected: number): { readonly sha256: string; readonly size: number; readonly head: Buffer } {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.min(expected + 1, CHUNK_BYTES));
  const head: Buffer[] = [];
  let size = 0;
  for (;;) {
    const length = readSync(file, chunk, 0, chunk.length, size);
    if (length === 0) break;
    const part = chunk.subarray(0, length);
    hash.update(part);
    if (size < TEXT_LIMIT_BYTES) head.push(Buffer.from(part));
    size += length;
  }
  return { sha256: hash.digest("hex"), size, head: Buffer.concat(head) };
}
