import { textAt } from "./text-at.ts";

/** One part of a path pattern between slashes. */
export type Segment =
  | { readonly kind: "name"; readonly name: string }
  /** `*` and `?` inside one name; chunks between stars, `?` as U+FFFF. */
  | { readonly kind: "glob"; readonly chunks: readonly string[] }
  | { readonly kind: "deep" };

/** A path pattern: where it starts and its parts. */
export interface PathPattern {
  readonly anchor: "absolute" | "root" | "home" | "anything";
  readonly segments: readonly Segment[];
}

/** Stands for one unknown character inside a chunk. */
export const ANY_CHARACTER = "\uFFFF";

/** Braces are written out up to this many patterns. */
const BRACE_LIMIT = 64;

/** Reads a path pattern; braces give several. Brackets are plain characters, backslash takes a star literally. */
export function pathPatterns(text: string): readonly PathPattern[] {
  return withoutBraces(text).map(onePattern);
}

/** The pattern text that matches exactly this path. */
export function exactPath(path: string): string {
  return path.replace(/[*?{}\\]/g, "\\$&");
}

function onePattern(text: string): PathPattern {
  if (text === "*" || text === "**" || text === "**/*") return { anchor: "anything", segments: [] };
  const anchor = text.startsWith("/") ? "absolute" : text === "~" || text.startsWith("~/") ? "home" : "root";
  const body = anchor === "home" ? text.slice(1) : text;
  const segments: Segment[] = [];
  for (const part of body.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && isDown(segments.at(-1))) segments.pop();
    else segments.push(segmentOf(part));
  }
  return { anchor, segments };
}

/** A plain name, which `..` takes back. */
function isDown(segment: Segment | undefined): boolean {
  return segment?.kind === "name" && segment.name !== "..";
}

function segmentOf(part: string): Segment {
  if (part === "**") return { kind: "deep" };
  const chunks: string[] = [];
  let chunk = "";
  for (const [char] of part.matchAll(/\\[*?{}[\]\\]|./gsu)) {
    if (char.length === 2 && char.startsWith("\\")) {
      chunk += char.slice(1);
    } else if (char === "*") {
      if (chunk !== "" || chunks.length === 0) chunks.push(chunk);
      chunk = "";
    } else {
      chunk += char === "?" ? ANY_CHARACTER : char;
    }
  }
  if (chunks.length === 0 && !chunk.includes(ANY_CHARACTER)) return { kind: "name", name: chunk };
  return { kind: "glob", chunks: [...chunks, chunk] };
}

function withoutBraces(text: string): readonly string[] {
  let done: string[] = [];
  let open = [text];
  while (open.length > 0) {
    const next: string[] = [];
    for (const one of open) {
      const before = next.length;
      one.replace(BRACES, (_, head: string, choices: string, tail: string) => {
        for (const choice of choices.split(",")) next.push(`${head}${choice}${tail}`);
        return "";
      });
      if (next.length === before) done = [...done, one];
    }
    if (done.length + next.length > BRACE_LIMIT) return [text];
    open = next;
  }
  return done;
}

const BRACES = /^((?:[^{}\\]|\\.)*)\{((?:[^{}\\]|\\.)*,(?:[^{}\\]|\\.)*)\}(.*)$/s;

/** Whether a name fits a glob of one segment. */
export function segmentFits(chunks: readonly string[], name: string): boolean {
  const first = textAt(chunks, 0);
  if (chunks.length === 1) return name.length === first.length && fitsAt(first, name, 0);
  const last = textAt(chunks, -1);
  const limit = name.length - last.length;
  if (limit < first.length || !fitsAt(first, name, 0) || !fitsAt(last, name, limit)) return false;
  let from = first.length;
  for (const chunk of chunks.slice(1, -1)) {
    while (from + chunk.length <= limit && !fitsAt(chunk, name, from)) from += 1;
    if (from + chunk.length > limit) return false;
    from += chunk.length;
  }
  return true;
}

function fitsAt(chunk: string, name: string, at: number): boolean {
  for (let index = 0; index < chunk.length; index += 1) {
    if (chunk[index] !== ANY_CHARACTER && chunk[index] !== name[at + index]) return false;
  }
  return true;
}
