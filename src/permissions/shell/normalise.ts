import { SPLIT_HOLE, hasHole } from "../holes.ts";
import { wordAt, type Token, type Unit } from "./tree.ts";

/** A command's text in the forms that a deny looks at. */
export interface CommandTexts {
  /** Holes stand for themselves: only a star covers them. */
  readonly certain: readonly string[];
  /** Holes may be any text, and unquoted ones may vanish; empty when nothing is unknown. */
  readonly possible: readonly string[];
}

/** The text without quotes and without the program's folder, and as written where that differs. */
export function commandTexts(unit: Unit, program: string): CommandTexts {
  const { tokens } = unit;
  const written = wordAt(tokens, 0);
  const words = tokens.slice(1);
  let tail = "";
  let dashed = false;
  let asWritten = written === tokens[0]?.raw;
  for (const token of words) {
    tail += ` ${token.value}`;
    dashed ||= isLoneDash(token);
    asWritten &&= token.raw === token.value;
  }
  const certain = [program + tail];
  if (written !== program) certain.push(written + tail);
  // A rule that repeats the command with its quotes or assignments means this command.
  if (!asWritten) certain.push(unit.raw);
  if (unit.assigns.length > 0) certain.push(`${unit.assigns.map(({ raw }) => raw).join(" ")} ${unit.raw}`);
  if (dashed) {
    const plain = words.filter((token) => !isLoneDash(token)).map((token) => ` ${token.value}`);
    certain.push(program + plain.join(""));
  }
  if (!hasHole(tail)) return { certain, possible: NONE };
  const loose = words.map((token) => (token.splits ? SPLIT_HOLE : ` ${token.value}`)).join("");
  return { certain, possible: written === program ? [program + loose] : [program + loose, written + loose] };
}

const NONE: readonly string[] = [];

/** `--` only ends the options. */
function isLoneDash(token: Token): boolean {
  return token.value === "--";
}
