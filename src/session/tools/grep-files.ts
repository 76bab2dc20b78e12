/** A search without ripgrep: file by file, line by line. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { compileGlob } from "../../lib/glob.ts";
import { compilePattern } from "../../lib/pattern.ts";
import { GREP_LIMIT_MS, LEFT_OUT, type GrepRequest, type GrepResult } from "./grep-request.ts";
import type { ToolContext } from "./tool.ts";
import { walk, WALK_LIMIT_ENTRIES } from "./walk.ts";

const FILE_LIMIT_BYTES = 32 * 1_048_576;
/** Results kept before the search stops: far above what is given. */
const LIMIT_LINES = 100_000;
const PROBE_BYTES = 8_192;

/** Searches a folder or one file. Out of time, what was found so far is given, and the result says so. */
export async function searchFiles(request: GrepRequest, { signal }: ToolContext): Promise<GrepResult> {
  const pattern = await compilePattern(request.ignoreCase ? `(?i)${request.pattern}` : request.pattern);
  if (pattern.kind === "bad") return { kind: "bad", message: `pattern is not a regular expression: ${pattern.message}` };
  const { files: found, notes: cut, problem } = await filesOf(request, signal);
  if (problem !== undefined) return { kind: "bad", message: problem };
  const files = found.filter(request.readable);
  const notes = files.length < found.length ? [...cut, LEFT_OUT] : cut;
  const until = performance.now() + GREP_LIMIT_MS;
  const lines: string[] = [];
  let tooLarge = 0;
  for (const file of files) {
    signal.throwIfAborted();
    const text = await textOf(join(request.folder, file));
    if (text === TOO_LARGE) tooLarge += 1;
    if (typeof text !== "string") continue;
    const matched = FORMATS[request.mode](matchesOf(text, { test: pattern.test, until, first: request.mode === "files_with_matches" }), request, file);
    if (request.mode === "content" && lines.length > 0 && matched.length > 0 && request.before + request.after > 0) lines.push("--");
    for (const line of matched) lines.push(line);
    if (performance.now() > until) return { kind: "found", lines, notes: [...notes, `(stopped after ${GREP_LIMIT_MS} ms; search in a smaller folder)`] };
    if (lines.length > LIMIT_LINES) return { kind: "found", lines, notes: [...notes, `(stopped after ${LIMIT_LINES} lines)`] };
  }
  return { kind: "found", lines, notes: [...notes, ...(tooLarge > 0 ? [`(${tooLarge} files above ${FILE_LIMIT_BYTES} bytes were not searched)`] : [])] };
}

interface Files {
  readonly files: readonly string[];
  readonly notes: readonly string[];
  readonly problem?: string;
}

async function filesOf({ folder, file, glob }: GrepRequest, signal: AbortSignal): Promise<Files> {
  if (file !== undefined) return { files: [file], notes: [] };
  const { files, cut } = await walk(folder, { signal });
  const notes = cut ? [`(there are more than ${WALK_LIMIT_ENTRIES} files; not all were searched)`] : [];
  if (glob === undefined) return { files, notes };
  // A pattern without a slash is about the name, wherever the file lies.
  const compiled = compileGlob(glob.includes("/") ? glob.replace(/^\//, "") : glob.replace(/^!?/, (sign) => `${sign}**/`));
  if (compiled.kind === "bad") return { files, notes, problem: `glob is not a file pattern: ${compiled.message}` };
  const kept = compiled.filter(files);
  return kept ? { files: kept, notes } : { files, notes, problem: "glob takes too long to match; write it more simply" };
}

const TOO_LARGE = Symbol("too large");

/** The text of a regular file that is not binary. */
async function textOf(path: string): Promise<string | typeof TOO_LARGE | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    if (found.size > FILE_LIMIT_BYTES) return TOO_LARGE;
    const bytes = await readFile(path);
    return bytes.subarray(0, PROBE_BYTES).includes(0) ? undefined : bytes.toString("utf8");
  } catch {
    return undefined;
  }
}

interface Matches {
  readonly lines: readonly string[];
  /** Indexes of the lines that match. */
  readonly at: readonly number[];
}

function matchesOf(text: string, { test, until, first }: { test: (line: string) => boolean; until: number; first: boolean }): Matches {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const at: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (test(line)) at.push(index);
    if ((first && at.length > 0) || (index % 256 === 0 && performance.now() > until)) break;
  }
  return { lines, at };
}

/** What each mode shows of one file. */
const FORMATS: { readonly [mode in GrepRequest["mode"]]: (matches: Matches, request: GrepRequest, file: string) => readonly string[] } = {
  files_with_matches: ({ at }, { shown }, file) => (at.length > 0 ? [shown(file)] : []),
  count: ({ at }, { shown }, file) => (at.length > 0 ? [`${shown(file)}:${at.length}`] : []),
  content: ({ lines, at }, { shown, before, after }, file) => {
    const name = shown(file);
    const matched = new Set(at);
    const wanted = new Set(at.flatMap((index) => Array.from({ length: before + after + 1 }, (_, step) => index - before + step)));
    const result: string[] = [];
    let last: number | undefined;
    for (const index of [...wanted].sort((left, right) => left - right)) {
      const line = lines[index];
      if (line === undefined) continue;
      if (last !== undefined && index > last + 1 && before + after > 0) result.push("--");
      result.push(matched.has(index) ? `${name}:${index + 1}:${line}` : `${name}-${index + 1}-${line}`);
      last = index;
    }
    return result;
  },
};
