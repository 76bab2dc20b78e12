import { FILES, NAMERS, type FileRow } from "./files.ts";
import { optionSet, readArguments } from "./options.ts";
import type { FileUse, Token, Unit } from "./tree.ts";
import { WRAPPERS } from "./wrappers.ts";

/** The files that a command reads or writes through its arguments, by table. */
export function usesOf(program: string, unit: Unit): readonly FileUse[] {
  const rows = FILES.get(program);
  if (rows === undefined) return NO_USES;
  const words = unit.tokens.map((token) => token.value);
  return rows.flatMap((row) => usesOfRow(row, words, unit));
}

/** Words of a program in no table that may be files it reads. */
export function namedFiles(program: string, unit: Unit): readonly FileUse[] {
  if (unit.tokens.length === 1 || FILES.has(program) || NAMERS.has(program) || WRAPPERS.has(program)) return NO_USES;
  const found: FileUse[] = [];
  for (let at = 1; at < unit.tokens.length; at += 1) {
    const token = unit.tokens[at];
    if (token && isPerhapsPath(token.value)) found.push(use(NAMED, afterSign(token), unit, { certain: false, recursive: false }));
  }
  return found;
}

const NAMED: Pick<FileRow, "access" | "needs"> = { access: "read", needs: "nothing" };

/** A plain option names no file. */
function isPerhapsPath(word: string): boolean {
  return word.charCodeAt(0) !== DASH || word.includes("=");
}

const DASH = 45;

/** `--file=.env`, `@.env`, `-f.env`: the part that may be a path. */
function afterSign(token: Token): Token {
  if (!/[=@<]/.test(token.value)) return token;
  const value = /^(?:--?[\w-]+=|[\w.-]+=)?[@<]?(.*)$/s.exec(token.value)?.[1] ?? token.value;
  return value === token.value ? token : { ...token, value };
}

function usesOfRow(row: FileRow, words: readonly string[], unit: Unit): readonly FileUse[] {
  const values = valuesOf(row);
  const { options, operands } = readArguments(words, values);
  const has = (list: string | undefined): boolean => {
    const set = optionSet(list);
    return set.size > 0 && (options.some((option) => set.has(option.name)) || (words[1] !== undefined && /^[a-zA-Z]+$/.test(words[1]) && list?.endsWith(" x") === true && words[1].includes("x")));
  };
  if (row.only !== undefined && !has(row.only)) return [];
  const recursive = row.tree === true || has(row.recursive);
  const found: FileUse[] = [];
  const add = (token: Token | undefined): void => {
    if (token) found.push(use(row, token, unit, { certain: unit.certain, recursive }));
  };
  const fileOptions = optionSet(row.fileOptions);
  for (const option of options) {
    const token = unit.tokens[option.at];
    if (!fileOptions.has(option.name) || token === undefined) continue;
    add(option.attached === undefined ? plainPath(unit.tokens[option.at + 1]) : plainPath({ ...token, value: option.attached }));
  }
  if (row.key !== undefined) {
    const key = row.key;
    for (const at of operands) {
      const token = unit.tokens[at];
      if (token?.value.startsWith(key)) add({ ...token, value: token.value.slice(key.length) });
    }
  }
  const skip = has(row.unless) ? 0 : (row.skip ?? 0);
  const files = operands.slice(skip);
  const targeted = options.some((option) => option.name === "-t" || option.name === "--target-directory");
  for (const at of chosen(row, files, targeted)) add(unit.tokens[at]);
  if (row.operands === "last" && row.access === "write" && !targeted) found.push(...intoFolder(row, files, unit));
  return found;
}

const NO_USES: readonly FileUse[] = [];
const VALUES = new Map<FileRow, ReadonlySet<string>>();

/** Options of a row that take the next word, file or not. */
function valuesOf(row: FileRow): ReadonlySet<string> {
  const known = VALUES.get(row) ?? new Set([...optionSet(row.values), ...optionSet(row.fileOptions)]);
  VALUES.set(row, known);
  return known;
}

function chosen(row: FileRow, files: readonly number[], targeted: boolean): readonly number[] {
  switch (row.operands) {
    case "all":
      return files;
    case "sources":
      return targeted || files.length === 1 ? files : files.slice(0, -1);
    case "last":
      return targeted || files.length < 2 ? [] : files.slice(-1);
    case "first":
      return files.slice(0, 1);
    case "none":
      return [];
  }
}

/** The target may be a folder: then the file written is in it, under the name of the source. */
function intoFolder(row: FileRow, files: readonly number[], unit: Unit): readonly FileUse[] {
  const target = unit.tokens[files.at(-1) ?? -1];
  if (target === undefined || files.length < 2) return [];
  return files.slice(0, -1).flatMap((at) => {
    const name = unit.tokens[at]?.value.replace(/\/+$/, "").split("/").at(-1);
    if (name === undefined || name === "") return [];
    const token = { ...target, value: `${target.value.replace(/\/+$/, "")}/${name}` };
    return [use(row, token, unit, { certain: unit.certain, recursive: false })];
  });
}

/** curl's `@file` and `name=@file` name a file. */
function plainPath(token: Token | undefined): Token | undefined {
  if (token === undefined) return undefined;
  const at = /^(?:[\w.-]+=)?[@<](.+)$/s.exec(token.value)?.[1];
  return at === undefined ? token : { ...token, value: at };
}

function use(row: Pick<FileRow, "access" | "needs">, token: Token, unit: Unit, { certain, recursive }: { certain: boolean; recursive: boolean }): FileUse {
  return { access: row.access, token, start: token.start, end: token.end, places: unit.places, certain, recursive, needs: row.needs, source: "argument", unit };
}
