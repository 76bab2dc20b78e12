/** What is known of a running daemon from outside. */
import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJson } from "../lib/json.ts";
import { currentFolder, faultOf } from "./place.ts";
import { ANNOUNCEMENTS, hasReader } from "./slots.ts";

/** The file in which a daemon introduces itself. */
export const INFO = "info.json";

/** The file that a daemon writes as long as it lives. Its watchdog knows the name too. */
export const BEAT = "beat";

/** Who a daemon is. */
export interface DaemonInfo {
  readonly pid: number;
  /** Tells this process from a later one of the same id. */
  readonly startedAt: string;
  readonly version: string;
  readonly node: string;
  /** The client script that it serves. */
  readonly script: string;
  /** The state of the program's files when it was started. */
  readonly program: string;
}

/** The daemon of a place, if one is alive. */
export function findDaemon(place: string | undefined): DaemonInfo | undefined {
  const folder = place !== undefined && faultOf(place) === undefined ? currentFolder(place) : undefined;
  if (folder === undefined || !hasReader(join(folder, ANNOUNCEMENTS))) return undefined;
  const info = readJson(join(folder, INFO));
  return isInfo(info) && processStart(info.pid) === info.startedAt ? info : undefined;
}

/**
 * Writes how a daemon has fared. In place, and padded over what a longer one has left: where a file is emptied and written anew, some
 * file systems wait for the disk before they let it go, and everybody would wait with them.
 */
export function writeBeat(folder: string, tally: object): void {
  const file = openSync(join(folder, BEAT), constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    const bytes = Buffer.from(JSON.stringify(tally));
    const room = Math.max(bytes.length, fstatSync(file).size);
    writeSync(file, Buffer.concat([bytes, Buffer.alloc(room - bytes.length, " ")]), 0, room, 0);
  } finally {
    closeSync(file);
  }
}

/** How the daemon of a place has fared, as of its last beat. */
export function tallyOf(place: string): unknown {
  return readJson(join(currentFolder(place) ?? place, BEAT));
}

/** When a process started, in the kernel's count; "" when it has ended. */
export function processStart(pid: number): string {
  try {
    // After the name in brackets, which may hold anything: the state is field 3, the start field 22.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return state === "Z" || state === "X" ? "" : (fields[18] ?? "");
  } catch {
    return "";
  }
}

function readJson(path: string): unknown {
  try {
    return parseJson(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function isInfo(value: unknown): value is DaemonInfo {
  return (
    isObject(value) &&
    typeof value["pid"] === "number" &&
    ["startedAt", "version", "node", "script", "program"].every((key) => typeof value[key] === "string" && value[key] !== "")
  );
}
