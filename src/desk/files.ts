import { readFileSync, readdirSync } from "node:fs";
import { parseJson } from "../lib/json.ts";
import { isRunning } from "../lib/running.ts";
import { PLACES } from "./places.ts";

/** A JSON file's value; undefined where there is none. */
export function readJsonFile(path: string): unknown {
  try {
    return parseJson(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** The names in a folder; none where there is no folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether somebody watches who could answer. */
export function hasWatchers(desk: string): boolean {
  return namesIn(PLACES.watchers(desk)).some((pid) => /^[0-9]+$/.test(pid) && isRunning(Number(pid)));
}
