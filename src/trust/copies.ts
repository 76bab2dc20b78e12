/** Copies of approved texts, so that a review can show what changed: by digest, private, bounded. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Content } from "./content.ts";
import { listRecords, privateFolder, replaceFile, sweepDrafts } from "./record.ts";

/** Copies kept at most; the oldest that no record names go first. */
const COPY_LIMIT = 2_000;

/** A copy younger than this may belong to an approval that is being written. */
const YOUNG_MS = 3_600_000;

function copyFolder(stateDir: string): string {
  return join(stateDir, "snaphook", "approved");
}

/** Keeps the texts of what is about to be approved. */
export function keepCopies(contents: readonly Content[], stateDir: string): void {
  const folder = privateFolder(copyFolder(stateDir));
  sweepDrafts(folder);
  for (const { files, texts } of contents) {
    for (const { path, sha256 } of files) {
      const text = texts.get(path);
      if (text !== undefined) keepCopy(join(folder, sha256), text);
    }
  }
}

function keepCopy(path: string, text: string): void {
  const now = new Date();
  if (statSync(path, { throwIfNoEntry: false })) utimesSync(path, now, now);
  else replaceFile(path, text);
}

/** The text that was approved under a digest; undefined when no copy was kept, or it was touched since. */
export function approvedText(sha256: string, stateDir: string): string | undefined {
  try {
    const bytes = readFileSync(join(copyFolder(stateDir), sha256));
    return createHash("sha256").update(bytes).digest("hex") === sha256 ? bytes.toString("utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** Lets go of copies that no record names any more, and of the oldest above the limit. */
export function dropOldCopies({ stateDir, configDir, now }: { readonly stateDir: string; readonly configDir: string; readonly now: number }): void {
  const folder = copyFolder(stateDir);
  const named = new Set(listRecords(configDir).records.flatMap(({ entries }) => entries.flatMap(({ files }) => files.map(({ sha256 }) => sha256))));
  const copies = readdirSync(folder)
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .map((name) => ({ name, touchedMs: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((left, right) => right.touchedMs - left.touchedMs);
  for (const [index, { name, touchedMs }] of copies.entries()) {
    if (index >= COPY_LIMIT || (!named.has(name) && now - touchedMs > YOUNG_MS)) rmSync(join(folder, name), { force: true });
  }
}
