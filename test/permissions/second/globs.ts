import { BELOW, HOLE, NAME_HOLE, ONE_HOLE } from "./words.ts";

/** The three answers of a match. */
export type Answer = "yes" | "no" | "maybe";

/** Whether a rule's `*` pattern matches a text with holes: yes when the holes don't matter, maybe when they could. */
export function globMatch(pattern: string, text: string): Answer {
  if (meets(pattern, text, false)) return "yes";
  return isHoled(text) && meets(pattern, text, true) ? "maybe" : "no";
}

/** Whether something in a text is known only at run time. */
export function isHoled(text: string): boolean {
  return text.includes(HOLE) || text.includes(NAME_HOLE) || text.includes(ONE_HOLE) || text.includes(BELOW);
}

/** Whether some text is matched by both sides; a rigid hole is one character that only a star covers. */
function meets(source: string, text: string, elastic: boolean): boolean {
  const pattern = signs(source);
  let row = new Set<number>([0]);
  const spread = (places: Set<number>): Set<number> => {
    for (const place of places) if (pattern[place] === STAR) places.add(place + 1);
    return places;
  };
  row = spread(row);
  for (const char of text) {
    const next = new Set<number>();
    for (const place of row) {
      const wanted = pattern[place];
      if (char === ONE_HOLE && elastic) next.add(wanted === STAR ? place : place + 1);
      else if (isHoled(char) && elastic) for (let later = place; later <= pattern.length; later += 1) next.add(later);
      else if (wanted === STAR) next.add(place);
      else if (wanted === char && !isHoled(char)) next.add(place + 1);
    }
    row = spread(next);
  }
  return row.has(pattern.length);
}

const STAR = Symbol("any text");

/** A pattern sign by sign. In front of a star, two backslashes are one, and an odd one makes it a plain star. */
function signs(pattern: string): readonly (string | typeof STAR)[] {
  return (pattern.match(/\\*\*|[^]/gu) ?? []).flatMap((part) => {
    if (!part.endsWith("*")) return [part];
    const slashes = part.length - 1;
    return [...Array.from({ length: slashes >> 1 }, () => "\\"), slashes % 2 === 1 ? "*" : STAR];
  });
}

/** Whether a command pattern matches a command's text [A4]: `x:*` is x, or x and a space and more. */
export function commandMatch(pattern: string, text: string): Answer {
  if (!pattern.endsWith(":*")) return globMatch(pattern, text);
  const prefix = pattern.slice(0, -2);
  return strongest([globMatch(prefix, text), globMatch(`${prefix} *`, text)]);
}

/** Yes before maybe before no. */
export function strongest(answers: readonly Answer[]): Answer {
  if (answers.includes("yes")) return "yes";
  return answers.includes("maybe") ? "maybe" : "no";
}
