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
export function readArguments(words: readonly string[], values: ReadonlySet<string>, from = 1): Arguments {
  const options: OptionUse[] = [];
  const operands: number[] = [];
  for (let at = from; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      for (let rest = at + 1; rest < words.length; rest += 1) operands.push(rest);
      break;
    }
    if (word.length < 2 || word[0] !== "-") {
      operands.push(at);
      continue;
    }
    const used = optionsOf(word, at, values);
    options.push(...used);
    const last = used.at(-1);
    if (last && last.attached === undefined && values.has(last.name)) at += 1;
  }
  return { options, operands };
}

/** The options that one word stands for: a long one, or the whole word and then each letter of it. */
export function optionsOf(word: string, at: number, values: ReadonlySet<string>): OptionUse[] {
  const equals = word.indexOf("=");
  const whole: OptionUse = { name: equals < 0 ? word : word.slice(0, equals), attached: equals < 0 ? undefined : word.slice(equals + 1), at };
  if (word.startsWith("--") || word.length === 2 || values.has(whole.name)) return [whole];
  const used: OptionUse[] = [whole];
  for (let index = 1; index < word.length; index += 1) {
    const name = `-${word[index]}`;
    const rest = word.slice(index + 1);
    used.push({ name, attached: rest === "" ? undefined : rest, at });
    if (values.has(name)) break;
  }
  return used;
}
