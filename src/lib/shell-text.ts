/** Shell text that can be understood without a shell: words, quotes, variables in double quotes, and what joins commands. Undefined for all else. */

/** A piece of a word: text, or a variable whose value stands there as it is. */
export type Piece = string | { readonly variable: string };

/** A word as it was written. */
export interface PlainWord {
  readonly pieces: readonly Piece[];
}

/** A command of words; it may send its streams to each other or to nowhere. */
export interface PlainCommand {
  readonly words: readonly PlainWord[];
}

const SPACE = /[ \t]*/y;
const JOINT = /;|&&|\|\|/y;
const REDIRECTION = /[12]?>(?:&[12]|[ \t]*\/dev\/null)(?=[\s;&|]|$)/y;
/** Right behind a word: a number there would be the stream that is redirected. */
const REDIRECTING = /[<>]/y;
/** None of this means more to a shell than itself, wherever it stands in a word that is not the first one. */
const BARE = /[\w@%+:,./-][\w@%+:,./=-]*|!?=|[[\]](?=[ \t;&|]|$)/y;
const SINGLE = /'([^'\n\0]*)'/y;
const DOUBLE = /"((?:[^"$`\\\n\0]|\$\w+|\$\{\w+\})*)"/y;
const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;
/** `$1`, `$12`: a digit after the dollar is no name. */
const POSITIONAL = /\$\{?\d/;

/** The commands of a text in their order, if it is made of nothing but such commands. */
export function plainCommands(text: string): readonly PlainCommand[] | undefined {
  const reader = new Reader(text);
  const commands: PlainCommand[] = [];
  for (;;) {
    const command = commandFrom(reader);
    if (!command) return undefined;
    commands.push(command);
    const joint = reader.take(JOINT);
    reader.take(SPACE);
    if (reader.atEnd) return joint === undefined || joint === ";" ? commands : undefined;
    if (joint === undefined) return undefined;
  }
}

/** A word that stands for itself; undefined if a variable is in it. */
export function literalText({ pieces }: PlainWord): string | undefined {
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : undefined;
}

/** The variables that commands read, each as often as it stands there. */
export function variablesOf(commands: readonly PlainCommand[]): readonly string[] {
  const pieces = commands.flatMap(({ words }) => words).flatMap((word) => word.pieces);
  return pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.variable]));
}

/** A text in the words of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text, and how far it was read. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** What a pattern finds here, if it finds something. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return undefined;
    this.#at += found[0].length;
    return found[1] ?? found[0];
  }
}

function commandFrom(reader: Reader): PlainCommand | undefined {
  const words: PlainWord[] = [];
  for (;;) {
    reader.take(SPACE);
    if (reader.take(REDIRECTION) !== undefined) continue;
    const word = wordFrom(reader);
    if (word === "odd") return undefined;
    if (!word) return words.length > 0 ? { words } : undefined;
    words.push(word);
  }
}

function wordFrom(reader: Reader): PlainWord | "odd" | undefined {
  const pieces: Piece[] = [];
  for (;;) {
    const bare = reader.take(BARE);
    const inSingle = bare === undefined ? reader.take(SINGLE) : undefined;
    const inDouble = bare === undefined && inSingle === undefined ? reader.take(DOUBLE) : undefined;
    const found = bare ?? inSingle;
    if (found !== undefined) pieces.push(found);
    else if (inDouble === undefined && reader.take(REDIRECTING) !== undefined) return "odd";
    else if (inDouble === undefined) return pieces.length > 0 ? { pieces } : undefined;
    else if (POSITIONAL.test(inDouble)) return "odd";
    else pieces.push(...piecesOf(inDouble));
  }
}

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: braced, 2: bare = "" } of text.matchAll(VARIABLE)) {
    pieces.push(text.slice(from, index), { variable: braced ?? bare });
    from = index + whole.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}
