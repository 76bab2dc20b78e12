import { GLOB_HOLE, hasHole, beginsWithHole, isOpenOption } from "../holes.ts";
import { SSH_OPTION, type CarrierRow } from "./carriers.ts";
import type { DoubtKind } from "./doubts.ts";
import { GIT_READS, GIT_RUNS, GIT_SAFE_KEYS, GIT_SUBCOMMANDS, GIT_VALUES } from "./git.ts";
import { optionSet, readArguments, type Arguments, type OptionUse } from "./options.ts";
import { awkEffect, sedEffect, type ScriptEffect } from "./scripts.ts";
import type { ProgramRow } from "./programs.ts";
import { wordAt, type Token, type Unit } from "./tree.ts";

/** A word with which a program runs or writes something that its name does not say. */
export interface Carried {
  readonly doubt: DoubtKind;
  readonly token: Token;
}

const NOTHING: readonly Carried[] = [];

const EFFECT_DOUBTS = { none: undefined, reads: "reading-script", runs: "carrier", writes: "writing-option" } as const satisfies Record<
  ScriptEffect,
  DoubtKind | undefined
>;

/** The options of a command that run, load or write; nothing for programs in no table. */
export function carriedBy({ carrier: row }: ProgramRow, { program, tokens }: Unit): readonly Carried[] {
  if (program === "git") return carriedByGit(tokens);
  if (row === undefined) return NOTHING;
  if (row.always) return tokens.slice(0, 1).map((token) => ({ doubt: "carrier", token }));
  if (row.script === "sed") return carriedBySed(tokens);
  if (tokens.length === 1) return NOTHING;
  const read = readArguments(tokens, optionSet(row.values));
  const carried: Carried[] = [];
  addMatching(read.options, row, carried);
  if (row.bare) addBare(tokens.slice(1, 2), row, carried);
  if (row.script === "awk") carried.push(...awkProgram(read));
  for (const token of read.operands) if (row.operand?.test(token.value)) carried.push({ doubt: "carrier", token });
  if (row.code) addCode(read, row.code, carried);
  if (row.strict) addDynamic(read, carried);
  if (program === "ssh" || program === "scp" || program === "sftp") addSshOptions(read.options, carried);
  return carried;
}

function addBare(words: readonly Token[], row: CarrierRow, carried: Carried[]): void {
  for (const token of words) {
    const letters = /^[a-zA-Z]+$/.test(token.value) ? token.value.split("") : [];
    addMatching(
      letters.map((letter) => ({ name: `-${letter}`, attached: undefined, token, next: undefined })),
      row,
      carried,
    );
  }
}

/** Code in operands, and in the values of options, attached or not. */
function addCode({ options, operands }: Arguments, code: RegExp, carried: Carried[]): void {
  for (const { attached, token, next } of options) {
    const value = attached ?? next?.value;
    if (value !== undefined && code.test(value)) carried.push({ doubt: "carrier", token });
  }
  for (const token of operands) if (code.test(token.value)) carried.push({ doubt: "carrier", token });
}

/** Before `--`, a word that begins with unknown text may turn out to be an option; names found by a pattern rarely are. */
function addDynamic({ operands, free }: Arguments, carried: Carried[]): void {
  for (const token of operands.slice(0, free)) {
    if (beginsWithHole(token.value) && !token.value.startsWith(GLOB_HOLE)) carried.push({ doubt: "dynamic-option", token });
  }
}

function addMatching(options: readonly OptionUse[], row: Pick<CarrierRow, "runs" | "writes" | "plain">, carried: Carried[]): void {
  if (options.length === 0) return;
  const plain = optionSet(row.plain);
  const runs = optionSet(row.runs);
  const writes = optionSet(row.writes);
  for (const { name, token } of options) {
    if (plain.has(name)) continue;
    if (names(name, runs)) carried.push({ doubt: "carrier", token });
    else if (names(name, writes)) carried.push({ doubt: "writing-option", token });
    else if (token.dynamic && hasHole(name)) carried.push({ doubt: runs.size > 0 && isOpenOption(token.value) ? "carrier" : "dynamic-option", token });
  }
}

/** Whether an option is in the set, also abbreviated as GNU programs allow. */
function names(name: string, set: ReadonlySet<string>): boolean {
  if (set.has(name)) return true;
  if (!name.startsWith("--") || name.length < 4) return false;
  for (const option of set) if (option.startsWith(name)) return true;
  return false;
}

function addSshOptions(options: readonly OptionUse[], carried: Carried[]): void {
  for (const { name, attached, token, next } of options) {
    const value = attached ?? next?.value;
    if (name === "-o" && value !== undefined && (SSH_OPTION.test(value.trim()) || hasHole(value))) carried.push({ doubt: "carrier", token });
  }
}

function awkProgram({ options, operands }: Arguments): readonly Carried[] {
  const files = options.filter(({ name }) => name === "-f" || name === "--file");
  if (files.length > 0) return files.map(({ token }) => ({ doubt: "script-file", token }));
  return operands.slice(0, 1).flatMap((token) => scriptDoubt(token, awkEffect));
}

/** What a script in an argument may do; one that is not known may do anything. */
function scriptDoubt(token: Token, effectOf: (script: string) => ScriptEffect): readonly Carried[] {
  const doubt = hasHole(token.value) ? "carrier" : EFFECT_DOUBTS[effectOf(token.value)];
  return doubt === undefined ? NOTHING : [{ doubt, token }];
}

const SED_VALUES = "-e -f -l --expression --file --line-length";

function carriedBySed(tokens: readonly Token[]): readonly Carried[] {
  const { options, operands } = readArguments(tokens, optionSet(SED_VALUES));
  const carried: Carried[] = [];
  let scripts = 0;
  for (const { name, attached, token, next } of options) {
    if (names(name, optionSet("-i -I --in-place"))) carried.push({ doubt: "writing-option", token });
    if (names(name, optionSet("-f --file"))) carried.push({ doubt: "script-file", token });
    if (names(name, optionSet("-e -f --expression --file"))) scripts += 1;
    const script = attached === undefined ? next : { ...token, value: attached };
    if (script && names(name, optionSet("-e --expression"))) carried.push(...scriptDoubt(script, sedEffect));
  }
  if (scripts === 0) for (const token of operands.slice(0, 1)) carried.push(...scriptDoubt(token, sedEffect));
  return carried;
}

/** Where git's subcommand stands, behind the global options; behind the last word when there is none. */
export function gitSubcommand(tokens: readonly Token[]): number {
  const values = optionSet(GIT_VALUES);
  for (let at = 1; at < tokens.length; at += 1) {
    const word = wordAt(tokens, at);
    if (!word.startsWith("-")) return at;
    if (values.has(word)) at += 1;
  }
  return tokens.length;
}

const PLAIN: CarrierRow = {};

function carriedByGit(tokens: readonly Token[]): readonly Carried[] {
  const at = gitSubcommand(tokens);
  const carried = at === 1 ? [] : gitGlobals(tokens.slice(1, at));
  const token = tokens[at];
  if (token === undefined) return carried;
  const subcommand = token.value;
  if (hasHole(subcommand)) return [...carried, { doubt: "carrier", token }];
  const row = GIT_SUBCOMMANDS.get(subcommand);
  if (row?.always) {
    const reads = GIT_READS.get(subcommand);
    if (!(reads && tokens.slice(at + 1).some((one) => reads.test(one.value)))) carried.push({ doubt: "carrier", token });
  }
  const read = readArguments(tokens, optionSet(row?.values), at + 1);
  addMatching(read.options, row ?? PLAIN, carried);
  for (const operand of read.operands) {
    if (operand.value.includes("::") && /^(ext|fd)::/.test(operand.value)) carried.push({ doubt: "carrier", token: operand });
  }
  if (row?.strict) addDynamic(read, carried);
  return carried;
}

function gitGlobals(tokens: readonly Token[]): Carried[] {
  const carried: Carried[] = [];
  let option: Token | undefined;
  for (const token of tokens) {
    const word = token.value;
    const valued = option;
    option = undefined;
    if (valued) {
      if (valued.value === "-c" && !GIT_SAFE_KEYS.test(word)) carried.push({ doubt: "carrier", token: valued });
      // Another repository's configuration can name programs to run.
      if (valued.value === "-C" && (/^[/~]|(^|\/)\.\.(\/|$)/.test(word) || hasHole(word))) carried.push({ doubt: "carrier", token: valued });
      continue;
    }
    if (optionSet(GIT_RUNS).has(word.replace(/=.*$/s, "")) || isOpenOption(word)) carried.push({ doubt: "carrier", token });
    if (word.length > 2 && word.startsWith("-c") && !GIT_SAFE_KEYS.test(word.slice(2))) carried.push({ doubt: "carrier", token });
    if (optionSet(GIT_VALUES).has(word)) option = token;
  }
  return carried;
}
