/**
 * Files with known bytes in a sandbox. A mount over a file is not enough: whoever renames another file to its path outside takes the mount away
 * inside. So the folders on the way to it are made anew in memory, with everything else in them bound to its place.
 */
import { readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isInside } from "./inside.ts";

/** A file whose bytes are known. */
export interface KnownFile {
  /** Its real path. */
  readonly path: string;
  /** Paths that lead to it by a link. */
  readonly links: readonly string[];
  readonly mode: number;
  readonly bytes: Uint8Array;
}

/** Where known files are put. */
export interface FileView {
  /** Folders that the sandbox shows as they are. */
  readonly folders: readonly string[];
  /** Whether the sandbox shows a path outside of them. */
  readonly shows: (path: string) => boolean;
  /** Whether the folders on the way may be made anew: they then stay as they are for whoever runs in it. */
  readonly rebuild: boolean;
  /** The number of the first descriptor. */
  readonly firstDescriptor: number;
}

/** How bubblewrap puts known files where they belong. */
export interface FilePlan {
  readonly args: readonly string[];
  /** What the descriptors hold that the arguments name, in their order. */
  readonly contents: readonly Uint8Array[];
  /** Whether nothing that is moved outside, within the folders, can put another file in a known one's place. */
  readonly sealed: boolean;
}

/** Entries of folders that are bound one by one: each takes bubblewrap a third of a millisecond. */
const BOUND_LIMIT = 32;

/** The plan for some files; a text says which of them is not where it was. */
export function planFiles(files: readonly KnownFile[], view: FileView): FilePlan | string {
  const spots = new Map<string, KnownFile>();
  for (const file of files) {
    const places = placesOf(file.path, view.folders);
    for (const place of places.length === 0 && view.shows(file.path) ? [file.path] : places) spots.set(place, file);
  }
  const links = files.flatMap(({ path, links: names }) =>
    names.flatMap((name) => placesOf(name, view.folders).flatMap((place) => (spots.has(place) ? [] : linkOn(place, { file: path, folders: view.folders })))),
  );
  const astray = links.find(({ leads }) => leads === "elsewhere");
  if (astray) return `${astray.path} leads elsewhere than before`;
  const { rebuilt, whole } = foldersToRebuild([...spots.keys(), ...links.map(({ path }) => path)], view);
  const folders = folderArgs(rebuilt, { spots, links });
  const placed = [...spots].map(([place, { mode }], index) => {
    const how = rebuilt.has(dirname(place)) ? "--file" : "--ro-bind-data";
    return ["--perms", octal(mode), how, String(view.firstDescriptor + index), place];
  });
  const sealing = roots(rebuilt).flatMap((folder) => ["--remount-ro", folder]);
  return {
    args: [...folders, ...placed.flat(), ...sealing],
    contents: [...spots.values()].map(({ bytes }) => bytes),
    sealed: whole && links.every(({ leads }) => leads === "at-once"),
  };
}

/** A path in a folder is at the same place in every other that is the same folder by another name. */
function placesOf(path: string, folders: readonly string[]): readonly string[] {
  const within = folders.filter((folder) => isInside(path, folder));
  return [...new Set(within.flatMap((folder) => aliases(folder, folders).map((alias) => join(alias, relative(folder, path)))))];
}

function aliases(folder: string, folders: readonly string[]): readonly string[] {
  const real = realpathSync(folder);
  return folders.filter((each) => realpathSync(each) === real);
}

interface Rebuilding {
  /** Every folder that is made anew, with the entries that it has besides. */
  readonly rebuilt: ReadonlyMap<string, readonly string[]>;
  /** They are all that lie on the way. */
  readonly whole: boolean;
}

/** All folders on the way, where that takes few mounts; else those that the files lie in; else none. */
function foldersToRebuild(places: readonly string[], { folders, rebuild }: FileView): Rebuilding {
  const inside = places.filter((place) => folders.some((folder) => isInside(place, folder)));
  const own = new Set(inside.map((place) => dirname(place)));
  const all = new Set(inside.flatMap((place) => wayFrom(folders, place)));
  for (const chosen of rebuild ? [all, own] : []) {
    const rebuilt = new Map([...chosen].toSorted().map((folder) => [folder, readdirSync(folder).map((name) => join(folder, name))]));
    const bound = [...rebuilt.values()].flat().filter((path) => !rebuilt.has(path) && !places.includes(path));
    if (bound.length <= BOUND_LIMIT) return { rebuilt, whole: chosen === all && inside.length === places.length };
  }
  return { rebuilt: new Map(), whole: false };
}

function wayFrom(folders: readonly string[], place: string): readonly string[] {
  const way: string[] = [];
  for (let folder = dirname(place); folders.some((each) => isInside(folder, each)); folder = dirname(folder)) {
    way.push(folder);
    if (folder === dirname(folder)) break;
  }
  return way;
}

/** A link on the way to a known file. */
interface LinkOn {
  readonly path: string;
  readonly target: string;
  /** Whether it leads to the known file, and without another link. */
  readonly leads: "at-once" | "by-links" | "elsewhere";
}

/** The first link on the way to a place. */
function linkOn(place: string, { file, folders }: { readonly file: string; readonly folders: readonly string[] }): LinkOn {
  const path = [...wayFrom(folders, place).toReversed(), place].find((each) => linkAt(each) !== undefined) ?? place;
  const target = linkAt(path) ?? "";
  const led = join(resolve(dirname(path), target), relative(path, place));
  return { path, target, leads: target === "" || realpathSync(led) !== file ? "elsewhere" : led === file ? "at-once" : "by-links" };
}

function folderArgs(
  rebuilt: Rebuilding["rebuilt"],
  { spots, links }: { readonly spots: ReadonlyMap<string, KnownFile>; readonly links: readonly LinkOn[] },
): readonly string[] {
  const args: string[] = [];
  for (const [folder, entries] of rebuilt) {
    args.push("--perms", octal(statSync(folder).mode), rebuilt.has(dirname(folder)) ? "--dir" : "--tmpfs", folder);
    for (const path of entries.filter((each) => !rebuilt.has(each) && !spots.has(each))) {
      const target = links.find((link) => link.path === path)?.target ?? linkAt(path);
      if (target === undefined) args.push("--ro-bind-try", path, path);
      else args.push("--symlink", target, path);
    }
  }
  return args;
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The outermost: each is a mount of its own. */
function roots(rebuilt: Rebuilding["rebuilt"]): readonly string[] {
  return [...rebuilt.keys()].filter((folder) => !rebuilt.has(dirname(folder)));
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}
