/** The files below a folder. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Entries looked at before a walk gives up. */
export const WALK_LIMIT_ENTRIES = 200_000;
/** Folders that nobody means, unless they are named. */
const UNMEANT: readonly string[] = [".git", "node_modules"];

/** What a walk found. */
export interface Walk {
  /** Paths below the folder with slashes, sorted by name. */
  readonly files: readonly string[];
  /** There was more than the limit. */
  readonly cut: boolean;
}

/** Lists files, links to files included; folders behind links are not entered, since they may lead back. */
export async function walk(root: string, { named = "", signal }: { readonly named?: string; readonly signal: AbortSignal }): Promise<Walk> {
  const hidden = /(?:^|[/{,])\.[^./]/.test(named);
  const skipped = UNMEANT.filter((name) => !named.includes(name));
  const files: string[] = [];
  const pending = [""];
  let seen = 0;
  while (pending.length > 0 && seen < WALK_LIMIT_ENTRIES) {
    signal.throwIfAborted();
    const folder = pending.pop() ?? "";
    for (const entry of await entriesOf(join(root, folder))) {
      seen += 1;
      if (entry.name.startsWith(".") && !hidden) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) files.push(path);
      else if (!skipped.includes(entry.name)) pending.push(path);
    }
  }
  return { files: files.sort(), cut: pending.length > 0 };
}

/** A folder that can't be read has no entries for us. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
