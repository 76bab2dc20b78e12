import { HOLE, hasHole } from "./holes.ts";
import { normalise, resolvePath, type ResolvedPath } from "./paths.ts";
import type { Scene } from "./scene.ts";
import type { Places, Token } from "./shell/tree.ts";

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
