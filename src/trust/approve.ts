/** Approving what is in a folder now, and looking at what changed since. */
import { basename } from "node:path";
import { canonicalJson } from "../lib/canonical-json.ts";
import { insidePath } from "../lib/inside.ts";
import { diffLines, type DiffLine } from "../lib/line-diff.ts";
import type { Pair } from "./compare.ts";
import type { Content } from "./content.ts";
import { approvedText, dropOldCopies, keepCopies } from "./copies.ts";
import { readRecord, writeRecord, type ApprovedEntry, type FolderRecord } from "./record.ts";

/** Where approvals and their copies are kept. */
export interface Shelf {
  readonly configDir: string;
  readonly stateDir: string;
}

/** Approves these entries for a folder, by its real path, and nothing else. What is refused is left out. */
export function approve(
  contents: readonly Content[],
  { folder, shelf, now }: { readonly folder: string; readonly shelf: Shelf; readonly now: Date },
): FolderRecord {
  const before = readRecord(shelf.configDir, folder);
  const known = new Map((before.kind === "record" ? before.record.entries : []).map((entry) => [entry.hash, entry.at]));
  const at = now.toISOString();
  const approved = contents.filter(({ refused }) => refused === null);
  const entries = [...new Map(approved.map((content) => [content.hash, approvedEntry(content, known.get(content.hash) ?? at)])).values()];
  const record: FolderRecord = { version: 1, folder, at, entries };
  keepCopies(approved, shelf.stateDir);
  writeRecord(shelf.configDir, record);
  dropOldCopies({ ...shelf, now: now.getTime() });
  return record;
}

function approvedEntry({ entry, hash, spec, files, programs }: Content, at: string): ApprovedEntry {
  const from = entry.source ? (insidePath(entry.source.file, entry.folder) ?? basename(entry.source.file)) : "";
  return { kind: entry.kind, label: entry.label, about: entry.about, from, hash, at, spec: { ...spec }, files: [...files], programs: [...programs] };
}

/** What changed in one part of an entry: what it says, a file, or where a program is found. */
export interface Change {
  readonly what: string;
  /** Absent where no copy of the old text was kept. */
  readonly lines: readonly DiffLine[] | null;
}

/** What changed in an entry since it was approved; everything, where it is new or gone. */
export function changesOf({ present, approved }: Pair, { stateDir }: Pick<Shelf, "stateDir">): readonly Change[] {
  const changes: Change[] = [];
  const said = (spec: unknown): string => (spec === undefined ? "" : readable(spec));
  if (canonicalJson(present?.spec) !== canonicalJson(approved?.spec))
    changes.push({ what: "entry", lines: diffLines(said(approved?.spec), said(present?.spec)) });
  const old = new Map((approved?.files ?? []).map((file) => [file.path, file]));
  const now = new Map((present?.files ?? []).map((file) => [file.path, file]));
  for (const path of [...new Set([...old.keys(), ...now.keys()])].toSorted()) {
    const [before, after] = [old.get(path), now.get(path)];
    if (before?.sha256 === after?.sha256) continue;
    const texts = [before ? approvedText(before.sha256, stateDir) : "", after ? present?.texts.get(path) : ""] as const;
    changes.push({ what: path, lines: texts[0] === undefined || texts[1] === undefined ? null : diffLines(texts[0], texts[1]) });
  }
  const found = (programs: readonly { name: string; path: string }[] | undefined): string =>
    (programs ?? []).map(({ name, path }) => `${name}: ${path}\n`).join("");
  if (found(present?.programs) !== found(approved?.programs))
    changes.push({ what: "programs", lines: diffLines(found(approved?.programs), found(present?.programs)) });
  return changes;
}

/** An entry as people read it: one line a field, what says nothing left out. */
function readable(spec: unknown): string {
  const fields = Object.entries(typeof spec === "object" && spec !== null ? spec : {}).filter(([, value]) => !isNothing(value));
  return fields.map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}\n`).join("");
}

function isNothing(value: unknown): boolean {
  return value === null || value === false || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}
