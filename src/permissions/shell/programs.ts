/** What all tables say of a program, in one row: every command is looked up once. */
import { hasHole } from "../holes.ts";
import { CARRIERS, type CarrierRow } from "./carriers.ts";
import type { DoubtKind } from "./doubts.ts";
import { FILES, NAMERS, type FileRow } from "./files.ts";
import { INTERPRETERS, type InterpreterRow } from "./interpreters.ts";
import type { Token } from "./tree.ts";
import { STATE_BUILTINS } from "./variables.ts";
import { SUBCOMMAND_WRAPPERS, WRAPPERS, type WrapperRow } from "./wrappers.ts";

/** One program, as far as some table knows it. */
export interface ProgramRow {
  /** What a builtin of this name changes. */
  readonly builtin: DoubtKind | undefined;
  readonly files: readonly FileRow[] | undefined;
  readonly carrier: CarrierRow | undefined;
  readonly interpreter: InterpreterRow | undefined;
  readonly wrapper: WrapperRow | undefined;
  /** Wrappers by subcommand. */
  readonly subcommands: ReadonlyMap<string, WrapperRow> | undefined;
  /** It searches folders and may start commands for what it finds. */
  readonly executes: boolean;
  /** Its words may be assignments. */
  readonly assigns: boolean;
  /** Its words may be files it reads: no table says what they are. */
  readonly mayNameFiles: boolean;
}

/** Programs that search folders and start commands for what they find. */
const EXECUTORS: ReadonlySet<string> = new Set(["find", "gfind", "fd", "fdfind", "bfs"]);

/** Builtins whose words may be assignments. */
const SETTERS: ReadonlySet<string> = new Set(["export", "declare", "typeset", "readonly", "local"]);

const SUBCOMMANDS: ReadonlyMap<string, ReadonlyMap<string, WrapperRow>> = subcommands();

const PROGRAMS: ReadonlyMap<string, ProgramRow> = new Map(
  [
    ...STATE_BUILTINS.keys(),
    ...FILES.keys(),
    ...NAMERS,
    ...CARRIERS.keys(),
    ...INTERPRETERS.keys(),
    ...WRAPPERS.keys(),
    ...SUBCOMMANDS.keys(),
    ...EXECUTORS,
    ...SETTERS,
    "git",
  ].map((name) => [name, rowOf(name)]),
);

/** The row of a program, also with its version behind the name, as `python3.12` and `bash-5.2`; undefined when no table knows it. */
export function knownProgram(name: string | undefined): ProgramRow | undefined {
  if (name === undefined) return undefined;
  const row = PROGRAMS.get(name);
  if (row !== undefined || !VERSIONED.test(name)) return row;
  const plain = PROGRAMS.get(name.replace(VERSION, ""));
  return plain?.interpreter && plain;
}

const VERSIONED = /\d$/;
const VERSION = /-?\d[\d.]*$/;

/** The name by which tables know the program of a command: without folder, and without case where disks fold it. */
export function programOf(word: Token | undefined, foldCase: boolean): string | undefined {
  if (word === undefined || (word.dynamic && hasHole(word.value))) return undefined;
  const { value } = word;
  const name = value.includes("/") ? value.slice(value.lastIndexOf("/") + 1) : value;
  return foldCase ? name.toLowerCase().replace(/\.(exe|cmd|bat|com)$/, "") : name;
}

function rowOf(name: string): ProgramRow {
  const wrapper = WRAPPERS.get(name);
  return {
    builtin: STATE_BUILTINS.get(name),
    files: FILES.get(name),
    carrier: CARRIERS.get(name),
    interpreter: INTERPRETERS.get(name),
    wrapper,
    subcommands: SUBCOMMANDS.get(name),
    executes: EXECUTORS.has(name),
    assigns: SETTERS.has(name) || wrapper?.assigns === true,
    mayNameFiles: !FILES.has(name) && !NAMERS.has(name) && wrapper === undefined,
  };
}

function subcommands(): Map<string, Map<string, WrapperRow>> {
  const rows = new Map<string, Map<string, WrapperRow>>();
  for (const [key, row] of SUBCOMMAND_WRAPPERS) {
    const [program = "", word = ""] = key.split(" ");
    const inner = rows.get(program) ?? new Map<string, WrapperRow>();
    inner.set(word, row);
    rows.set(program, inner);
  }
  return rows;
}
