/** A file that stands in for stdin: written once, gone from its folder at once, shared by all who are given the same text meanwhile. */
import { randomUUID } from "node:crypto";
import { constants, openSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { closeQuietly } from "./close-quietly.ts";
import { messageOf } from "./errors.ts";

/** An open file without a name. A pipe of Node is a socket, which `/dev/stdin` can't open; this is a file all the same [F9]. */
export interface StdinFile {
  /** Where another process can open it; only Linux has such a place. */
  readonly path: string;
  /** A descriptor that reads from the beginning; whoever takes it closes it. */
  reader(): number;
  close(): void;
}

interface Shared {
  readonly tempDir: string;
  readonly text: string;
  readonly fd: number;
  users: number;
  /** Nobody uses it: it is closed in the next turn of the event loop if nobody has come for it by then. */
  lingering?: NodeJS.Immediate;
}

/** What is open. A list: a map would read a text of many megabytes to its end, even to find that it is the same one. */
const shared: Shared[] = [];

/** Stdin could not be written. */
export class StdinUnwritten extends Error {}

/** A file with the text, or the one that holds the same text already; written when the first wants to read it. */
export function stdinFile(text: string, tempDir: string): StdinFile {
  return process.platform === "linux" ? new LazyFile(text, tempDir) : ownFile(text, tempDir);
}

class LazyFile implements StdinFile {
  readonly #text: string;
  readonly #tempDir: string;
  #file: Shared | undefined;

  constructor(text: string, tempDir: string) {
    this.#text = text;
    this.#tempDir = tempDir;
  }

  get path(): string {
    return `/proc/${process.pid}/fd/${this.#open().fd}`;
  }

  reader(): number {
    return openSync(`/proc/self/fd/${this.#open().fd}`, "r");
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined || --file.users > 0) return;
    // Hooks of one event often run one after another, and whoever waits for the end of this one should have it first.
    file.lingering = setImmediate(discard, file);
  }

  #open(): Shared {
    if (this.#file) return this.#file;
    const file = shared.find((each) => each.text === this.#text && each.tempDir === this.#tempDir) ?? sharedFile(this.#text, this.#tempDir);
    file.users++;
    clearImmediate(file.lingering);
    return (this.#file = file);
  }
}

function sharedFile(text: string, tempDir: string): Shared {
  const file: Shared = { tempDir, text, fd: written(() => unnamedFile(text, tempDir)), users: 0 };
  shared.push(file);
  return file;
}

function written<File>(write: () => File): File {
  try {
    return write();
  } catch (error) {
    throw new StdinUnwritten(`stdin could not be prepared: ${messageOf(error)}`);
  }
}

function discard(file: Shared): void {
  shared.splice(shared.indexOf(file), 1);
  closeQuietly(file.fd);
}

/** Makes a file without a name. Read-only by its mode: programs that share it can't write into each other's input by mistake. */
export function unnamedFile(content: string | Uint8Array, tempDir: string): number {
  const small = content.length <= LONGEST_IN_MEMORY ? fileInMemory(content) : undefined;
  if (small !== undefined) return small;
  const path = pathIn(tempDir);
  const fd = openSync(path, "wx", 0o400);
  try {
    unlinkSync(path);
    if (typeof content === "string") writeText(fd, content);
    else writeFileSync(fd, content);
    return fd;
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
}

/** Files without a name, one for each content, as descriptors that read from the beginning; whoever takes them closes them. Linux only. */
export function unnamedFiles(contents: readonly Uint8Array[], tempDir: string): readonly number[] {
  const readers: number[] = [];
  try {
    for (const content of contents) {
      const fd = unnamedFile(content, tempDir);
      try {
        readers.push(openSync(`/proc/self/fd/${fd}`, "r"));
      } finally {
        closeQuietly(fd);
      }
    }
    return readers;
  } catch (error) {
    for (const fd of readers) closeQuietly(fd);
    throw error;
  }
}

/** Units of a text that are encoded at a time: what is encoded in pieces stays in the processor's cache, and no second copy of all is made. */
const PIECE_UNITS = 65_536;
/** The most bytes that one unit can become. */
const MOST_UNIT_BYTES = 3;

function writeText(fd: number, text: string): void {
  const bytes = Buffer.allocUnsafe(PIECE_UNITS * MOST_UNIT_BYTES);
  for (let from = 0; from < text.length;) {
    const to = pieceEnd(text, from + PIECE_UNITS);
    const size = bytes.write(text.slice(from, to), 0, "utf8");
    for (let at = 0; at < size;) at += writeSync(fd, bytes, at, size - at);
    from = to;
  }
}

/** A pair of units that makes one character stays together. */
function pieceEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** Most events are smaller than this; larger ones may be many at once, and memory is not theirs. */
const LONGEST_IN_MEMORY = 65_536;
const MEMORY_FOLDER = "/dev/shm";
/** Opens a file that never has a name, of Linux: `O_TMPFILE`. */
const TEMPORARY = 0o20_200_000;

/** A file in memory costs a tenth of one on a disk. Undefined: there is no such place, or no room. */
function fileInMemory(content: string | Uint8Array): number | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(MEMORY_FOLDER, TEMPORARY | constants.O_WRONLY, 0o400);
    writeFileSync(fd, content);
    return fd;
  } catch {
    if (fd !== undefined) closeQuietly(fd);
    return undefined;
  }
}

/** Where a descriptor can't be opened anew, each program gets a file of its own. */
function ownFile(text: string, tempDir: string): StdinFile {
  const path = pathIn(tempDir);
  const reader = (): number =>
    written(() => {
      writeFileSync(path, text, { mode: 0o600, flag: "wx" });
      try {
        return openSync(path, "r");
      } finally {
        unlinkSync(path);
      }
    });
  return { path, reader, close: () => {} };
}

function pathIn(tempDir: string): string {
  return join(tempDir, `snaphook-${randomUUID()}`);
}
