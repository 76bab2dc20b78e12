/** An SQLite index beside the log: made from it, brought up to date by every query, thrown away at will. */
import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { eventOf, hooksOf, textOf, toolWord, verdictOf } from "./filter.ts";
import { FILE_MODE, segmentPath } from "./files.ts";
import { readLog, type LogEntry } from "./read.ts";
import { segmentLines } from "./segment-lines.ts";
import type { OpenDatabase, SqlDatabase, SqlRow } from "./sqlite.ts";

/** The index of a log. */
export interface IndexStore {
  readonly database: SqlDatabase;
  /** Whether texts can be searched by words. */
  readonly hasWords: boolean;
  close(): void;
}

/** A change of the tables is another version, and another version is made anew. */
const VERSION = "2";
const INDEX_NAME = "index.sqlite";
/** Records of one transaction, and between two words of progress. */
const BATCH = 20_000;

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
  { rebuild = false, onProgress = () => {} }: { readonly rebuild?: boolean; readonly onProgress?: (records: number) => void } = {},
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

function update(open: OpenDatabase, folder: string, { path, onProgress }: { path: string; onProgress: (records: number) => void }): IndexStore {
  const database = open(path);
  try {
    chmodSync(path, FILE_MODE);
    database.exec("PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;");
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
function catchUp(database: SqlDatabase, folder: string, { hasWords, onProgress }: { hasWords: boolean; onProgress: (records: number) => void }): void {
  const setLane = database.prepare("INSERT OR REPLACE INTO lanes VALUES (?, ?, ?, ?, ?)");
  const getLanes = database.prepare("SELECT lane, segment, end FROM lanes");
  for (let count = 0; ;) {
    // Another process may have come further meanwhile: where to go on is read inside of the transaction.
    database.exec("BEGIN IMMEDIATE");
    const from = new Map(getLanes.all().map((row) => [numberOf(row, "lane"), { segment: numberOf(row, "segment"), offset: numberOf(row, "end") }]));
    const insert = inserter(database, hasWords);
    const last = new Map<number, LogEntry>();
    let taken = 0;
    for (const entry of readLog(folder, { from })) {
      insert(entry);
      last.set(entry.lane, entry);
      if (++taken === BATCH) break;
    }
    for (const { lane, segment, offset, end, record } of last.values()) setLane.run(lane, segment, offset, end, record.hash);
    database.exec("COMMIT");
    count += taken;
    if (taken < BATCH) return;
    onProgress(count);
  }
}

function inserter(database: SqlDatabase, hasWords: boolean): (entry: LogEntry) => void {
  const record = database.prepare("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const hook = database.prepare("INSERT INTO hooks VALUES (?, ?, ?, ?, ?, ?, ?)");
  const words = hasWords ? database.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)") : null;
  const highest = database.prepare("SELECT max(n) AS n FROM records");
  let n: number | null = null;
  return ({ record: each, lane, segment, offset, end }) => {
    n = (n ?? numberOf(highest.get() ?? {}, "n")) + 1;
    const at = Date.parse(each.at);
    const tool = each.tool ? toolWord(each.tool.name) : null;
    const approver = each.type === "approval" ? each.approver : null;
    const gated = each.type === "decision" && each.tool && each.gate ? 1 : 0;
    const where = [gated, lane, segment, offset, end];
    record.run(n, at, each.type, each.id, each.id.slice(-12), each.session ?? null, tool, verdictOf(each) ?? null, eventOf(each) ?? null, approver, ...where);
    for (const { name, source, durationMs, verdict, ended, fault } of hooksOf(each)) {
      const ran = ended === "skipped" || ended === "detached" ? 0 : 1;
      hook.run(n, name, durationMs, verdict ?? null, ran, fault?.kind ?? null, source?.file ?? null);
    }
    words?.run(n, textOf(each));
  };
}

/** A column that holds a number. */
export function numberOf(row: SqlRow, column: string): number {
  const value = row[column];
  return typeof value === "number" ? value : Number(value ?? 0);
}
