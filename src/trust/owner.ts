/** Who else could change a file: its owner and mode, and those of the folders above it. */
import { statSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { isInside } from "../lib/inside.ts";

/** Why a file is not safe to run although its content is known; null when it is. Root and this user may own it, nobody else may write it.
 * Paths in `checked` were found safe before. */
export function unsafeBecause(
  real: string,
  { upTo, user, checked }: { readonly upTo: string; readonly user: number | undefined; readonly checked: Set<string> },
): string | null {
  if (user === undefined) return null;
  const folders: string[] = [];
  for (let folder = dirname(real); folders.length === 0 || isInside(folder, upTo); folder = dirname(folder)) {
    folders.push(folder);
    if (folder === upTo || folder === dirname(folder)) break;
  }
  for (const path of [real, ...folders].filter((each) => !checked.has(each))) {
    const reason = unsafeHere(path, { isFile: path === real, user });
    if (reason !== null) return reason;
    checked.add(path);
  }
  return null;
}

const STICKY = 0o1000;
const OTHERS_WRITE = 0o002;

function unsafeHere(path: string, { isFile, user }: { isFile: boolean; user: number }): string | null {
  const stat: Stats | undefined = statSync(path, { throwIfNoEntry: false });
  if (!stat) return null;
  if (stat.uid !== user && stat.uid !== 0) return `${path} belongs to another user (${stat.uid})`;
  const sticky = !isFile && (stat.mode & STICKY) !== 0;
  return (stat.mode & OTHERS_WRITE) !== 0 && !sticky ? `${path} can be written by everyone; chmod o-w it` : null;
}
