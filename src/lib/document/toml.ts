/** TOML. The parser gives values only, so places are found by a look at headers and keys. */
import { parse, TomlError } from "smol-toml";
import { isObject } from "../json.ts";
import type { DocNode, ParsedDocument, Position } from "./node.ts";

/** Parses TOML. */
export function parseTomlDocument(text: string): ParsedDocument {
  try {
    const places = findPlaces(text);
    return { kind: "parsed", root: convert(parse(text), [], { line: 1, column: 1 }, places) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { kind: "broken", message: error.message.split("\n")[0] ?? "it is not TOML", at: { line: error.line, column: error.column } };
  }
}

type Places = ReadonlyMap<string, Position>;
type Path = readonly (string | number)[];

function convert(value: unknown, path: Path, inherited: Position, places: Places): DocNode {
  const at = places.get(JSON.stringify(path)) ?? inherited;
  if (Array.isArray(value)) return { kind: "list", at, items: value.map((item: unknown, index) => convert(item, [...path, index], at, places)) };
  if (value instanceof Date) return { kind: "scalar", at, value: value.toISOString() };
  if (!isObject(value))
    return { kind: "scalar", at, value: typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : String(value) };
  const entries = Object.entries(value).map(([key, child]) => {
    const childPath = [...path, key];
    const keyAt = places.get(JSON.stringify(childPath)) ?? at;
    return { key, at: keyAt, value: convert(child, childPath, keyAt, places) };
  });
  return { kind: "object", at, entries };
}

/** Where each table header and each `key =` stands, by path. Inline tables inherit the place of their key. */
function findPlaces(text: string): Places {
  const places = new Map<string, Position>();
  const lists = new Map<string, number>();
  let table: Path = [];
  let open: string | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    if (open !== null) {
      if (line.includes(open)) open = null;
      continue;
    }
    const at = { line: index + 1, column: line.search(/\S/) + 1 };
    const header = /^\s*(\[\[?)([^\]]+)\]/.exec(line);
    const key = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/.exec(line);
    if (header) {
      table = tablePath(keyParts(header[2] ?? ""), header[1] === "[[", lists);
      places.set(JSON.stringify(table), at);
      if (typeof table.at(-1) === "number" && table.at(-1) === 0) places.set(JSON.stringify(table.slice(0, -1)), at);
    } else if (key) places.set(JSON.stringify([...table, ...keyParts(key[1] ?? "")]), at);
    for (const quote of ['"""', "'''"]) if (line.split(quote).length % 2 === 0) open = quote;
  }
  return places;
}

/** `[[a.b]]` opens one more element of a list; `[a.b.c]` stands in the last element of every list above it. */
function tablePath(parts: readonly string[], isList: boolean, lists: Map<string, number>): Path {
  const path: (string | number)[] = [];
  for (const [index, part] of parts.entries()) {
    path.push(part);
    const name = JSON.stringify(path);
    const last = index === parts.length - 1;
    if (last && isList) lists.set(name, (lists.get(name) ?? -1) + 1);
    const element = lists.get(name);
    if (element !== undefined && (!last || isList)) path.push(element);
  }
  return path;
}

function keyParts(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
