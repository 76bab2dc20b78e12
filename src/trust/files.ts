/** The bytes of files, hashed once and looked at again by their identity. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync, type BigIntStats } from "node:fs";
import { messageOf } from "../lib/errors.ts";

/** A file above this is not hashed, and what names it is refused. */
export const FILE_LIMIT_BYTES = 64 * 1024 * 1024;

/** So much of a text is looked into for the files that it names in turn, and kept for review. */
export const TEXT_LIMIT_BYTES = 256 * 1024;

/** What is at a path. */
export type Seen =
  | { readonly kind: "file"; readonly real: string; readonly sha256: string; readonly size: number; readonly text: string | null; readonly identity: string }
  | { readonly kind: "folder"; readonly real: string; readonly identity: string }
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly real: string; readonly reason: string };

/** Which file stands at a path, and whether it was touched: links followed, nothing read. Undefined: there is none. */
export function identityOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat && identityText(stat);
  } catch {
    return undefined;
  }
}

function identityText({ dev, ino, size, mtimeNs, ctimeNs, mode, uid }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs} ${mode} ${uid}`;
}

/** A file touched less than this ago may be touched again without its times telling. */
const SETTLED_NS = 2_000_000_000n;

/** Reads files, and remembers those that have settled. */
export class FileReader {
  readonly #known = new Map<string, Seen & { readonly kind: "file" }>();

  /** What is at an absolute path, links followed. */
  see(path: string): Seen {
    let real: string;
    try {
      real = realpathSync(path);
    } catch {
      return { kind: "absent" };
    }
    try {
      const stat = statSync(real, { bigint: true });
      if (stat.isDirectory()) return { kind: "folder", real, identity: identityText(stat) };
      if (!stat.isFile()) return { kind: "refused", real, reason: `${real} is no plain file` };
      const known = this.#known.get(real);
      if (known?.identity === identityText(stat)) return known;
      const read = readWhole(real);
      if (read.kind === "file" && isSettled(stat)) this.#known.set(real, read);
      else this.#known.delete(real);
      return read;
    } catch (error) {
      return { kind: "refused", real, reason: `${real} can't be read: ${messageOf(error)}` };
    }
  }
}

/** Whether a later change must show in the times of the file. */
function isSettled({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const now = BigInt(Date.now()) * 1_000_000n;
  return now - (mtimeNs > ctimeNs ? mtimeNs : ctimeNs) > SETTLED_NS;
}

const CHUNK_BYTES = 256 * 1024;
const ATTEMPTS = 3;

/** Opened once: what is hashed is what was looked at, and a file that is written meanwhile is read again. */
function readWhole(real: string): Seen {
  const file = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = fstatSync(file, { bigint: true });
      if (!before.isFile()) return { kind: "refused", real, reason: `${real} is no plain file` };
      if (before.size > BigInt(FILE_LIMIT_BYTES)) return { kind: "refused", real, reason: `${real} is larger than ${FILE_LIMIT_BYTES / 1_048_576} MiB` };
      const { sha256, size, head } = digest(file);
      const identity = identityText(before);
      if (identityText(fstatSync(file, { bigint: true })) !== identity) continue;
      return { kind: "file", real, sha256, size, text: size <= TEXT_LIMIT_BYTES && !head.includes(0) ? head.toString("utf8") : null, identity };
    }
    return { kind: "refused", real, reason: `${real} is being written` };
  } finally {
    closeSync(file);
  }
}

function digest(file: number): { readonly sha256: string; readonly size: number; readonly head: Buffer } {
  const hash = createHash("sha256");
  const head: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(file, chunk, 0, CHUNK_BYTES, size);
    if (length === 0) break;
    const part = chunk.subarray(0, length);
    hash.update(part);
    if (size < TEXT_LIMIT_BYTES) head.push(part);
    size += length;
  }
  return { sha256: hash.digest("hex"), size, head: Buffer.concat(head) };
}
