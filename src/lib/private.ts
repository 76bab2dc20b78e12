/** Files and folders that belong to one user alone. */
import { mkdirSync, statSync, type Stats } from "node:fs";

/** Permission bits of group and others. */
const OTHERS = 0o077;

/** Why a file or folder is not this user's alone; null when it is. Where there are no users, everything is. */
export function notPrivate(path: string, { uid, mode }: Stats): string | null {
  const user = process.geteuid?.();
  if (user === undefined) return null;
  if (uid !== user) return `${path} belongs to another user (${uid})`;
  return (mode & OTHERS) === 0 ? null : `${path} is open to others (mode ${(mode & 0o777).toString(8)}; chmod go= it)`;
}

/** Makes a folder that its user alone may enter where there is none. Returns why the one that is there is not such a folder, or null. */
export function makePrivate(folder: string): string | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return notPrivate(folder, statSync(folder));
}
