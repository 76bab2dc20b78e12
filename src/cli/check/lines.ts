import { open, type FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { messageOf } from "../../lib/errors.ts";
import { SnaphookError } from "../../model/errors.ts";
import type { Surface } from "../command.ts";

/** The lines of a file as they are read, `-` for stdin: a long file is never held whole. */
export async function* linesOf(file: string, surface: Surface): AsyncGenerator<string, void> {
  if (file === "-") {
    yield* surface.lines();
    return;
  }
  const handle = await openFile(resolve(surface.cwd, file));
  try {
    yield* handle.readLines();
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  const refuse = (why: string): never => {
    throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${path} can't be read: ${why}` });
  };
  const handle = await open(path).catch((error: unknown) => refuse(messageOf(error)));
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  return refuse("it is a folder");
}
