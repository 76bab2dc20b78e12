import { hasHole, beginsWithHole } from "../holes.ts";
import { CARRIERS, SSH_OPTION, type CarrierRow } from "./carriers.ts";
import type { DoubtKind } from "./doubts.ts";
import { GIT_READS, GIT_RUNS, GIT_SAFE_KEYS, GIT_SUBCOMMANDS, GIT_VALUES } from "./git.ts";
import { optionSet, readArguments, type OptionUse } from "./options.ts";
import { awkEffect, sedEffect, type ScriptEffect } from "./scripts.ts";
import type { Token } from "./tree.ts";

/** A word with which a program runs or writes something that its name does not say. */
export interface Carried {
  readonly doubt: DoubtKind;
  readonly token: Token;
}

const NOTHING: readonly Carried[] = [];

const EFFECT_DOUBTS = { none: undefined, runs: "carrier", writes: "writing-option" } as const satisfies Record<ScriptEffect, DoubtKind | undefined>;

/** The options of a command that run, load or write; nothing for programs in no table. */
export function carriedBy(program: string, tokens: readonly Token[]): readonly Carried[] {
  if (program === "git") return carriedByGit(tokens);
  const row = CARRIERS.get(program);
  if (row === undefined) return NOTHING;
  const first = tokens[0];
  if (row.always && first) return [{ doubt: "carrier", token: first }];
  if (row.script === "sed") return carriedBySed(tokens);
  if (tokens.length === 1) return NOTHING;
  const { options, operands } = readArguments(tokens, optionSet(row.values));
  const carried: Carried[] = [];
  addMatching(options, row, tokens, carried);
  if (row.script === "awk") carried.push(...awkProgram(tokens, options, operands));
  for (const at of operands) {
    const token = tokens[at];
    if (token === undefined) continue;
    if (row.operand?.test(token.value)) carried.push({ doubt: "carrier", token });
    if (row.strict && mayBeOption(tokens, at)) carried.push({ doubt: "dynamic-option", token });
  }
  if (program === "ssh" || program === "scp" || program === "sftp") addSshOptions(options, tokens, carried);
  return carried;
}

/** Before `--`, a word that begins with unknown text may turn out to be an option. */
function mayBeOption(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !beginsWithHole(token.value) || token.value.startsWith("\uFDD2")) return false;
  return !tokens.slice(0, at).some((one) => one.value === "--");
}

function addMatching(options: readonly OptionUse[], row: Pick<CarrierRow, "runs" | "writes" | "plain">, tokens: readonly Token[], carried: Carried[]): void {
  if (options.length === 0) return;
  const plain = optionSet(row.plain);
  const runs = optionSet(row.runs);
  const writes = optionSet(row.writes);
  for (const option of options) {
    const token = tokens[option.at];
    if (token === undefined || plain.has(option.name)) continue;
    if (names(option.name, runs)) carried.push({ doubt: "carrier", token });
    else if (names(option.name, writes)) carried.push({ doubt: "writing-option", token });
    else if (token.dynamic && hasHole(option.name) && token.value.startsWith("-")) carried.push({ doubt: "dynamic-option", token });
  }
}

/** Whether an option is in the set, also abbreviated as GNU programs allow. */
function names(name: string, set: ReadonlySet<string>): boolean {
  if (set.has(name)) return true;
  if (!name.startsWith("--") || name.length < 4) return false;
  for (const option of set) if (option.startsWith(name)) return true;
  return false;
}

function addSshOptions(options: readonly OptionUse[], tokens: readonly Token[], carried: Carried[]): void {
  for (const option of options) {
    if (option.name !== "-o") continue;
    const value = option.attached ?? tokens[option.at + 1]?.value ?? "";
    const token = tokens[option.at];
    if (token && (SSH_OPTION.test(value.trim()) || hasHole(value))) carried.push({ doubt: "carrier", token });
  }
}

function awkProgram(tokens: readonly Token[], options: readonly OptionUse[], operands: readonly number[]): readonly Carried[] {
  if (options.some((option) => option.name === "-f" || option.name === "--file")) {
    const token = tokens[0];
    return token ? [{ doubt: "script-file", token }] : [];
  }
  const token = tokens[operands[0] ?? -1];
  if (token === undefined) return [];
  if (hasHole(token.value)) return [{ doubt: "carrier", token }];
  const doubt = EFFECT_DOUBTS[awkEffect(token.value)];
  return doubt ? [{ doubt, token }] : [];
}

const SED_VALUES = "-e -f -l --expression --file --line-length";

function carriedBySed(tokens: readonly Token[]): readonly Carried[] {
  const { options, operands } = readArguments(tokens, optionSet(SED_VALUES));
  const carried: Carried[] = [];
  let scripts = 0;
  for (const option of options) {
    const token = tokens[option.at];
    if (token === undefined) continue;
    if (option.name === "-i" || option.name === "-I" || names(option.name, optionSet("--in-place"))) carried.push({ doubt: "writing-option", token });
    if (option.name === "-f" || names(option.name, optionSet("--file"))) carried.push({ doubt: "script-file", token });
    if (option.name === "-e" || option.name === "-f" || names(option.name, optionSet("--expression --file"))) scripts += 1;
    if (option.name !== "-e" && !names(option.name, optionSet("--expression"))) continue;
    carried.push(...sedScript(option.attached === undefined ? tokens[option.at + 1] : { ...token, value: option.attached }));
  }
  if (scripts === 0) carried.push(...sedScript(tokens[operands[0] ?? -1]));
  return carried;
}

function sedScript(token: Token | undefined): readonly Carried[] {
  if (token === undefined) return [];
  if (hasHole(token.value)) return [{ doubt: "carrier", token }];
  const doubt = EFFECT_DOUBTS[sedEffect(token.value)];
  return doubt ? [{ doubt, token }] : [];
}

/** Where git's subcommand stands, behind the global options; -1 when there is none. */
export function gitSubcommand(tokens: readonly Token[]): number {
  const values = optionSet(GIT_VALUES);
  for (let at = 1; at < tokens.length; at += 1) {
    const word = tokens[at]?.value ?? "";
    if (!word.startsWith("-")) return at;
    if (values.has(word)) at += 1;
  }
  return -1;
}

const PLAIN: CarrierRow = {};

function carriedByGit(tokens: readonly Token[]): readonly Carried[] {
  const at = gitSubcommand(tokens);
  const carried = gitGlobals(tokens, at < 0 ? tokens.length : at);
  const token = tokens[at];
  if (token === undefined) return carried;
  const subcommand = token.value;
  if (hasHole(subcommand)) return [...carried, { doubt: "carrier", token }];
  const row = GIT_SUBCOMMANDS.get(subcommand);
  if (row?.always) {
    const reads = GIT_READS.get(subcommand);
    if (!(reads && tokens.slice(at + 1).some((one) => reads.test(one.value)))) carried.push({ doubt: "carrier", token });
  }
  const { options, operands } = readArguments(tokens, optionSet(row?.values), at + 1);
  addMatching(options, row ?? PLAIN, tokens, carried);
  for (const index of operands) {
    const operand = tokens[index];
    if (operand === undefined) continue;
    if (operand.value.includes("::") && /^(ext|fd)::/.test(operand.value)) carried.push({ doubt: "carrier", token: operand });
    if (row?.strict && mayBeOption(tokens, index)) carried.push({ doubt: "dynamic-option", token: operand });
  }
  return carried;
}

function gitGlobals(tokens: readonly Token[], end: number): Carried[] {
  const carried: Carried[] = [];
  const runs = optionSet(GIT_RUNS);
  for (let at = 1; at < end; at += 1) {
    const token = tokens[at];
    if (token === undefined) continue;
    const name = token.value.split("=", 1)[0] ?? "";
    if (runs.has(name) || beginsWithHole(token.value)) carried.push({ doubt: "carrier", token });
    const attached = /^-c(.+)$/.exec(token.value)?.[1];
    const key = token.value === "-c" ? tokens[at + 1]?.value : attached;
    if (key !== undefined && !GIT_SAFE_KEYS.test(key)) carried.push({ doubt: "carrier", token });
    const folder = token.value === "-C" ? tokens[at + 1]?.value : undefined;
    // Another repository's configuration can name programs to run.
    if (folder !== undefined && (/^[/~]|(^|\/)\.\.(\/|$)/.test(folder) || hasHole(folder))) carried.push({ doubt: "carrier", token });
    if (optionSet(GIT_VALUES).has(token.value)) at += 1;
  }
  return carried;
}
