import type { Token } from "./tree.ts";

/** Sets of options written as words, made once per table row. */
const SETS = new Map<string, ReadonlySet<string>>();

/** The set of options of a row's word list. */
export function optionSet(words: string | undefined): ReadonlySet<string> {
  const key = words ?? "";
  const known = SETS.get(key);
  if (known) return known;
  const set = new Set(key.split(" ").filter((word) => word !== ""));
  SETS.set(key, set);
  return set;
}

/** One option as written: `--name`, `-name` as a whole, or one letter of a cluster, with what is attached to it. */
export interface OptionUse {
  readonly name: string;
  readonly attached: string | undefined;
  /** Index of the word among the tokens. */
  readonly at: number;
}

/** Options and operands of a command. */
export interface Arguments {
  readonly options: readonly OptionUse[];
  /** Indexes of the operand words. */
  readonly operands: readonly number[];
}

/** Reads all words after the program; options may stand anywhere until `--`. */
export function readArguments(tokens: readonly Token[], values: ReadonlySet<string>, from = 1): Arguments {
  const options: OptionUse[] = [];
  const operands: number[] = [];
  for (let at = from; at < tokens.length; at += 1) {
    const word = tokens[at]?.value ?? "";
    if (word.length < 2 || word.charCodeAt(0) !== DASH) {
      operands.push(at);
      continue;
    }
    if (word === "--") {
      for (let rest = at + 1; rest < tokens.length; rest += 1) operands.push(rest);
      break;
    }
    addOptions(word, at, values, options);
    const last = options.at(-1);
    if (last && last.attached === undefined && values.has(last.name)) at += 1;
  }
  return { options, operands };
}

const DASH = 45;

/** The options that one word stands for: a long one, or the whole word and then each letter of it. */
function addOptions(word: string, at: number, values: ReadonlySet<string>, options: OptionUse[]): void {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  options.push({ name, attached: equals < 0 ? undefined : word.slice(equals + 1), at });
  if (word.length === 2 || word.charCodeAt(1) === DASH || values.has(name)) return;
  for (let index = 1; index < word.length; index += 1) {
    const letter = `-${word[index]}`;
    const rest = word.slice(index + 1);
    options.push({ name: letter, attached: rest === "" ? undefined : rest, at });
    if (values.has(letter)) break;
  }
}
