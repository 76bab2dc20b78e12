/** What a terminal in raw mode sends, as keys. */

/** One key: a name, or the character it types. */
export interface Key {
  readonly name: KeyName;
  /** The text as it came. */
  readonly text: string;
}

/** The keys that mean something here. */
export type KeyName = "escape" | "interrupt" | "end" | "up" | "down" | "return" | "backspace" | "erase-line" | "character" | "other";

const NAMES: { readonly [sequence: string]: KeyName } = {
  "\u001B": "escape",
  "\u0003": "interrupt",
  "\u0004": "end",
  "\u001B[A": "up",
  "\u001BOA": "up",
  "\u0010": "up",
  "\u001B[Z": "up",
  "\u001B[B": "down",
  "\u001BOB": "down",
  "\u000E": "down",
  "\t": "down",
  "\r": "return",
  "\n": "return",
  "\u007F": "backspace",
  "\b": "backspace",
  "\u0015": "erase-line",
};

/** A control sequence, one with a single letter, or a character. */
// oxlint-disable-next-line no-control-regex -- keys are control characters
const SEQUENCE = /\u001B\[[0-9;?]*[ -/]*[@-~]|\u001BO[A-Za-z]|\u001B(?!\u001B)[\s\S]?|[\s\S]/gu;

/** The keys in a piece of input. A terminal sends a sequence in one piece, so an escape at the end of one is the key Esc. */
export function keysOf(text: string): readonly Key[] {
  return [...text.matchAll(SEQUENCE)].map(([sequence]) => ({ name: nameOf(sequence), text: sequence }));
}

function nameOf(sequence: string): KeyName {
  if (Object.hasOwn(NAMES, sequence)) return NAMES[sequence] ?? "other";
  return /^[^\p{Cc}]$/u.test(sequence) ? "character" : "other";
}
