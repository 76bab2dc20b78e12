import { GLOB_HOLE, SPLIT_HOLE, beginsWithHole } from "../holes.ts";
import { gitSubcommand } from "./carry.ts";
import { GIT_FILES, type FileRow } from "./files.ts";
import { optionSet, readArguments, type OptionUse } from "./options.ts";
import { wordAt, type FileUse, type Token, type Unit } from "./tree.ts";
import type { ProgramRow } from "./programs.ts";

/** The files that a command reads or writes through its arguments, by table. */
export function usesOf(known: ProgramRow, unit: Unit): readonly FileUse[] {
  if (unit.tokens.length < 2) return NO_USES;
  const from = unit.program === "git" ? gitSubcommand(unit.tokens) : 0;
  const rows = from === 0 ? known.files : GIT_FILES.get(wordAt(unit.tokens, from));
  if (rows === undefined) return NO_USES;
  const found: FileUse[] = [];
  for (const row of rows) addUses(row, unit, from + 1, found);
  return found;
}

/** A word, or the part of it, that may be a path: `--file=.env`, `@.env`; undefined for a plain option. */
export function perhapsPath(token: Token | undefined): Token | undefined {
  if (token === undefined || (token.value.charCodeAt(0) === DASH && !token.value.includes("="))) return undefined;
  if (!SIGN.test(token.value)) return token;
  const value = token.value.replace(/^(?:--?[\w-]+=|[\w.-]+=)?[@<]?/, "");
  return value === token.value ? token : { ...token, value };
}

/** The parts of a word around its colons that may be paths too: `HEAD:.env`, `.env:/mnt/env`. */
export function betweenColons(token: Token): readonly Token[] {
  if (!token.value.includes(":")) return NO_TOKENS;
  const parts = token.value.replace(FILE_URL, "").split(":");
  return parts.flatMap((value) => (value === "" || value === token.value ? [] : [{ ...token, value }]));
}

const NO_TOKENS: readonly Token[] = [];
const SIGN = /[=@<]/;
const DASH = 45;
const BLANK = 32;

function addUses(row: FileRow, unit: Unit, from: number, found: FileUse[]): void {
  const { tokens } = unit;
  const { options, operands } = readArguments(tokens, valuesOf(row), from);
  if (row.only !== undefined && !hasOption(row.only, options, tokens)) return;
  const recursive = row.tree === true || hasOption(row.recursive, options, tokens);
  const certainty = { certain: unit.certain && !row.perhaps, recursive };
  const fileOptions = optionSet(row.fileOptions);
  for (const { name, attached, token, next } of options) {
    const path = attached === undefined ? next : { ...token, value: attached };
    if (path && fileOptions.has(name)) found.push(use(row, plainPath(path), unit, certainty));
  }
  const { key } = row;
  if (key !== undefined) {
    for (const token of operands) {
      if (token.value.startsWith(key)) found.push(use(row, { ...token, value: token.value.slice(key.length) }, unit, certainty));
      else if (beginsWithHole(token.value)) found.push(use(row, token, unit, certainty));
    }
  }
  const skip = hasOption(row.unless, options, tokens) ? 0 : (row.skip ?? 0);
  const files = skip === 0 ? operands : operands.filter((token, index) => index >= skip || spreads(token));
  if (row.orHere && recursive && files.length === 0) for (const token of tokens.slice(0, 1)) found.push(use(row, { ...token, value: "." }, unit, certainty));
  for (const token of operands)
    if (FILE_URL.test(token.value)) found.push(use(READING, { ...token, value: token.value.replace(FILE_URL, "") }, unit, certainty));
  const targeted = options.some((option) => option.name === "-t" || option.name === "--target-directory");
  for (const token of chosen(row, files, targeted)) found.push(use(row, token, unit, certainty));
  if (row.operands === "last" && row.access === "write" && !targeted) found.push(...intoFolder(row, files, unit));
}

const FILE_URL = /^file:(?:\/\/(?:localhost)?(?=\/))?/i;
const READING: Pick<FileRow, "access" | "needs"> = { access: "read", needs: "nothing" };

/** Whether one of the options was given; a list that ends in a letter also means that one of tar's bare letters. */
function hasOption(list: string | undefined, options: readonly OptionUse[], tokens: readonly Token[]): boolean {
  if (list === undefined) return false;
  const set = optionSet(list);
  for (const option of options) if (set.has(option.name)) return true;
  if (list.charCodeAt(list.length - 2) !== BLANK) return false;
  const bare = wordAt(tokens, 1);
  return bare.includes(list.slice(-1)) && /^[a-zA-Z]+$/.test(bare);
}

const NO_USES: readonly FileUse[] = [];
const VALUES = new Map<FileRow, ReadonlySet<string>>();

/** Options of a row that take the next word, file or not. */
function valuesOf(row: FileRow): ReadonlySet<string> {
  const known = VALUES.get(row) ?? new Set([...optionSet(row.values), ...optionSet(row.fileOptions)]);
  VALUES.set(row, known);
  return known;
}

/** One word that may become several: the operands behind it can't be counted. */
function spreads(token: Token | undefined): boolean {
  return token !== undefined && token.dynamic && (token.splits || token.value.includes(SPLIT_HOLE) || token.value.includes(GLOB_HOLE));
}

function chosen(row: FileRow, files: readonly Token[], targeted: boolean): readonly Token[] {
  const open = spreads(files.at(-1));
  switch (row.operands) {
    case "all":
      return files;
    case "sources":
      return targeted || open || files.length === 1 ? files : files.slice(0, -1);
    case "last":
      return targeted || (files.length < 2 && !open) ? [] : files.slice(-1);
    case "first":
      return files.slice(0, 1);
    case "none":
      return [];
  }
}

/** The target may be a folder: then the file written is in it, under the name of the source. */
function intoFolder(row: FileRow, files: readonly Token[], unit: Unit): readonly FileUse[] {
  return files.slice(-1).flatMap((target) => {
    const folder = withoutSlashes(target.value);
    const names = files
      .slice(0, -1)
      .map(({ value }) => baseName(withoutSlashes(value)))
      .filter((name) => name !== "");
    return names.map((name) => use(row, { ...target, value: `${folder}/${name}` }, unit, { certain: unit.certain, recursive: false }));
  });
}

function withoutSlashes(path: string): string {
  return path.replace(/\/+$/, "");
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** curl's `@file` and `name=@file` name a file. */
function plainPath(token: Token): Token {
  const at = /^(?:[\w.-]+=)?[@<](.+)$/s.exec(token.value)?.[1];
  return at === undefined ? token : { ...token, value: at };
}

function use(row: Pick<FileRow, "access" | "needs">, token: Token, unit: Unit, { certain, recursive }: { certain: boolean; recursive: boolean }): FileUse {
  return {
    access: row.access,
    token: token.below === undefined ? token : { ...token, value: token.below },
    start: token.start,
    end: token.end,
    places: unit.places,
    certain: certain && token.below === undefined,
    recursive: recursive || token.below !== undefined,
    needs: row.needs,
    source: "argument",
    unit,
  };
}
