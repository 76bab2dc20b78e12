import { HOLE, hasHole } from "./holes.ts";
import { normalise, resolvePath, type ResolvedPath } from "./paths.ts";
import type { Scene } from "./scene.ts";
import type { FileUse, Places, Token } from "./shell/tree.ts";

/** The folders a command may run in; undefined when it may be anywhere. */
export function allPlaces(places: Places, scene: Scene): readonly string[] | undefined {
  if (places === undefined) return undefined;
  if (places.length === 1 && places[0]?.length === 0) return [scene.cwd];
  return places.map((steps) => steps.reduce((cwd, step) => follow(cwd, step, scene), scene.cwd));
}

function follow(cwd: string, step: string, { home }: Scene): string {
  if (step.startsWith("/")) return normalise(step);
  if (step === "~" || step.startsWith("~/")) return normalise(`${home}${step.slice(1)}`);
  return normalise(`${cwd}/${step}`);
}

const UP_FROM_HOLE = /[\uFDD0-\uFDD2].*\/\.\.(?:\/|$)/s;

/** A use of a file and the paths it may mean, one for each folder the command may run in. */
export interface PlacedUse {
  readonly use: FileUse;
  /** A path is undefined where it can't be known. */
  readonly paths: readonly (ResolvedPath | undefined)[];
  /** The command may run in any folder. */
  readonly anywhere: boolean;
}

/** Places the uses of a text, but those of devices, which are files of nobody. */
export function placeUses(uses: readonly FileUse[], scene: Scene): readonly PlacedUse[] {
  if (uses.length === 0) return NONE;
  const placed: PlacedUse[] = [];
  for (const use of uses) {
    if (DEVICES.has(use.token.value)) continue;
    const places = allPlaces(use.places, scene);
    const paths = places?.length === 1 ? [resolveToken(use.token, places[0], scene)] : (places ?? NOWHERE).map((cwd) => resolveToken(use.token, cwd, scene));
    placed.push({ use, paths, anywhere: places === undefined });
  }
  return placed;
}

const NONE: readonly PlacedUse[] = [];

/** Files that are no files of anybody: reading or writing them needs no rule. */
export const DEVICES: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero"]);

/** The folder of a command that may run in any. */
export const NOWHERE: readonly undefined[] = [undefined];

/** The path that a word means, seen from a folder; undefined when it can't be known. */
export function resolveToken({ value, raw }: Token, cwd: string | undefined, scene: Scene): ResolvedPath | undefined {
  if (cwd === undefined && !value.startsWith("/") && !value.startsWith("~")) return undefined;
  // A quoted tilde is a plain character.
  const written = value.startsWith("~") && /^["'\\]/.test(raw) ? `./${value}` : value;
  // `$X/..` is not where it started: nobody knows what it leaves.
  const text = written.includes("/..") && UP_FROM_HOLE.test(written) ? HOLE : written;
  const path = resolvePath(text, scene, cwd ?? scene.cwd);
  return path && !path.certain && hasHole(text) ? { ...path, certain: true } : path;
}
