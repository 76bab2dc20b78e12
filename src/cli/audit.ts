import { resolve } from "node:path";
import { nearest } from "../lib/nearest.ts";
import { SnaphookError } from "../model/errors.ts";
import { FILTER_OPTIONS } from "./audit/filter-options.ts";
import { auditPlace } from "./audit/place.ts";
import type { Command, Surface, Words } from "./command.ts";

/** One part of `snaphook audit`. */
export type AuditPart = (words: Words, surface: Surface, folder: string) => Promise<number>;

/** The parts, each loaded when it is used. */
const PARTS: { readonly [name: string]: () => Promise<AuditPart> } = {
  tail: async () => (await import("./audit/tail.ts")).tail,
  query: async () => (await import("./audit/search.ts")).search,
  verify: async () => (await import("./audit/check.ts")).check,
  export: async () => (await import("./audit/export.ts")).exportRecords,
  stats: async () => (await import("./audit/numbers.ts")).numbers,
};

/** `snaphook audit tail|query|verify|export|stats`. */
export const auditCommand: Command = {
  summary: "what was decided, by whom and why: tail, query, verify, export, stats",
  usage: "audit tail [-f] | query [WORD]… | verify | export [--format jsonl|csv] | stats   [--since 2h] [--verdict deny] …",
  options: {
    follow: { type: "boolean", short: "f", help: "tail: go on as the log grows" },
    lines: { type: "string", short: "n", value: "N", help: "tail and query: the newest so many records (20, 100)" },
    ...FILTER_OPTIONS,
    expect: { type: "string", value: "HASH", help: "verify: the log must hold a record with this hash, which was kept elsewhere" },
    format: { type: "string", value: "FORMAT", help: "export: jsonl or csv (jsonl)" },
    output: { type: "string", short: "o", value: "FILE", help: "export: write to a file instead of stdout" },
    rebuild: { type: "boolean", help: "query and stats: make the index anew, from the log" },
    log: { type: "string", value: "DIR", help: "another log than that of SNAPHOOK_AUDIT or ~/.local/state/snaphook/audit" },
  },
  notes: [
    "`snaphook run`, `bridge` and `fire` record each event with its decision, every hook's result and who approved, without secrets.",
    "Each record's hash covers the record before it: `audit verify` names the first one that was altered, dropped or moved, and ends with 1.",
    "Words of query are searched in the records' texts. `snaphook why ID` explains one decision.",
  ],
  run: async (words, surface) => {
    const [name, ...rest] = words.positionals;
    const part = name !== undefined && Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (!part) throw new SnaphookError("SNAP_USAGE", { message: whichPart(name) });
    if (rest.length > 0 && name !== "query")
      throw new SnaphookError("SNAP_USAGE", { message: `audit ${name} takes no words, but ${JSON.stringify(rest[0])} was given` });
    return (await part())({ ...words, positionals: rest }, surface, logFolder(words, surface));
  },
};

/** The folder of the log that a command line means. */
export function logFolder(words: Words, surface: Surface): string {
  const named = words.values["log"]?.at(-1);
  // What is recorded no longer can still be looked at.
  const { SNAPHOOK_AUDIT: word, ...rest } = surface.env;
  return named === undefined ? (auditPlace({ ...surface, env: word === "off" ? rest : surface.env }).folder ?? "") : resolve(surface.cwd, named);
}

function whichPart(name: string | undefined): string {
  const known = Object.keys(PARTS);
  const meant = name === undefined ? undefined : nearest(name, known);
  const what = name === undefined ? "audit takes one of" : `audit has no "${name}"${meant === undefined ? "" : `, did you mean "${meant}"?`} There are`;
  return `${what} ${known.join(", ")}: snaphook audit tail`;
}
