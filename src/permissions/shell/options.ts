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
  readonly token: Token;
  /** The word behind it, which is its value if it takes one. */
  readonly next: Token | undefined;
}

/** Options and operands of a command. */
export interface Arguments {
  readonly options: readonly OptionUse[];
  readonly operands: readonly Token[];
  /** How many of the operands stand before `--`, where they could have been options. */
  readonly free: number;
}

/** Reads all words after the program; options may stand anywhere until `--`. */
export function readArguments(tokens: readonly Token[], values: ReadonlySet<string>, from = 1): Arguments {
  const options: OptionUse[] = [];
  const operands: Token[] = [];
  let free: number | undefined;
  let place = -1;
  let taken = -1;
  for (const token of tokens) {
    place += 1;
    if (place < from || place === taken) continue;
    const word = token.value;
    if (free !== undefined || word.length < 2 || word.charCodeAt(0) !== DASH) operands.push(token);
    else if (word === "--") free = operands.length;
    else if (takesNext(token, tokens[place + 1], values, options)) taken = place + 1;
  }
  return { options, operands, free: free ?? operands.length };
}

const DASH = 45;

/** Adds the options that one word stands for, a long one, or the whole word and then each letter; true when the next word is the value of the last. */
function takesNext(token: Token, next: Token | undefined, values: ReadonlySet<string>, options: OptionUse[]): boolean {
  const word = token.value;
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  options.push({ name, attached: equals < 0 ? undefined : word.slice(equals + 1), token, next });
  const valued = values.has(name);
  if (valued || word.length === 2 || word.charCodeAt(1) === DASH) return valued && equals < 0;
  for (let index = 1; index < word.length; index += 1) {
    const letter = `-${word[index]}`;
    const rest = word.slice(index + 1);
    options.push({ name: letter, attached: rest === "" ? undefined : rest, token, next });
    if (values.has(letter)) return rest === "";
  }
  return false;
}
