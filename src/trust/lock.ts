/** The lock file: what may run in every clone, written to be reviewed and committed. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import * as v from "valibot";
import { canonicalJson } from "../lib/canonical-json.ts";
import { messageOf } from "../lib/errors.ts";
import { insidePath } from "../lib/inside.ts";
import { parseJson } from "../lib/json.ts";
import { SnaphookError } from "../model/errors.ts";
import { portableHash, type Content } from "./content.ts";

/** The name of the lock file in a project. */
export const LOCK_NAME = "snaphook.lock";

const LockFile = v.object({ version: v.literal(1), entries: v.array(v.record(v.string(), v.unknown())) });

/** Which entries a lock file lists. */
export interface Lock {
  readonly path: string;
  readonly lists: (content: Content) => boolean;
}

/** The text of the lock file for these entries: sorted, the same wherever and whenever it is written. */
export function lockText(contents: readonly Content[], root: string): string {
  const lines = [...new Map(contents.map((content) => [canonicalJson(lineOf(content)), lineOf(content, root)]))].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  return `${JSON.stringify({ version: 1, entries: lines.map(([, line]) => line) }, null, 2)}\n`;
}

/** Reads a lock file. Throws when it is missing or damaged: a run that asked for it must not go on without. */
export function readLock(path: string): Lock {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${path} can't be read: ${messageOf(error)}; write it with \`snaphook trust --lock\`` });
  }
  const parsed = v.safeParse(LockFile, parseJson(text));
  if (!parsed.success) throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${path} is no lock file; write it with \`snaphook trust --lock\`` });
  const known = new Set(parsed.output.entries.map(({ from: _, ...line }) => canonicalJson(line)));
  return { path, lists: (content) => known.has(canonicalJson(lineOf(content))) };
}

/** One entry as the lock shows it. All of it must fit when it is read, so that a line says what it allows; only its place may move. */
function lineOf(content: Content, root?: string): { readonly [key: string]: unknown } {
  const { entry, files, interpreters } = content;
  const from = root === undefined || !entry.source ? undefined : (insidePath(entry.source.file, root) ?? basename(entry.source.file));
  return {
    kind: entry.kind,
    what: entry.label,
    about: entry.about,
    ...(from !== undefined && { from }),
    interpreters,
    hash: portableHash(content),
    files: Object.fromEntries(files.map(({ path, sha256 }) => [path, `sha256:${sha256}`])),
  };
}
