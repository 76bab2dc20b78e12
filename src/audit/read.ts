/** Reading a log: the lanes merged in order of time, from any position, and on as it grows. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { sleep } from "../lib/time.ts";
import { listLanes, segmentPath } from "./files.ts";
import { readRecord, type AuditRecord } from "./record.ts";
import { segmentLines } from "./segment-lines.ts";

/** How far each lane was read. */
export type LogPosition = ReadonlyMap<number, { readonly segment: number; readonly offset: number }>;

/** A record with its place in the log. */
export interface LogEntry {
  readonly record: AuditRecord;
  readonly lane: number;
  readonly segment: number;
  readonly offset: number;
  /** Where the next record of its lane begins. */
  readonly end: number;
}

/** Reads records in order of time, from the beginning or from a position. A record that is being written comes with the next reading. */
export function* readLog(folder: string, { from = new Map() }: { readonly from?: LogPosition } = {}): Generator<LogEntry> {
  const lanes = listLanes(folder).map(({ lane, segments }) => laneEntries(folder, { lane, segments, from: from.get(lane) }));
  yield* merged(lanes);
}

/** A position behind an entry. */
export function after(position: LogPosition, { lane, segment, end }: LogEntry): LogPosition {
  return new Map(position).set(lane, { segment, offset: end });
}

/** Where a log ends now. */
export function endOfLog(folder: string): LogPosition {
  return new Map(
    listLanes(folder).flatMap(({ lane, segments }) => {
      const segment = segments.at(-1);
      return segment === undefined ? [] : [[lane, { segment, offset: lastLineEnd(segmentPath(folder, lane, segment)) }] as const];
    }),
  );
}

/** How often a growing log is looked at. */
const FOLLOW_MS = 150;

/** Reads on as the log grows, until the signal. */
export async function* followLog(folder: string, { from, signal }: { readonly from: LogPosition; readonly signal: AbortSignal }): AsyncGenerator<LogEntry> {
  let position = from;
  while (!signal.aborted) {
    for (const entry of readLog(folder, { from: position })) {
      position = after(position, entry);
      yield entry;
      if (signal.aborted) return;
    }
    await sleep(FOLLOW_MS);
  }
}

/** The last records that a test lets through, in order of time. */
export function lastEntries(folder: string, count: number, test: (record: AuditRecord) => boolean = () => true): readonly LogEntry[] {
  const found = listLanes(folder).flatMap(({ lane, segments }) => lastOfLane(folder, { lane, segments, count, test }));
  return found.toSorted(inTime).slice(-count);
}

/** Reads one record by its place. */
export function readEntry(folder: string, { lane, segment, offset, end }: Omit<LogEntry, "record">): AuditRecord | null {
  const file = openSync(segmentPath(folder, lane, segment), "r");
  try {
    const bytes = Buffer.alloc(end - offset);
    readSync(file, bytes, 0, bytes.length, offset);
    return readRecord(bytes.toString("utf8"));
  } finally {
    closeSync(file);
  }
}

interface LaneReading {
  readonly lane: number;
  readonly segments: readonly number[];
  readonly from: { readonly segment: number; readonly offset: number } | undefined;
}

/** The records of one lane with their places, in the order in which they were written. */
export function* laneEntries(folder: string, { lane, segments, from }: LaneReading): Generator<LogEntry> {
  for (const segment of segments.filter((each) => each >= (from?.segment ?? 0))) {
    const start = from?.segment === segment ? from.offset : 0;
    for (const { bytes, offset, end, whole } of segmentLines(segmentPath(folder, lane, segment), start)) {
      const record = whole ? readRecord(bytes.toString("utf8")) : null;
      if (record) yield { record, lane, segment, offset, end };
    }
  }
}

function* merged(lanes: readonly Generator<LogEntry>[]): Generator<LogEntry> {
  const waiting = lanes.flatMap((lane) => {
    const first = lane.next();
    return first.done ? [] : [{ lane, entry: first.value }];
  });
  while (waiting.length > 0) {
    const earliest = waiting.reduce((left, right) => (inTime(right.entry, left.entry) < 0 ? right : left));
    yield earliest.entry;
    const next = earliest.lane.next();
    if (next.done) waiting.splice(waiting.indexOf(earliest), 1);
    else earliest.entry = next.value;
  }
}

function inTime(left: LogEntry, right: LogEntry): number {
  return left.record.at < right.record.at ? -1 : left.record.at > right.record.at ? 1 : left.lane - right.lane;
}

const FIRST_TAIL_BYTES = 65_536;

/** Reads a lane from behind: a little first, then more, until there is enough. */
function lastOfLane(
  folder: string,
  { lane, segments, count, test }: { lane: number; segments: readonly number[]; count: number; test: (record: AuditRecord) => boolean },
): readonly LogEntry[] {
  let found: readonly LogEntry[] = [];
  for (const segment of segments.toReversed()) {
    const { size } = statSync(segmentPath(folder, lane, segment));
    for (let bytes = FIRST_TAIL_BYTES; ; bytes *= 4) {
      const offset = Math.max(0, size - bytes);
      const entries = [...laneEntries(folder, { lane, segments: [segment], from: { segment, offset } })].filter(({ record }) => test(record));
      if (offset > 0 && entries.length + found.length < count) continue;
      found = [...entries, ...found];
      break;
    }
    if (found.length >= count) break;
  }
  return found.slice(-count);
}

function lastLineEnd(path: string): number {
  const { size } = statSync(path);
  let end = Math.max(0, size - FIRST_TAIL_BYTES * 4);
  for (const line of segmentLines(path, end)) if (line.whole) ({ end } = line);
  return end;
}
