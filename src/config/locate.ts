/** Where configuration files stand: each dialect's native places, and files named by hand. */
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Dialect, Place } from "../dialects/dialect.ts";
import { DIALECT_LIST } from "../dialects/index.ts";
import { mayExist } from "../lib/may-exist.ts";
import { LAYERS, type Layer } from "../model/layer.ts";
import type { ConfigSource } from "./source.ts";

/** The folders that places are relative to. */
export interface Surroundings {
  readonly root: string;
  readonly home: string;
  readonly config: string;
  readonly project: string;
}

/** The surroundings of a folder, as the environment says. */
export function surroundings({
  cwd,
  env,
  root = sep,
}: {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly root?: string;
}): Surroundings {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  const configured = env["XDG_CONFIG_HOME"];
  return { root, home, config: configured ? configured : join(home, ".config"), project: cwd };
}

/** Where programs keep what they have to remember. */
export function stateFolder(env: { readonly [name: string]: string | undefined }): string {
  const configured = env["XDG_STATE_HOME"];
  return configured ? configured : join(env["HOME"] ?? env["USERPROFILE"] ?? "", ".local", "state");
}

/** Every path where a configuration file of these layers could stand. */
export function candidatePaths(around: Surroundings, layers: readonly Layer[] = LAYERS): readonly string[] {
  const places = DIALECT_LIST.flatMap(({ config }) => config.places).filter(({ layer }) => layers.includes(layer));
  return [...new Set(places.flatMap((place) => pathOf(place, around) ?? []))];
}

/** Managed settings hold whatever else is named. */
export const ALWAYS: readonly Layer[] = ["managed"];

/** Every file of these layers that exists in a dialect's place, in order of layers. A place of several dialects is one source: shapes tell them apart. */
export function locateConfigs(around: Surroundings, layers: readonly Layer[] = LAYERS): readonly ConfigSource[] {
  const found = new Map<string, ConfigSource>();
  for (const dialect of DIALECT_LIST) {
    for (const place of dialect.config.places) {
      if (!layers.includes(place.layer)) continue;
      const path = pathOf(place, around);
      if (path === undefined || !mayExist(path)) continue;
      const before = found.get(path);
      // Where the home folder is the project, a file counts once, as the user's own.
      const layer = before && LAYERS.indexOf(before.layer) < LAYERS.indexOf(place.layer) ? before.layer : place.layer;
      found.set(path, { path, layer, dialects: [...new Set([...(before?.dialects ?? []), dialect])], plugin: null, named: false });
    }
  }
  return [...found.values()].toSorted((left, right) => LAYERS.indexOf(left.layer) - LAYERS.indexOf(right.layer));
}

/** A file named with `--config`: its dialect from the command line, else from its place, else (an empty list) from its shape. */
export function namedConfig({ file, cwd, dialect }: { readonly file: string; readonly cwd: string; readonly dialect: Dialect | undefined }): ConfigSource {
  const path = resolve(cwd, file);
  const tail = path.split(sep).slice(-2).join("/");
  const isPlugin = DIALECT_LIST.some(({ config }) => config.places.some((place) => place.base === "plugin" && place.path === tail));
  const placed = DIALECT_LIST.filter(({ config }) => config.places.some((place) => `/${place.path}`.endsWith(`/${tail}`)));
  const root = dirname(dirname(path));
  return {
    path,
    layer: isPlugin ? "plugin" : "run",
    dialects: dialect ? [dialect] : placed,
    plugin: isPlugin ? { root, name: basename(root) } : null,
    named: true,
  };
}

function pathOf({ base, path }: Place, around: Surroundings): string | undefined {
  if (base === "plugin") return undefined;
  const folder = around[base];
  return folder === "" ? undefined : join(folder, ...path.split("/"));
}
