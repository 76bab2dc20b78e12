/** SQLite, from Node where Node has it, else from libsql where that is installed. */
import { trusted } from "../lib/trusted.ts";
import { isObject } from "../lib/json.ts";

/** What goes in and comes out of a statement. */
export type SqlValue = string | number | null;
/** One row. */
export type SqlRow = { readonly [column: string]: unknown };

/** A prepared statement. */
export interface SqlStatement {
  run(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): SqlRow[];
  get(...values: SqlValue[]): SqlRow | undefined;
}

/** An open database: what both libraries have in common. */
export interface SqlDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqlStatement;
  close(): unknown;
}

/** Opens a database file; null where there is no SQLite. */
export type OpenDatabase = (path: string) => SqlDatabase;

/** Finds an SQLite. Loaded only when it is asked for. */
export async function findSqlite(): Promise<OpenDatabase | null> {
  return fromNode() ?? (await fromLibsql());
}

type DatabaseClass = new (path: string) => SqlDatabase;

/** Node warns that its SQLite is experimental; what is used of it here is old and plain. */
function fromNode(): OpenDatabase | null {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    const { getBuiltinModule } = trusted<{ readonly getBuiltinModule?: (name: string) => unknown }>(process);
    const module = getBuiltinModule?.call(process, "node:sqlite");
    return isObject(module) ? openWith(module["DatabaseSync"]) : null;
  } catch {
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function fromLibsql(): Promise<OpenDatabase | null> {
  try {
    const name = "libsql";
    const module: unknown = await import(name);
    return isObject(module) ? openWith(module["default"]) : null;
  } catch {
    return null;
  }
}

function openWith(constructor: unknown): OpenDatabase | null {
  if (typeof constructor !== "function") return null;
  const Database = trusted<DatabaseClass>(constructor);
  return (path) => new Database(path);
}
