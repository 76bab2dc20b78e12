/** An SQLite index beside the log: made from it, brought up to date by every query, thrown away at will. */
import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventOf, hooksOf, textOf, toolWord, verdictOf } from "./filter.ts";
import { FILE_MODE, listLanes, segmentPath } from "./files.ts";
import { readLog, type LogEntry, type LogPosition } from "./read.ts";
import { segmentLines } from "./segment-lines.ts";
import type { OpenDatabase, SqlDatabase, SqlRow, SqlValue } from "./sqlite.ts";

/** The index of a log. */
export interface IndexStore {
  readonly database: SqlDatabase;
  /** Whether texts can be searched by words. */
  readonly hasWords: boolean;
  close(): void;
}

/** How far an index has come. */
export interface IndexProgress {
  readonly records: number;
  /** How much of what was to be indexed is: from 0 to 1. */
  readonly share: number;
}

type Tell = (progress: IndexProgress) => void;

/** A change of the tables is another version, and another version is made anew. */
const VERSION = "2";
const INDEX_NAME = "index.sqlite";
/** Records of one transaction: another process that searches waits for one of them at the most. */
const BATCH = 20_000;
/** Records between two words of progress. */
const TELL_EVERY = 2_000;
/** Rows that one statement takes: calling it costs as much as what it does. */
const ROWS_AT_ONCE = 25;
/** Pages of the journal that are carried over at once: each time the disk is waited for. */
const CHECKPOINT_PAGES = 16_384;

const TABLES = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT);
  CREATE TABLE IF NOT EXISTS lanes (lane INTEGER PRIMARY KEY, segment INTEGER, offset INTEGER, end INTEGER, hash TEXT);
  CREATE TABLE IF NOT EXISTS records (n INTEGER PRIMARY KEY, at INTEGER, type TEXT, id TEXT, tail TEXT, session TEXT, tool TEXT, verdict TEXT, event TEXT,
    approver TEXT, gated INTEGER, lane INTEGER, segment INTEGER, offset INTEGER, end INTEGER);
  CREATE TABLE IF NOT EXISTS hooks (record INTEGER, hook TEXT, ms REAL, verdict TEXT, ran INTEGER, fault TEXT, file TEXT);
`;
/** Each question finds all it needs in one of them, or the numbers of the records that it is about. */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS records_at ON records (at);
  CREATE INDEX IF NOT EXISTS records_tail ON records (tail);
  CREATE INDEX IF NOT EXISTS records_session ON records (session, at);
  CREATE INDEX IF NOT EXISTS records_tool ON records (tool, verdict);
  CREATE INDEX IF NOT EXISTS records_calls ON records (gated, tool, verdict);
  CREATE INDEX IF NOT EXISTS records_verdict ON records (verdict, type);
  CREATE INDEX IF NOT EXISTS records_event ON records (event, verdict);
  CREATE INDEX IF NOT EXISTS records_approver ON records (approver, verdict) WHERE approver IS NOT NULL;
  CREATE INDEX IF NOT EXISTS hooks_hook ON hooks (hook, ran, ms, verdict, fault, record);
  CREATE INDEX IF NOT EXISTS hooks_record ON hooks (record);
`;
const WORDS = `CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content='', detail=none, columnsize=0, tokenize='unicode61 remove_diacritics 0');`;

/** Opens the index of a log and brings it up to date. `rebuild` makes it anew. */
export function openIndex(
  open: OpenDatabase,
  folder: string,
  { rebuild = false, onProgress = () => {} }: { readonly rebuild?: boolean; readonly onProgress?: Tell } = {},
): IndexStore {
  const path = join(folder, INDEX_NAME);
  if (rebuild) remove(path);
  try {
    return update(open, folder, { path, onProgress });
  } catch {
    // A file that is no index, or one of a log that is no longer there: it is made from the log, so it can be made again.
    remove(path);
    return update(open, folder, { path, onProgress });
  }
}

function remove(path: string): void {
  for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${ending}`, { force: true });
}

function update(open: OpenDatabase, folder: string, { path, onProgress }: { path: string; onProgress: Tell }): IndexStore {
  const database = open(path);
  try {
    chmodSync(path, FILE_MODE);
    database.exec("PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;");
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
    const hasWords = prepareTables(database);
    if (!fitsLog(database, folder)) throw new Error("the index is of another log");
    catchUp(database, folder, { hasWords, onProgress });
    database.exec(INDEXES);
    return { database, hasWords, close: () => void database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareTables(database: SqlDatabase): boolean {
  database.exec(TABLES);
  const version = database.prepare("SELECT value FROM meta WHERE key = 'version'").get()?.["value"];
  if (version !== undefined && version !== VERSION) throw new Error("the index is of another version");
  database.prepare("INSERT OR IGNORE INTO meta VALUES ('version', ?)").run(VERSION);
  try {
    database.exec(WORDS);
    return true;
  } catch {
    return false; // an SQLite without FTS5: texts are searched in the records
  }
}

/** The last record that was indexed of each lane must still be there. */
function fitsLog(database: SqlDatabase, folder: string): boolean {
  const lanes = database.prepare("SELECT lane, segment, offset, hash FROM lanes").all();
  return lanes.every((row) => {
    const path = segmentPath(folder, numberOf(row, "lane"), numberOf(row, "segment"));
    if (!existsSync(path)) return false;
    const [line] = segmentLines(path, numberOf(row, "offset"));
    return line?.bytes.toString("latin1").endsWith(`"${String(row["hash"])}"}`) ?? false;
  });
}

/** Records are numbered in the order of time in which the lanes are read: the highest numbers are the newest records. */
function catchUp(database: SqlDatabase, folder: string, { hasWords, onProgress }: { hasWords: boolean; onProgress: Tell }): void {
  const setLane = database.prepare("INSERT OR REPLACE INTO lanes VALUES (?, ?, ?, ?, ?)");
  const getLanes = database.prepare("SELECT lane, segment, end FROM lanes");
  const insert = inserter(database, hasWords);
  let [count, bytes, missing] = [0, 0, 0];
  for (;;) {
    // Another process may have come further meanwhile: where to go on is read inside of the transaction.
    database.exec("BEGIN IMMEDIATE");
    const from = new Map(getLanes.all().map((row) => [numberOf(row, "lane"), { segment: numberOf(row, "segment"), offset: numberOf(row, "end") }]));
    if (count === 0) missing = bytesBehind(folder, from);
    const last = new Map<number, LogEntry>();
    let taken = 0;
    insert.begin();
    for (const entry of readLog(folder, { from })) {
      insert.record(entry);
      last.set(entry.lane, entry);
      bytes += entry.end - entry.offset;
      taken += 1;
      if (taken % TELL_EVERY === 0) onProgress({ records: count + taken, share: Math.min(1, bytes / missing) });
      if (taken === BATCH) break;
    }
    insert.end();
    for (const { lane, segment, offset, end, record } of last.values()) setLane.run(lane, segment, offset, end, record.hash);
    database.exec("COMMIT");
    count += taken;
    if (taken < BATCH) return;
  }
}

/** Rows go in many at once; what is left goes in one by one. */
function rowsInto(database: SqlDatabase, table: string, columns: number): { readonly add: (...row: SqlValue[]) => void; readonly flush: () => void } {
  const one = `(${Array.from({ length: columns }, () => "?").join(", ")})`;
  const many = database.prepare(`INSERT INTO ${table} VALUES ${Array.from({ length: ROWS_AT_ONCE }, () => one).join(", ")}`);
  const single = database.prepare(`INSERT INTO ${table} VALUES ${one}`);
  let waiting: SqlValue[] = [];
  return {
    add: (...row) => {
      waiting.push(...row);
      if (waiting.length < columns * ROWS_AT_ONCE) return;
      many.run(...waiting);
      waiting = [];
    },
    flush: () => {
      for (let start = 0; start < waiting.length; start += columns) single.run(...waiting.slice(start, start + columns));
      waiting = [];
    },
  };
}

interface Inserter {
  /** Looks up the number that comes next, inside of the transaction. */
  readonly begin: () => void;
  readonly record: (entry: LogEntry) => void;
  readonly end: () => void;
}

function inserter(database: SqlDatabase, hasWords: boolean): Inserter {
  const highest = database.prepare("SELECT max(n) AS n FROM records");
  const records = rowsInto(database, "records", 15);
  const hooks = rowsInto(database, "hooks", 7);
  const words = hasWords ? rowsInto(database, "words (rowid, text)", 2) : null;
  let n = 0;
  return {
    begin: () => void (n = numberOf(highest.get() ?? {}, "n")),
    record: ({ record: each, lane, segment, offset, end }) => {
      n += 1;
      const tool = each.tool ? toolWord(each.tool.name) : null;
      const approver = each.type === "approval" ? each.approver : null;
      const gated = each.type === "decision" && each.tool && each.gate ? 1 : 0;
      const what = [tool, verdictOf(each) ?? null, eventOf(each) ?? null, approver, gated];
      records.add(n, Date.parse(each.at), each.type, each.id, each.id.slice(-12), each.session ?? null, ...what, lane, segment, offset, end);
      for (const { name, source, durationMs, verdict, ended, fault } of hooksOf(each)) {
        const ran = ended === "skipped" || ended === "detached" ? 0 : 1;
        hooks.add(n, name, durationMs, verdict ?? null, ran, fault?.kind ?? null, source?.file ?? null);
      }
      words?.add(n, textOf(each));
    },
    end: () => {
      records.flush();
      hooks.flush();
      words?.flush();
    },
  };
}

/** How much of a log stands behind what was indexed. */
function bytesBehind(folder: string, from: LogPosition): number {
  return listLanes(folder).reduce((sum, { lane, segments }) => {
    const at = from.get(lane);
    const sizes = segments.map((segment) =>
      segment < (at?.segment ?? 0) ? 0 : statSync(segmentPath(folder, lane, segment)).size - (segment === at?.segment ? at.offset : 0),
    );
    return sizes.reduce((all, size) => all + size, sum);
  }, 0);
}

/** A column that holds a number. */
export function numberOf(row: SqlRow, column: string): number {
  const value = row[column];
  return typeof value === "number" ? value : Number(value ?? 0);
}
