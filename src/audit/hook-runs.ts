/** How often hooks ran of late, and how long they took, each by where it is configured. */
import { eventOf, hooksOf } from "./filter.ts";
import { numberOf } from "./index-store.ts";
import { withIndex, type QueryOptions } from "./query.ts";
import { readLog } from "./read.ts";

/** The runs of one hook at one event. Lines of a file move, so a place is a file. */
export interface HookRuns {
  readonly name: string;
  /** Null for hooks that stand in no file. */
  readonly file: string | null;
  readonly event: string;
  readonly faults: number;
  /** How long each run took, the shortest first. */
  readonly timesMs: readonly number[];
}

/** Every hook that ran from a moment on, in milliseconds since 1970. */
export async function hookRuns(folder: string, sinceMs: number, options: QueryOptions = {}): Promise<readonly HookRuns[]> {
  const runs = await withIndex<readonly Run[]>(folder, options, {
    indexed: ({ database }) =>
      database
        .prepare("SELECT hook, file, event, ms, fault FROM (SELECT n, event FROM records WHERE at >= ?) CROSS JOIN hooks ON hooks.record = n WHERE ran = 1")
        .all(sinceMs)
        .map((row) => ({
          name: String(row["hook"]),
          file: textOf(row["file"]),
          event: String(row["event"]),
          ms: numberOf(row, "ms"),
          failed: row["fault"] !== null,
        })),
    read: () => [...runsOf(folder, sinceMs)],
  });
  return gathered(runs);
}

interface Run {
  readonly name: string;
  readonly file: string | null;
  readonly event: string;
  readonly ms: number;
  readonly failed: boolean;
}

function* runsOf(folder: string, sinceMs: number): Iterable<Run> {
  for (const { record } of readLog(folder)) {
    const event = eventOf(record);
    if (event === undefined || Date.parse(record.at) < sinceMs) continue;
    for (const { name, source, durationMs, ended, fault } of hooksOf(record))
      if (ended !== "skipped" && ended !== "detached") yield { name, file: source?.file ?? null, event, ms: durationMs, failed: fault !== undefined };
  }
}

function gathered(runs: readonly Run[]): readonly HookRuns[] {
  const found = new Map<string, { name: string; file: string | null; event: string; faults: number; timesMs: number[] }>();
  for (const { name, file, event, ms, failed } of runs) {
    const key = JSON.stringify([name, file, event]);
    const known = found.get(key) ?? { name, file, event, faults: 0, timesMs: [] };
    known.timesMs.push(ms);
    known.faults += failed ? 1 : 0;
    found.set(key, known);
  }
  return [...found.values()].map((each) => ({ ...each, timesMs: each.timesMs.toSorted((left, right) => left - right) }));
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
