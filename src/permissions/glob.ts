import { isHoleCode } from "./holes.ts";

/** A command pattern cut at its stars: `*` matches any text, also blanks, slashes and newlines. */
export interface CommandPattern {
  /** Literal chunks between the stars: one chunk and no star is an exact text. */
  readonly chunks: readonly string[];
  /** `x:*`, which is x, or x followed by a blank. */
  readonly boundary: boolean;
}

/** Longest text for which the pairwise test of pattern and holes is made; longer is maybe. */
export const INTERSECT_LIMIT_CHARS = 4096;

/**
 * Reads a command pattern. Backslashes count only in front of a star, two for one and an odd one for a literal star,
 * so that an exact rule can be written for any text.
 */
export function commandPattern(text: string): CommandPattern {
  const boundary = /(^|[^\\])(\\\\)*:\*$/.test(text);
  const body = boundary ? text.slice(0, -2) : text;
  const chunks: string[] = [];
  let chunk = "";
  let index = 0;
  while (index < body.length) {
    const run = /^\\*\*/.exec(body.slice(index, index + 64))?.[0];
    if (run === undefined) {
      chunk += body[index];
      index += 1;
      continue;
    }
    const slashes = run.length - 1;
    chunk += "\\".repeat(Math.floor(slashes / 2));
    if (slashes % 2 === 1) {
      chunk += "*";
    } else {
      chunks.push(chunk);
      chunk = "";
    }
    index += run.length;
  }
  chunks.push(chunk);
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
export function matchesText(pattern: CommandPattern, text: string): boolean {
  if (!pattern.boundary) return matchesChunks(pattern.chunks, text);
  return matchesChunks(pattern.chunks, text) || matchesChunks(withTail(pattern.chunks), text);
}

/** Whether some text in place of the holes makes the pattern match. */
export function mayMatchText(pattern: CommandPattern, text: string): boolean {
  if (text.length > INTERSECT_LIMIT_CHARS) return true;
  if (intersects(pattern.chunks, text)) return true;
  return pattern.boundary && intersects(withTail(pattern.chunks), text);
}

function withTail(chunks: readonly string[]): readonly string[] {
  return [...chunks.slice(0, -1), `${chunks.at(-1) ?? ""} `, ""];
}

function matchesChunks(chunks: readonly string[], text: string): boolean {
  const first = chunks[0] ?? "";
  if (chunks.length === 1) return text === first;
  const last = chunks.at(-1) ?? "";
  const limit = text.length - last.length;
  if (limit < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (let index = 1; index < chunks.length - 1; index += 1) {
    const chunk = chunks[index] ?? "";
    const at = text.indexOf(chunk, from);
    if (at < 0 || at + chunk.length > limit) return false;
    from = at + chunk.length;
  }
  return true;
}

/** Set of reachable pattern positions, moved on by each unit of the text; both sides may hold "any text". */
function intersects(chunks: readonly string[], text: string): boolean {
  const pattern = chunks.join("\0");
  let reach = closure(pattern, new Set([0]));
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const next = new Set<number>();
    if (isHoleCode(code)) {
      for (let later = Math.min(...reach); later <= pattern.length; later += 1) next.add(later);
    } else {
      for (const at of reach) {
        if (at < pattern.length && pattern.charCodeAt(at) === 0) next.add(at);
        else if (pattern.charCodeAt(at) === code) next.add(at + 1);
      }
    }
    if (next.size === 0) return false;
    reach = closure(pattern, next);
  }
  return reach.has(pattern.length);
}

function closure(pattern: string, reach: Set<number>): Set<number> {
  for (const at of reach) if (at < pattern.length && pattern.charCodeAt(at) === 0) reach.add(at + 1);
  return reach;
}
