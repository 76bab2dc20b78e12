/** Where a user's daemon lives: a folder that belongs to the user alone. */
import { lstatSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { messageOf } from "../lib/errors.ts";
import { notPrivate } from "../lib/private.ts";
import { SnaphookError } from "../model/errors.ts";

type Env = { readonly [name: string]: string | undefined };

/** The file, inside the place, that names the folder of the daemon that answers. `bin/snaphook-hook` knows these names too. */
export const CURRENT = "current";

/** The folder of the daemon that answers, if one was published. */
export function currentFolder(place: string): string | undefined {
  try {
    const name = readFileSync(join(place, CURRENT), "utf8").trim();
    return /^d-\w+$/.test(name) ? join(place, name) : undefined;
  } catch {
    return undefined;
  }
}

/** The folder for an environment, as `bin/snaphook-hook` finds it; undefined where none can be named. */
export function placeOf(env: Env): string | undefined {
  const home = env["HOME"];
  const parent = env["XDG_RUNTIME_DIR"] || env["XDG_CACHE_HOME"] || (home ? `${home}/.cache` : "");
  return isAbsolute(parent) ? join(parent, "snaphook-daemon") : undefined;
}

/** Why a folder can't be the place of a daemon, or undefined when it can. */
export function faultOf(folder: string): string | undefined {
  let stat;
  try {
    stat = lstatSync(folder);
  } catch (error) {
    return messageOf(error);
  }
  if (stat.isSymbolicLink()) return `${folder} is a link; it must be a folder`;
  if (!stat.isDirectory()) return `${folder} is no folder`;
  return notPrivate(folder, stat) ?? undefined;
}

/** Makes the place where it is missing. Refuses one that is not the user's alone. */
export function openPlace(env: Env): string {
  const place = placeOf(env);
  if (place === undefined)
    throw new SnaphookError("SNAP_DAEMON", { message: "there is no place for a daemon: XDG_RUNTIME_DIR, XDG_CACHE_HOME or HOME must be an absolute path" });
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(place, { mode: 0o700 });
  } catch {
    // It is there already, or can't be made: what stands there tells which.
  }
  const fault = faultOf(place);
  if (fault !== undefined) throw new SnaphookError("SNAP_DAEMON", { message: fault });
  return place;
}
