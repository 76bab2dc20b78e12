/** The way to a file: folders and links above it, through which another file can come to stand at its path. */
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { isInside } from "../lib/inside.ts";
import { isSame, type Identity } from "./files.ts";

/** Every folder and link on the way to these files, from the ground that they lie in; of a file elsewhere, its own folder. */
export function wayTo(found: ReadonlyMap<string, { readonly real: string }>, grounds: readonly string[]): readonly string[] {
  const way = new Set<string>();
  for (const [name, { real }] of found) {
    if (name !== real) way.add(name);
    for (const path of name === real ? [real] : [name, real]) {
      const within = grounds.filter((ground) => isInside(path, ground));
      let folder = dirname(path);
      way.add(folder);
      for (; within.some((ground) => folder !== ground && isInside(folder, ground)); folder = dirname(folder)) way.add(folder);
      if (within.length > 0) way.add(folder);
    }
  }
  return [...way];
}

/** What stands there now, links not followed. */
export function placesOn(way: readonly string[]): readonly (Identity | undefined)[] {
  return way.map(placeAt);
}

/** The first on the way that is another than it was, or was moved; undefined when none is. */
export function movedOn(way: readonly string[], before: readonly (Identity | undefined)[]): string | undefined {
  return way.find((path, index) => !isSamePlace(before[index], placeAt(path)));
}

function placeAt(path: string): Identity | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const KIND = 0o170_000;
const FOLDER = 0o040_000;

/** What comes and goes in a folder changes both of its times; when the folder itself was moved, only the second. */
function isSamePlace(before: Identity | undefined, after: Identity | undefined): boolean {
  if (!before || !after || (before.mode & KIND) !== FOLDER) return isSame(before, after);
  const { mtimeMs, size } = after;
  return isSame(before.mtimeMs === mtimeMs ? before : { ...before, mtimeMs, size, ctimeMs: after.ctimeMs }, after);
}
