/** Commands that a shell carries out by itself, from their text alone: a shell that is already there can do that in a fork. */
import { accessSync, constants } from "node:fs";
import { literalText, plainCommands, quoted, variablesOf, type PlainCommand } from "../shell-text.ts";
import type { ProcessRequest } from "../process.ts";
import { commandText, fits } from "./shell-request.ts";

/** What a shell is told to carry out. */
export interface ShellTask {
  readonly text: string;
  /** Assigns every variable that the text reads, or makes sure that there is none. */
  readonly variables: string;
}

type Words = readonly (string | undefined)[];

const COMPARISONS = new Set<string | undefined>(["=", "!="]);
const LENGTHS = new Set<string | undefined>(["-n", "-z"]);

/** A comparison of texts; one that looks at files would look from another folder. */
function comparesTexts(words: Words): boolean {
  return words.length === 3 ? COMPARISONS.has(words[1]) : words.length === 2 && LENGTHS.has(words[0]);
}

/** Each command, and with which words it depends on nothing but them: on no folder, no file, no input, no other program. Undefined words hold variables. */
const BUILTINS: { readonly [name: string]: (words: Words) => boolean } = {
  true: () => true,
  false: () => true,
  ":": () => true,
  echo: () => true,
  // Only what prints no more than it is given.
  printf: (words) => words.length > 0 && words.every((word) => word !== undefined && !/%[^s%]/.test(word)),
  test: comparesTexts,
  "[": (words) => words.at(-1) === "]" && comparesTexts(words.slice(0, -1)),
  // Higher codes are how a shell tells of a signal.
  exit: (words) => words.length === 0 || (words.length === 1 && /^\d{1,3}$/.test(words[0] ?? "") && Number(words[0]) <= 128),
};

/** Variables that a shell makes itself, or that change what it does. */
const OF_THE_SHELL = /^(?:PWD|OLDPWD|PPID|IFS|OPTIND|OPTARG|LINENO|PS\d|MAIL\w*|ATTY|_)$/;

/** Longer ones are started: what is said to the shell must fit into a pipe at once, and what it prints too. */
const LONGEST_BYTES = 2_000;
/** The most bytes that one unit of a text can become. */
const MOST_UNIT_BYTES = 3;

interface Known {
  /** The variables that it reads. */
  readonly variables: readonly string[];
  /** How often it reads one. */
  readonly reads: number;
}

/** Texts that were looked at; hooks are few and run often. */
const known = new Map<string, Known | undefined>();
const MOST_KNOWN = 1_000;

/** The task, if this is `/bin/sh -c` with a text of such commands, and nothing about the request could fail. */
export function shellTask(request: ProcessRequest): ShellTask | undefined {
  const { env, cwd } = request;
  const text = commandText(request);
  const found = text === undefined ? undefined : knownFor(text);
  if (text === undefined || !found || !fits(env) || !isFolder(cwd)) return undefined;
  const variables = found.variables.map((name) => assignment(name, env[name])).join("");
  if (variables.includes("\n") || (text.length + variables.length * found.reads) * MOST_UNIT_BYTES > LONGEST_BYTES) return undefined;
  return { text, variables };
}

function knownFor(text: string): Known | undefined {
  if (known.has(text)) return known.get(text);
  if (known.size >= MOST_KNOWN) known.clear();
  const commands = text.length * MOST_UNIT_BYTES <= LONGEST_BYTES ? plainCommands(text) : undefined;
  const reads = commands?.every(isBuiltin) ? variablesOf(commands) : undefined;
  const found = reads && !reads.some((name) => OF_THE_SHELL.test(name)) ? { variables: [...new Set(reads)], reads: reads.length } : undefined;
  known.set(text, found);
  return found;
}

function isBuiltin({ words: [first, ...rest] }: PlainCommand): boolean {
  const name = first && literalText(first);
  const builtin = name !== undefined && Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  return builtin?.(rest.map(literalText)) ?? false;
}

function assignment(name: string, value: string | undefined): string {
  return value === undefined ? `unset ${name};` : `${name}=${quoted(value)};`;
}

function isFolder(path: string): boolean {
  try {
    accessSync(`${path}/.`, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
