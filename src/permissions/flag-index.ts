import type { Indexed } from "./command-index.ts";
import { commandPattern } from "./glob.ts";
import { textAt } from "./text-at.ts";
import { canonicalFlag } from "./shell/flags.ts";
import type { Token } from "./shell/tree.ts";

/** What a pattern asks of a command apart from order: a program, its first operands, and flags. */
interface FlagRule<T extends Indexed> {
  readonly operands: readonly string[];
  /** The beginning of the operand behind those, from a word that ends in a star. */
  readonly begins: string;
  readonly flags: readonly string[];
  readonly item: T;
}

/** Patterns by program, and then by one word they need. */
export type FlagIndex<T extends Indexed> = ReadonlyMap<string, ReadonlyMap<string, readonly FlagRule<T>[]>>;

/** A command's words with flags taken apart. */
interface FlagView {
  /** Operands in order; a word behind an option may be that option's value. */
  readonly operands: readonly { readonly word: string; readonly maybeValue: boolean }[];
  readonly flags: ReadonlySet<string>;
  /** An option is only known in part: it may be any. */
  readonly open: boolean;
}

/** Indexes the patterns whose literal words name a program and at least one operand or flag. */
export function flagIndex<T extends Indexed>(patterns: readonly { readonly text: string; readonly item: T }[]): FlagIndex<T> {
  const index = new Map<string, Map<string, FlagRule<T>[]>>();
  for (const { text, item } of patterns) {
    const rule = flagRule(text, item);
    if (rule === undefined) continue;
    const needs = index.get(rule.program) ?? new Map<string, FlagRule<T>[]>();
    const list = needs.get(rule.need) ?? [];
    list.push(rule.rule);
    needs.set(rule.need, list);
    index.set(rule.program, needs);
  }
  return index;
}

function flagRule<T extends Indexed>(text: string, item: T): { program: string; need: string; rule: FlagRule<T> } | undefined {
  const { chunks } = commandPattern(text);
  const words = chunks.join("\0").split(" ");
  const named = textAt(words, 0);
  const program = named.slice(named.lastIndexOf("/") + 1);
  if (program === "" || program.includes("\0")) return undefined;
  const operands: string[] = [];
  const flags: string[] = [];
  let leading = true;
  let begins = "";
  for (const word of words.slice(1)) {
    const literal = word.replace(/\0.*$/s, "");
    if (literal.startsWith("-") && literal.length > 1) {
      if (literal !== "--") flags.push(...flagsOf(program, literal));
    } else if (word.includes("\0")) {
      if (leading) begins = literal;
      leading = false;
    } else if (leading && word !== "") operands.push(word);
  }
  const need = operands[0] ?? flags[0] ?? (begins === "" ? undefined : "");
  return need === undefined ? undefined : { program, need, rule: { operands, begins, flags, item } };
}

/** The canonical flags that one word stands for. */
export function flagsOf(program: string, word: string): readonly string[] {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const whole = canonicalFlag(program, name);
  // `-KILL` is one flag of kill, not five.
  if (whole !== name || name.length === 2 || !CLUSTER.test(name) || isWordFlag(program)) return [whole];
  const flags: string[] = [];
  for (let index = 1; index < name.length; index += 1) flags.push(canonicalFlag(program, `-${name[index]}`));
  return flags;
}

const CLUSTER = /^-[A-Za-z0-9]+$/;

/** Programs whose options are whole words behind one dash. */
function isWordFlag(program: string): boolean {
  return program === "find" || program === "java" || program === "go" || program === "openssl";
}

/** Every pattern that the command satisfies but for the order or grouping of its words. */
export function findByFlags<T extends Indexed>(index: FlagIndex<T>, program: string, tokens: readonly Token[], found: (item: T) => void): void {
  const rules = index.get(program);
  if (rules === undefined) return;
  const view = flagView(program, tokens);
  if (view.open) {
    for (const some of rules.values()) tellFitting(some, view, found);
    return;
  }
  tellFitting(rules.get(""), view, found);
  for (const flag of view.flags) tellFitting(rules.get(flag), view, found);
  for (const { word, maybeValue } of view.operands) {
    tellFitting(rules.get(word), view, found);
    if (!maybeValue) break;
  }
}

function tellFitting<T extends Indexed>(rules: readonly FlagRule<T>[] | undefined, view: FlagView, found: (item: T) => void): void {
  if (rules === undefined) return;
  for (const rule of rules) {
    if ((view.open || rule.flags.every((flag) => view.flags.has(flag))) && beginsWith(view.operands, rule)) found(rule.item);
  }
}

/** Whether the operands begin with the rule's words, where possible values of options may be passed over. */
function beginsWith(operands: FlagView["operands"], rule: Pick<FlagRule<Indexed>, "operands" | "begins">): boolean {
  const left = operands.values();
  return rule.operands.every((word) => fitsNext(left, (one) => one === word)) && (rule.begins === "" || fitsNext(left, (one) => one.startsWith(rule.begins)));
}

/** Whether the next operand fits; one that may be an option's value is passed over when it does not. */
function fitsNext(left: IterableIterator<FlagView["operands"][number]>, fits: (word: string) => boolean): boolean {
  for (const { word, maybeValue } of left) if (fits(word) || !maybeValue) return fits(word);
  return false;
}

/** The flag view of a command: its words behind the program. */
function flagView(program: string, tokens: readonly Token[]): FlagView {
  const operands: { word: string; maybeValue: boolean }[] = [];
  const flags = new Set<string>();
  let behindOption = false;
  let ended = false;
  let open = false;
  for (const { value: word, raw, dynamic } of tokens.slice(1)) {
    // `{-,}f` becomes `-f f`.
    open ||= dynamic && raw.startsWith("{");
    if (!ended && word === "--") {
      ended = true;
      behindOption = false;
    } else if (!ended && word.length > 1 && word.startsWith("-")) {
      for (const flag of flagsOf(program, word)) flags.add(flag);
      open ||= dynamic && !word.includes("=");
      behindOption = !word.includes("=");
    } else {
      operands.push({ word, maybeValue: behindOption });
      behindOption = false;
    }
  }
  return { operands, flags, open };
}
