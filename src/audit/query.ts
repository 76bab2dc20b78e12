/** Questions to a log: through the index where there is an SQLite, else by reading it all. */
import { existsSync } from "node:fs";
import { testOf, toolWord, wordsOf, type AuditFilter } from "./filter.ts";
import { listLanes } from "./files.ts";
import { numberOf, openIndex, type IndexProgress, type IndexStore } from "./index-store.ts";
import { lastEntries, readEntry, readLog, type LogEntry } from "./read.ts";
import type { AuditRecord } from "./record.ts";
import { findSqlite, type OpenDatabase, type SqlRow, type SqlValue } from "./sqlite.ts";
import { statsByIndex, statsByReading, type AuditStats } from "./stats.ts";

/** How a question is answered. */
export interface QueryOptions {
  /** The newest so many; default 100. */
  readonly limit?: number;
  /** Behind the newest so many. */
  readonly skip?: number;
  /** Make the index anew first. */
  readonly rebuild?: boolean;
  /** Told how far the index has come, where that takes a while. */
  readonly onProgress?: (progress: IndexProgress) => void;
  /** The SQLite to use; null: none. Default: what is found. */
  readonly sqlite?: OpenDatabase | null;
}

/** What a question found. */
export interface Answer {
  /** In order of time; the newest where there are more than were asked for. */
  readonly records: readonly AuditRecord[];
  /** How many there are in all. */
  readonly total: number;
  /** Whether an index answered. */
  readonly indexed: boolean;
}

/** Records that a filter lets through: of all of them the newest. */
export async function query(folder: string, filter: AuditFilter, options: QueryOptions = {}): Promise<Answer> {
  const page: Page = { limit: options.limit ?? 100, skip: options.skip ?? 0 };
  return withIndex(folder, options, {
    indexed: (store) => queryIndex(folder, store, { filter, page }),
    read: () => queryLog(folder, filter, page),
  });
}

/** Counts and times of the records that a filter lets through. */
export async function stats(folder: string, filter: AuditFilter = {}, options: QueryOptions = {}): Promise<AuditStats> {
  return withIndex(folder, options, {
    indexed: (store) => {
      const { where, values, rest } = conditionsIn(store, filter);
      return rest ? statsByReading(folder, testOf(filter)) : statsByIndex(store.database, where, values);
    },
    read: () => statsByReading(folder, testOf(filter)),
  });
}

/** The record with an id, or whose id ends so. */
export async function recordById(folder: string, id: string, options: QueryOptions = {}): Promise<AuditRecord | null> {
  const isMeant = (record: AuditRecord): boolean => record.id === id || record.id.endsWith(`-${id}`);
  // Ids are mostly asked for soon after they were printed.
  const recent = lastEntries(folder, RECENT).findLast(({ record }) => isMeant(record));
  if (recent) return recent.record;
  return withIndex(folder, options, {
    indexed: ({ database }) => {
      const rows = database.prepare("SELECT id, lane, segment, offset, end FROM records WHERE tail = ?").all(id.slice(-TAIL_LENGTH));
      const row = rows.find((each) => String(each["id"]) === id || String(each["id"]).endsWith(`-${id}`));
      return row ? readEntry(folder, placeOf(row)) : null;
    },
    read: () => {
      for (const { record } of readLog(folder)) if (isMeant(record)) return record;
      return null;
    },
  });
}

const RECENT = 200;
const TAIL_LENGTH = 12;

/** Which of the records that were found: so many, behind the newest so many. */
interface Page {
  readonly limit: number;
  readonly skip: number;
}

/** Two ways to the same answer. */
export interface Ways<T> {
  readonly indexed: (store: IndexStore) => T;
  readonly read: () => T;
}

/** Answers through the index, or by reading where there is no SQLite or no log. */
export async function withIndex<T>(folder: string, { sqlite, rebuild, onProgress }: QueryOptions, ways: Ways<T>): Promise<T> {
  const open = sqlite === undefined ? await findSqlite() : sqlite;
  if (!open || !existsSync(folder) || listLanes(folder).length === 0) return ways.read();
  const store = openIndex(open, folder, { ...(rebuild && { rebuild }), ...(onProgress && { onProgress }) });
  try {
    return ways.indexed(store);
  } finally {
    store.close();
  }
}

function queryLog(folder: string, filter: AuditFilter, page: Page): Answer {
  const wanted = page.limit + page.skip;
  const test = testOf(filter);
  let records: AuditRecord[] = [];
  let total = 0;
  for (const { record } of readLog(folder)) {
    if (!test(record)) continue;
    total += 1;
    records.push(record);
    if (records.length >= wanted * 2 + TAIL_LENGTH) records = lastOf(records, wanted);
  }
  return { records: pageOf(records, page), total, indexed: false };
}

function lastOf<T>(items: readonly T[], count: number): T[] {
  return count === 0 ? [] : items.slice(-count);
}

function pageOf<T>(items: readonly T[], { limit, skip }: Page): T[] {
  return lastOf(items.slice(0, Math.max(0, items.length - skip)), limit);
}

function queryIndex(folder: string, store: IndexStore, { filter, page }: { filter: AuditFilter; page: Page }): Answer {
  const { database } = store;
  const { where, values, rest } = conditionsIn(store, filter);
  if (!rest) {
    const total = numberOf(database.prepare(countSql(where)).get(...values) ?? {}, "n");
    const rows = database.prepare(newestSql(where)).all(...values, page.limit, page.skip);
    return { records: recordsOf(folder, rows.toReversed()), total, indexed: true };
  }
  // Without an index of words the texts are read: those of the records that the rest of the question leaves.
  const rows = database.prepare(`${PLACE} WHERE ${where} ORDER BY n`).all(...values);
  const found = recordsOf(folder, rows).filter(testOf(rest));
  return { records: pageOf(found, page), total: found.length, indexed: true };
}

const PLACE = "SELECT lane, segment, offset, end FROM records";

/** Words alone are counted in their own table, and the newest are its highest numbers. */
function countSql(where: string): string {
  return where === IN_WORDS ? "SELECT count(*) AS n FROM words WHERE words MATCH ?" : `SELECT count(*) AS n FROM records WHERE ${where}`;
}

function newestSql(where: string): string {
  const newestWords = `${PLACE} WHERE n IN (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ? OFFSET ?) ORDER BY n DESC`;
  return where === IN_WORDS ? newestWords : `${PLACE} WHERE ${where} ORDER BY n DESC LIMIT ? OFFSET ?`;
}

const IN_WORDS = "n IN (SELECT rowid FROM words WHERE words MATCH ?)";

function recordsOf(folder: string, rows: readonly SqlRow[]): readonly AuditRecord[] {
  const records = rows.flatMap((row) => readEntry(folder, placeOf(row)) ?? []);
  return records.toSorted((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}

/** A filter in SQL. */
export interface Conditions {
  readonly where: string;
  readonly values: readonly SqlValue[];
  /** What the index can't answer. */
  readonly rest: AuditFilter | null;
}

/** The same without times that leave nothing out: what is asked about all of a log has shorter ways. */
export function conditionsIn({ database, hasWords }: IndexStore, { sinceMs, untilMs, ...others }: AuditFilter): Conditions {
  const span = sinceMs === undefined && untilMs === undefined ? {} : (database.prepare(SPAN).get() ?? {});
  const isSince = sinceMs !== undefined && sinceMs > numberOf(span, "first");
  const isUntil = untilMs !== undefined && untilMs <= numberOf(span, "last");
  return conditions({ ...others, ...(isSince && { sinceMs }), ...(isUntil && { untilMs }) }, hasWords);
}

/** Each is one step into the index, where both at once would be a walk through it. */
const SPAN = "SELECT (SELECT min(at) FROM records) AS first, (SELECT max(at) FROM records) AS last";

/** The conditions of a filter, and what is left of it for reading. */
function conditions({ sinceMs, untilMs, session, tool, verdict, event, hook, text, type }: AuditFilter, hasWords: boolean): Conditions {
  const words = wordsOf(text ?? "");
  const match = words.map((word) => `"${word}"*`).join(" ");
  const parts: readonly (readonly [sql: string, ...values: SqlValue[]])[] = [
    ...(sinceMs === undefined ? [] : [["at >= ?", sinceMs] as const]),
    ...(untilMs === undefined ? [] : [["at < ?", untilMs] as const]),
    // Between a prefix and what would come behind every text that begins with it.
    ...(session === undefined ? [] : [["session >= ? AND session < ?", session, `${session}\uFFFF`] as const]),
    ...(tool === undefined ? [] : [["tool = ?", toolWord(tool)] as const]),
    ...(verdict === undefined ? [] : verdict === "none" ? [["verdict IS NULL"] as const] : [["verdict = ?", verdict] as const]),
    ...(event === undefined ? [] : [["event = ?", event] as const]),
    ...(type === undefined ? [] : [["type = ?", type] as const]),
    ...(hook === undefined ? [] : [[`n IN (SELECT record FROM hooks WHERE hook IN (${NAMES}))`, hook] as const]),
    ...(words.length > 0 && hasWords ? [[IN_WORDS, match] as const] : []),
  ];
  return {
    where: parts.length === 0 ? "1" : parts.map(([sql]) => sql).join(" AND "),
    values: parts.flatMap(([, ...values]) => values),
    rest: words.length > 0 && !hasWords ? { text: text ?? "" } : null,
  };
}

/** The names of hooks that contain a text: there are few names, and many runs. Each step jumps to the next name. */
const NAMES = `
  WITH RECURSIVE names (name) AS (SELECT min(hook) FROM hooks UNION ALL SELECT (SELECT min(hook) FROM hooks WHERE hook > name) FROM names WHERE name IS NOT NULL)
  SELECT name FROM names WHERE name IS NOT NULL AND instr(lower(name), lower(?)) > 0
`;

function placeOf(row: SqlRow): Omit<LogEntry, "record"> {
  return { lane: numberOf(row, "lane"), segment: numberOf(row, "segment"), offset: numberOf(row, "offset"), end: numberOf(row, "end") };
}
