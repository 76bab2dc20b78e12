/** What a user approved in one folder: a file of its own, so that writers of different folders never meet. */
import { createHash, randomUUID } from "node:crypto";
import { closeSync, fstatSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { closeQuietly } from "../lib/close-quietly.ts";
import { codeOf, messageOf } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import { makePrivate, notPrivate } from "../lib/private.ts";
import { isRunning } from "../lib/running.ts";
import { SnaphookError } from "../model/errors.ts";
import { ENTRY_KINDS } from "./entry.ts";

const ApprovedFile = v.object({ path: v.string(), sha256: v.string(), size: v.number() });
const Approved = v.object({
  kind: v.picklist(["hook", "rule", "server", "agent", "approval"] satisfies (keyof typeof ENTRY_KINDS)[]),
  label: v.string(),
  about: v.string(),
  /** The file it stood in, relative to the folder. */
  from: v.string(),
  hash: v.string(),
  /** When it was approved with this hash. */
  at: v.string(),
  spec: v.record(v.string(), v.unknown()),
  files: v.array(ApprovedFile),
  programs: v.array(v.object({ name: v.string(), path: v.string() })),
});
const Record = v.object({ version: v.literal(1), folder: v.string(), at: v.string(), entries: v.array(Approved) });

/** One approved entry. */
export type ApprovedEntry = v.InferOutput<typeof Approved>;

/** All that was approved in a folder, and when. */
export type FolderRecord = v.InferOutput<typeof Record>;

/** A record, that there is none, or why it does not count. */
export type RecordRead =
  | { readonly kind: "record"; readonly record: FolderRecord }
  | { readonly kind: "absent" }
  /** `unread`: it may be sound, and could not be read now. */
  | { readonly kind: "refused"; readonly message: string; readonly unread?: true };

/** The folder that holds the records. */
export function recordFolder(configDir: string): string {
  return join(configDir, "snaphook", "trust");
}

/** The file of one folder's record, by the folder's real path. */
export function recordFile(configDir: string, folder: string): string {
  return join(recordFolder(configDir), `${createHash("sha256").update(folder).digest("hex").slice(0, 32)}.json`);
}

/** Reads the record of a folder; one that somebody else could have written does not count. */
export function readRecord(configDir: string, folder: string): RecordRead {
  const read = readRecordFile(recordFile(configDir, folder));
  if (read.kind !== "record" || read.record.folder === folder) return read;
  return { kind: "refused", message: `${recordFile(configDir, folder)} is the record of another folder; nothing in it counts` };
}

function readRecordFile(path: string): RecordRead {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (isMissing(error)) return { kind: "absent" };
    return unread(path, error);
  }
  try {
    const wrong = notPrivate(path, fstatSync(file)) ?? notPrivate(join(path, ".."), statSync(join(path, "..")));
    if (wrong !== null) return { kind: "refused", message: `${wrong}; nothing that was trusted counts` };
    const parsed = v.safeParse(Record, parseJson(readFileSync(file, "utf8")));
    if (parsed.success) return { kind: "record", record: parsed.output };
    return { kind: "refused", message: `${path} is no record of trust; nothing in it counts. \`snaphook trust\` writes it anew` };
  } catch (error) {
    return unread(path, error);
  } finally {
    closeQuietly(file);
  }
}

function unread(path: string, error: unknown): RecordRead {
  return { kind: "refused", message: `${path} can't be read: ${messageOf(error)}; nothing in it counts`, unread: true };
}

/** Every record there is, and what is wrong with the others. */
export function listRecords(configDir: string): { readonly records: readonly FolderRecord[]; readonly refused: readonly string[] } {
  const folder = recordFolder(configDir);
  const reads = namesIn(folder)
    .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
    .map((name) => readRecordFile(join(folder, name)));
  const records = reads.flatMap((read) => (read.kind === "record" ? [read.record] : []));
  return {
    records: records.toSorted((left, right) => (left.folder < right.folder ? -1 : 1)),
    refused: reads.flatMap((read) => (read.kind === "refused" ? [read.message] : [])),
  };
}

/** Writes a record whole: a reader sees the old one or the new one, also when the writer is killed. It is on the disk when this returns. */
export function writeRecord(configDir: string, record: FolderRecord): void {
  const folder = privateFolder(recordFolder(configDir));
  sweepDrafts(folder);
  replaceFile(recordFile(configDir, record.folder), `${JSON.stringify(record, null, 1)}\n`);
}

/** Takes the trust in a folder back. False: there was none. */
export function removeRecord(configDir: string, folder: string): boolean {
  const path = recordFile(configDir, folder);
  if (!statSync(path, { throwIfNoEntry: false })) return false;
  privateFolder(recordFolder(configDir));
  rmSync(path);
  return true;
}

/** A folder that only its user may enter, made where it is missing. Throws when it is somebody else's or open. */
export function privateFolder(folder: string): string {
  const wrong = makePrivate(folder);
  if (wrong !== null) throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${wrong}: trust is not kept there` });
  return folder;
}

/** Puts a private file in place in one step. */
export function replaceFile(path: string, bytes: string | Uint8Array): void {
  const folder = join(path, "..");
  const draft = join(folder, `.draft-${process.pid}-${randomUUID()}`);
  const file = openSync(draft, "wx", 0o600);
  try {
    const buffer = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    for (let at = 0; at < buffer.length;) at += writeSync(file, buffer, at);
    fsyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncFolder(folder);
}

function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Drafts of writers that were killed. */
export function sweepDrafts(folder: string): void {
  for (const name of namesIn(folder)) {
    const writer = /^\.draft-(\d+)-/.exec(name)?.[1];
    if (writer !== undefined && !isRunning(Number(writer))) rmSync(join(folder, name), { force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}
