/** A file that stands in for stdin: written once, gone from its folder at once, shared by all who are given the same text meanwhile. */
import { randomUUID } from "node:crypto";
import { constants, openSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeQuietly } from "./close-quietly.ts";

/** An open file without a name. A pipe of Node is a socket, which `/dev/stdin` can't open; this is a file all the same [F9]. */
export interface StdinFile {
  /** Where another process can open it; only Linux has such a place. */
  readonly path: string;
  /** A descriptor that reads from the beginning; whoever takes it closes it. */
  reader(): number;
  close(): void;
}

interface Shared {
  readonly fd: number;
  users: number;
}

/** What is open, by folder and text. */
const shelves = new Map<string, Map<string, Shared>>();

/** Writes the text, or takes the file that holds the same text already. */
export function openStdin(text: string, tempDir: string): StdinFile {
  if (process.platform !== "linux") return ownFile(text, tempDir);
  const shelf = shelves.get(tempDir) ?? new Map<string, Shared>();
  const shared = shelf.get(text) ?? { fd: unnamedFile(text, tempDir), users: 0 };
  shelves.set(tempDir, shelf.set(text, shared));
  shared.users++;
  return {
    path: `/proc/${process.pid}/fd/${shared.fd}`,
    reader: () => openSync(`/proc/self/fd/${shared.fd}`, "r"),
    close: () => {
      shared.users--;
      if (shared.users > 0) return;
      shelf.delete(text);
      if (shelf.size === 0) shelves.delete(tempDir);
      closeQuietly(shared.fd);
    },
  };
}

/** Makes a file without a name. Read-only by its mode: programs that share it can't write into each other's input by mistake. */
export function unnamedFile(content: string | Uint8Array, tempDir: string): number {
  const small = content.length <= LONGEST_IN_MEMORY ? fileInMemory(content) : undefined;
  if (small !== undefined) return small;
  const path = pathIn(tempDir);
  const fd = openSync(path, "wx", 0o400);
  try {
    unlinkSync(path);
    writeFileSync(fd, content);
    return fd;
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
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
  writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  try {
    const fd = openSync(path, "r");
    return { path, reader: () => fd, close: () => {} };
  } finally {
    unlinkSync(path);
  }
}

function pathIn(tempDir: string): string {
  return join(tempDir, `snaphook-${randomUUID()}`);
}
