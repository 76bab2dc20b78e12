/** Managed settings have authority only while nobody but their owner could have written them. */
import { statSync } from "node:fs";
import { dirname } from "node:path";

/** Where managed settings stand and who must own them. */
export interface ManagedPlace {
  /** The folder in which `etc` is looked for. */
  readonly root: string;
  /** The number of the user who must own files and folders. */
  readonly owner: number;
}

/** Root's, below `/`. */
export const SYSTEM_PLACE: ManagedPlace = { root: "/", owner: 0 };

/** Why a managed file can't have authority; null when it can. Looks at the file and at every folder up to the place's root. */
export function managedRefusal(path: string, { root, owner }: ManagedPlace): string | null {
  if (process.geteuid === undefined) return null;
  for (let at = path; ; at = dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (stat && stat.uid !== owner) return `${at} belongs to user ${stat.uid}, not ${owner === 0 ? "to root" : `to user ${owner}`}`;
    if (stat && (stat.mode & 0o022) !== 0) return `${at} can be written by others (mode ${(stat.mode & 0o777).toString(8)}; chmod go-w it)`;
    if (at === root || at === dirname(at)) return null;
  }
}
