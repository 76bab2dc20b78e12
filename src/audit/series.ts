/** A log over time: how often each verdict was given, and how long hooks took, in equal pieces. */
import { hooksOf, testOf, verdictOf, type AuditFilter } from "./filter.ts";
import { numberOf } from "./index-store.ts";
import { conditionsIn, withIndex, type QueryOptions } from "./query.ts";
import { readLog } from "./read.ts";
import type { AuditRecord } from "./record.ts";
import type { SqlDatabase, SqlValue } from "./sqlite.ts";
import { rankOf, TIMES, timesOf, type VerdictCounts } from "./stats.ts";

/** One piece of time. */
export interface SeriesPoint extends VerdictCounts {
  /** When it begins, in milliseconds since 1970. */
  readonly atMs: number;
  /** Times of the hooks that ran in it; null where none did. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Pieces of time, the earliest first. */
export interface Series {
  readonly stepMs: number;
  readonly points: readonly SeriesPoint[];
}

/** Lengths of pieces that people can read. */
const STEPS_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 21_600_000, 86_400_000, 604_800_000, 2_592_000_000];
/** Pieces that a chart has room for. */
const MOST_POINTS = 60;

/** The records that a filter lets through, over time. */
export async function series(folder: string, filter: AuditFilter = {}, options: QueryOptions = {}): Promise<Series> {
  return withIndex(folder, options, {
    indexed: (store) => {
      const { where, values, rest } = conditionsIn(store, filter);
      return rest ? byReading(folder, filter) : byIndex(store.database, where, values);
    },
    read: () => byReading(folder, filter),
  });
}

interface Collected {
  readonly verdicts: { allow: number; ask: number; deny: number; none: number };
  times: number[];
}

function byReading(folder: string, filter: AuditFilter): Series {
  const test = testOf(filter);
  const span = { first: Infinity, last: -Infinity };
  const found: { readonly atMs: number; readonly record: AuditRecord }[] = [];
  for (const { record } of readLog(folder)) {
    if (!test(record)) continue;
    const atMs = Date.parse(record.at);
    span.first = Math.min(span.first, atMs);
    span.last = Math.max(span.last, atMs);
    found.push({ atMs, record });
  }
  const { stepMs, pieces, at } = collector(span.first, span.last);
  for (const { atMs, record } of found) {
    const piece = at(atMs);
    if (record.type === "decision") piece.verdicts[verdictOf(record) ?? "none"] += 1;
    for (const { ended, durationMs } of hooksOf(record)) if (ended !== "skipped" && ended !== "detached") piece.times.push(durationMs);
  }
  return finished(stepMs, pieces);
}

function byIndex(database: SqlDatabase, where: string, values: readonly SqlValue[]): Series {
  const span = database.prepare(`SELECT min(at) AS first, max(at) AS last, count(*) AS count FROM records WHERE ${where}`).get(...values) ?? {};
  if (numberOf(span, "count") === 0) return { stepMs: STEPS_MS[0] ?? 1, points: [] };
  const { stepMs, pieces, at } = collector(numberOf(span, "first"), numberOf(span, "last"));
  const counts = database
    .prepare(`SELECT at / ${stepMs} AS piece, verdict, count(*) AS count FROM records WHERE type = 'decision' AND ${where} GROUP BY piece, verdict`)
    .all(...values);
  for (const row of counts) {
    const { verdict } = row;
    at(numberOf(row, "piece") * stepMs).verdicts[verdict === "allow" || verdict === "ask" || verdict === "deny" ? verdict : "none"] += numberOf(row, "count");
  }
  const some = where === "1" ? "hooks CROSS JOIN records" : `(SELECT n, at FROM records WHERE ${where}) AS records CROSS JOIN hooks`;
  const ran = database
    .prepare(`SELECT records.at / ${stepMs} AS piece, ${TIMES} AS times FROM ${some} ON records.n = hooks.record WHERE hooks.ran = 1 GROUP BY piece`)
    .all(...values);
  for (const row of ran) at(numberOf(row, "piece") * stepMs).times = timesOf(row);
  return finished(stepMs, pieces);
}

function collector(
  first: number,
  last: number,
): { readonly stepMs: number; readonly pieces: Map<number, Collected>; readonly at: (atMs: number) => Collected } {
  const stepMs = STEPS_MS.find((each) => (last - first) / each < MOST_POINTS) ?? STEPS_MS.at(-1) ?? 1;
  const pieces = new Map<number, Collected>();
  for (let piece = Math.floor(first / stepMs); piece * stepMs <= last; piece += 1) pieces.set(piece, emptyPiece());
  return {
    stepMs,
    pieces,
    at: (atMs) => {
      const piece = Math.floor(atMs / stepMs);
      const found = pieces.get(piece) ?? emptyPiece();
      pieces.set(piece, found);
      return found;
    },
  };
}

function emptyPiece(): Collected {
  return { verdicts: { allow: 0, ask: 0, deny: 0, none: 0 }, times: [] };
}

function finished(stepMs: number, pieces: ReadonlyMap<number, Collected>): Series {
  const points = [...pieces].toSorted(([left], [right]) => left - right);
  return {
    stepMs,
    points: points.map(([piece, { verdicts, times }]) => {
      const sorted = times.toSorted((left, right) => left - right);
      const at = (share: number): number | null => sorted[rankOf(share, sorted.length)] ?? null;
      return { atMs: piece * stepMs, ...verdicts, p50Ms: at(0.5), p95Ms: at(0.95) };
    }),
  };
}
