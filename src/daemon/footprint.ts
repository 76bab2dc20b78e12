/** What a configuration was made from: the bytes of every file that was read, and the absence of every file that was not there. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { candidatePaths, surroundings } from "../config/locate.ts";
import { trustFile } from "../config/trust.ts";
import type { EngineOptions } from "../engine/engine.ts";
import { messageOf } from "../lib/errors.ts";
import { Unserved } from "./client.ts";

/** Paths with what was found there. Stamps would not do: a file can be written twice within one tick of their clock. */
export type Footprint = ReadonlyMap<string, Buffer | string>;

/** Reads everything that an engine with these options depends on. */
export function footprintOf({ cwd, env, configs = [] }: EngineOptions): Footprint {
  const around = surroundings({ cwd, env });
  const named = configs.map(({ file }) => resolve(cwd, file));
  for (const path of [cwd, around.home, around.config, env["TMPDIR"] ?? "/tmp", ...named]) refuseProcessPath(path);
  const searched = named.length === 0 ? [...candidatePaths(around), trustFile(around.config)] : [];
  const files = [...searched, ...named].map((path): [string, Buffer | string] => [path, contentOf(path)]);
  return new Map([...files, [REAL_FOLDER, realPath(cwd)]]);
}

/** Trust is given to real paths. */
const REAL_FOLDER = "real path of the folder";

/** Whether two looks found the same. */
export function isSameFootprint(left: Footprint, right: Footprint): boolean {
  if (left.size !== right.size) return false;
  for (const [path, found] of left) if (!isSame(found, right.get(path))) return false;
  return true;
}

function isSame(left: Buffer | string, right: Buffer | string | undefined): boolean {
  return typeof left === "string" || typeof right === "string" || right === undefined ? left === right : left.equals(right);
}

function contentOf(path: string): Buffer | string {
  if (!existsSync(path)) return "absent"; // most are, and an exception costs more than a look
  try {
    return readFileSync(path);
  } catch (error) {
    return messageOf(error);
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return messageOf(error);
  }
}

/** A relative path, or one of /proc or /dev, is another file for each process: here it would be the daemon's. */
export function refuseProcessPath(path: string): void {
  if (!isAbsolute(path) || PROCESS_PATH.test(path) || PROCESS_PATH.test(realPath(path))) throw new Unserved(`${path} is another file for each process`);
}

const PROCESS_PATH = /^\/(proc|dev)(\/|$)/;
