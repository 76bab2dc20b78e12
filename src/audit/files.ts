/** The files of a log: lanes, each a row of segments with a head beside them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../lib/errors.ts";

/** Files of the log may be read and written by their owner only. */
export const FILE_MODE = 0o600;
/** The folder, too. */
export const FOLDER_MODE = 0o700;

/** One lane on disk: the numbers of its segments in order, and whether its head is there. */
export interface LaneFiles {
  readonly lane: number;
  readonly segments: readonly number[];
  readonly hasHead: boolean;
}

/** `lane-00-000001.jsonl`: the records of one lane, until the file is full. */
export function segmentName(lane: number, segment: number): string {
  return `${laneName(lane)}-${String(segment).padStart(6, "0")}.jsonl`;
}

/** `lane-00.head`: how far the lane has come. */
export function headName(lane: number): string {
  return `${laneName(lane)}.head`;
}

/** `lane-00`. */
export function laneName(lane: number): string {
  return `lane-${String(lane).padStart(2, "0")}`;
}

/** The path of a segment. */
export function segmentPath(folder: string, lane: number, segment: number): string {
  return join(folder, segmentName(lane, segment));
}

/** The lanes of a log, in order; none where there is no log. */
export function listLanes(folder: string): readonly LaneFiles[] {
  const lanes = new Map<number, { segments: number[]; hasHead: boolean }>();
  for (const name of namesIn(folder)) {
    const found = /^lane-(\d{2,6})(?:-(\d{6,9})\.jsonl|\.head)$/.exec(name);
    if (!found) continue;
    const lane = lanes.get(Number(found[1])) ?? { segments: [], hasHead: false };
    lanes.set(Number(found[1]), lane);
    if (found[2] === undefined) lane.hasHead = true;
    else lane.segments.push(Number(found[2]));
  }
  return [...lanes]
    .map(([lane, { segments, hasHead }]) => ({ lane, segments: segments.toSorted((left, right) => left - right), hasHead }))
    .toSorted((left, right) => left.lane - right.lane);
}

/** The names in a folder; none where it does not exist. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Whether an error says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}
