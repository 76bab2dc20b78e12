import { isHoleCode } from "./holes.ts";
import { textAt } from "./text-at.ts";

/** A command pattern cut at its stars: `*` matches any text, also blanks, slashes and newlines. */
export interface CommandPattern {
  /** Literal chunks between the stars: one chunk and no star is an exact text. */
  readonly chunks: readonly string[];
  /** `x:*`, which is x, or x followed by a blank. */
  readonly boundary: boolean;
}

/**
 * Reads a command pattern. Backslashes count only in front of a star, two for one and an odd one for a literal star,
 * so that an exact rule can be written for any text.
 */
export function commandPattern(text: string): CommandPattern {
  const boundary = /(^|[^\\])(\\\\)*:\*$/.test(text);
  const body = boundary ? text.slice(0, -2) : text;
  const chunks: string[] = [];
  let chunk = "";
  let from = 0;
  for (let star = body.indexOf("*"); star >= 0; star = body.indexOf("*", from)) {
    let slashes = 0;
    while (star - slashes > from && body[star - slashes - 1] === "\\") slashes += 1;
    chunk += body.slice(from, star - slashes) + "\\".repeat(slashes >> 1);
    if (slashes % 2 === 1) {
      chunk += "*";
    } else {
      chunks.push(chunk);
      chunk = "";
    }
    from = star + 1;
  }
  chunks.push(chunk + body.slice(from));
  return { chunks, boundary };
}

/** The pattern text that matches exactly this text. */
export function exactPattern(text: string): string {
  return text.replace(/(\\*)\*/g, (_, slashes: string) => `${slashes}${slashes}\\*`);
}

/** Whether the pattern matches one text only. */
export function isExact(pattern: CommandPattern): boolean {
  return pattern.chunks.length === 1 && !pattern.boundary;
}

/** Whether the pattern matches the whole text; linear in the text for each chunk, no backtracking. */
export function matchesText({ chunks, boundary }: CommandPattern, text: string): boolean {
  return matchesChunks(chunks, text) || (boundary && matchesChunks(withTail(chunks), text));
}

/** Whether some text in place of the holes, of which there is at least one, makes the pattern match. */
export function mayMatchText({ chunks, boundary }: CommandPattern, text: string): boolean {
  const known = knownChunks(text);
  return intersects(chunks, known) || (boundary && intersects(withTail(chunks), known));
}

/** `x:*` as `x *`, the other of its two forms. */
function withTail(chunks: readonly string[]): readonly string[] {
  return [...chunks.slice(0, -1), `${textAt(chunks, -1)} `, ""];
}

function matchesChunks(chunks: readonly string[], text: string): boolean {
  const first = textAt(chunks, 0);
  if (chunks.length === 1) return text === first;
  const last = textAt(chunks, -1);
  const limit = text.length - last.length;
  if (limit < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  if (chunks.length === 2) return true;
  for (const chunk of chunks.slice(1, -1)) {
    const at = text.indexOf(chunk, from);
    if (at < 0 || at + chunk.length > limit) return false;
    from = at + chunk.length;
  }
  return true;
}

/** The text between its holes. */
function knownChunks(text: string): readonly string[] {
  const known: string[] = [];
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (!isHoleCode(text.charCodeAt(index))) continue;
    known.push(text.slice(from, index));
    from = index + 1;
  }
  known.push(text.slice(from));
  return known;
}

/**
 * Whether two texts with gaps have a common filling. Where both have a gap, only the beginnings before the first and
 * the ends behind the last one can contradict each other: all the rest fits in behind one another.
 */
function intersects(left: readonly string[], right: readonly string[]): boolean {
  const first = textAt(left, 0);
  if (left.length === 1) return matchesChunks(right, first);
  const start = textAt(right, 0);
  const last = textAt(left, -1);
  const end = textAt(right, -1);
  return (first.startsWith(start) || start.startsWith(first)) && (last.endsWith(end) || end.endsWith(last));
}
