/** Reads the fields of one entry, field by field: a bad one is reported at its place and costs nothing but itself. */
import * as v from "valibot";
import { nearest } from "../lib/nearest.ts";
import { entryOf, kindOf, plainValue, type DocEntry, type DocNode, type Position } from "../lib/document/node.ts";
import type { Notice } from "../model/notice.ts";
import { SAFE_VALUE, SCHEMAS, type FieldName, type FieldValue } from "./fields.ts";

/** Says what is wrong and where; the file is added by whoever reads it. */
export type Report = (at: Position, notice: Notice) => void;

/** Gives the fields of one entry, checked, with their places. A field of null is an absent one. */
export interface EntryReader {
  get<Name extends FieldName>(name: Name): FieldValue<Name> | undefined;
  has(name: FieldName): boolean;
  at(name: FieldName): Position;
}

/** What an entry may hold, and who hears what is wrong with it. */
export interface EntryOptions {
  /** Fields the entry may have, and under which key they stand. */
  readonly fields: { readonly [key: string]: FieldName };
  /** `error`: our own file, every key must be known. `near`: a file shared with other programs, only near misses are told. */
  readonly unknown: "error" | "near";
  readonly report: Report;
}

/** A reader of an object node's fields. */
export function readEntry(node: DocNode, { fields, unknown, report }: EntryOptions): EntryReader {
  reportDuplicates(node, report);
  reportUnknown(node, { fields, unknown, report });
  const keyOf = (name: FieldName): string => Object.keys(fields).find((key) => fields[key] === name) ?? name;
  const place = (name: FieldName): Position => entryOf(node, keyOf(name))?.value.at ?? node.at;
  const given = (name: FieldName): DocEntry | undefined => {
    const entry = Object.values(fields).includes(name) ? entryOf(node, keyOf(name)) : undefined;
    return entry?.value.kind === "scalar" && entry.value.value === null ? undefined : entry;
  };
  return {
    at: place,
    has: (name) => given(name) !== undefined,
    get: (name) => {
      const entry = given(name);
      if (!entry) return undefined;
      const parsed = v.safeParse(SCHEMAS[name], plainValue(entry.value));
      if (parsed.success) return parsed.output;
      const kind = DURATIONS.includes(name) ? "bad-duration" : "wrong-type";
      report(entry.value.at, { kind, message: `${keyOf(name)} ${shown(entry.value)} ${parsed.issues[0].message}${SAFE_NOTE[kind] ?? ""}` });
      return SAFE_VALUE[name];
    },
  };
}

const DURATIONS: readonly FieldName[] = ["timeout", "duration", "idle"];
const SAFE_NOTE: { readonly [kind: string]: string } = { "bad-duration": "; the default holds" };

function reportDuplicates(node: DocNode, report: Report): void {
  if (node.kind !== "object") return;
  const seen = new Set<string>();
  for (const { key, at } of node.entries) {
    if (seen.has(key)) report(at, { kind: "duplicate-key", message: `"${key}" stands twice in one entry; the last one counts, remove the other` });
    seen.add(key);
  }
}

function reportUnknown(node: DocNode, { fields, unknown, report }: EntryOptions): void {
  if (node.kind !== "object") return;
  for (const { key, at } of node.entries) {
    if (Object.hasOwn(fields, key)) continue;
    // Every short key is near "if": `id` is a key of its own in other programs' files.
    const meant = nearest(
      key,
      Object.keys(fields).filter((name) => name.length > 2),
    );
    if (meant === undefined && unknown === "near") continue;
    report(at, {
      kind: "unknown-key",
      message: `unknown key "${key}"${meant === undefined ? `; known: ${Object.keys(fields).join(", ")}` : `, did you mean "${meant}"?`}`,
    });
  }
}

/** A value in a message: short texts as they are, the rest by kind. */
function shown(node: DocNode): string {
  return node.kind === "scalar" && String(node.value).length <= 40 ? JSON.stringify(node.value) : `(${kindOf(node)})`;
}
