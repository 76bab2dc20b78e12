/** What a configuration was made from: the bytes of every file that was read, and the absence of every file that was not there. */
import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { ALWAYS, candidatePaths, surroundings } from "../config/locate.ts";
import type { EngineOptions } from "../engine/engine.ts";
import { messageOf } from "../lib/errors.ts";
import { recordFile } from "../trust/record.ts";
import { Unserved } from "./client.ts";

/** Paths with what was found there. Stamps would not do: a file can be written twice within one tick of their clock. */
export type Footprint = ReadonlyMap<string, Buffer | string>;

/** Reads everything that an engine with these options depends on. */
export function footprintOf({ cwd, env, configs = [], lock, managed }: EngineOptions): Footprint {
  const around = surroundings({ cwd, env, ...(managed && { root: managed.root }) });
  const named = configs.map(({ file }) => resolve(cwd, file));
  for (const path of [cwd, around.home, around.config, env["TMPDIR"] ?? "/tmp", ...named]) refuseProcessPath(path);
  const searched = named.length === 0 ? [...candidatePaths(around), recordFile(around.config, realPath(cwd) ?? cwd)] : candidatePaths(around, ALWAYS);
  const locks = lock === undefined ? [] : [resolve(cwd, lock)];
  const files = [...searched, ...named, ...locks].map((path): [string, Buffer | string] => [path, contentOf(path)]);
  const owners = files.filter(([, found]) => found !== ABSENT).map(([path]): [string, string] => [`who may write ${path}`, writersOf(path)]);
  return new Map([...files, ...owners, [REAL_FOLDER, realPath(cwd) ?? ABSENT]]);
}

const ABSENT = "absent";

/** Owner and mode of a file and of the folders above it: managed settings count only while nobody else could have written them. */
function writersOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  const above = dirname(path);
  return `${stat ? `${stat.uid} ${stat.mode}` : ABSENT}${above === path ? "" : `, ${writersOf(above)}`}`;
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
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false }); // most are absent, and an exception costs more than a look
    if (!stat) return ABSENT;
    if (stat.isSymbolicLink()) refuseProcessPath(path);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Unserved) throw error;
    return messageOf(error);
  }
}

/** A relative path, or one that leads to /proc or /dev, is another file for each process: here it would be the daemon's. */
export function refuseProcessPath(path: string): void {
  if (!isAbsolute(path) || leadsToProcess(path, LINK_LIMIT)) throw new Unserved(`${path} is another file for each process`);
}

const PROCESS_PATH = /^\/(proc|dev)(\/|$)/;
/** Where the kernel gives up, too. */
const LINK_LIMIT = 40;

/** Link by link: what such a link points to may not exist for the daemon. */
function leadsToProcess(path: string, links: number): boolean {
  const place = join(realPath(dirname(path)) ?? dirname(path), basename(path));
  if (PROCESS_PATH.test(path) || PROCESS_PATH.test(place) || links === 0) return true;
  const target = linkTarget(place);
  return target !== undefined && leadsToProcess(resolve(dirname(place), target), links - 1);
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
