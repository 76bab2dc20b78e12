/** Which files a command names: its programs, the scripts that interpreters read, and any other word that could be a path. Pure. */
import { basename } from "node:path";
import { lookup } from "../lib/json.ts";
import { BUILTINS, IMPLIED_FILES, INTERPRETERS, KEYWORDS, SHELLS, WRAPPERS, WRITERS } from "./tables.ts";
import { tokensOf, UNKNOWN, type Filling, type Token } from "./tokens.ts";

/** What a word is to its command. */
export type Role = "program" | "script" | "file";

/** A word that may name a file. */
export interface NamedWord {
  readonly text: string;
  readonly role: Role;
  readonly glob: boolean;
}

/** The words of a command that may name files, and those of which only the run can tell. */
export interface CommandWords {
  readonly words: readonly NamedWord[];
  readonly open: readonly string[];
}

/** Code in code in code: as deep as anyone writes. */
const DEPTH_LIMIT = 4;

/** Words of shell text. */
export function shellWords(text: string, filling: Filling): CommandWords {
  return finish(collect(text, filling, 0));
}

/** Words of a program and its arguments, started without a shell. */
export function argvWords(args: readonly string[], filling: Filling): CommandWords {
  const tokens = args.map((arg): Token => ({ kind: "word", text: arg, code: /[\s;|&()<>]/.test(arg), glob: false }));
  return finish(walk(tokens, filling, 0));
}

function collect(text: string, filling: Filling, depth: number): Walk {
  const { tokens, nested } = tokensOf(text, filling);
  const walked = walk(tokens, filling, depth);
  if (depth < DEPTH_LIMIT) for (const inside of nested) absorb(walked, collect(inside, filling, depth + 1));
  for (const word of pathsIn(text)) if (!walked.written.has(word)) walked.words.push({ text: word, role: "file", glob: false });
  return walked;
}

interface Walk {
  readonly words: NamedWord[];
  readonly open: string[];
  /** Targets of redirections: what the command writes. */
  readonly written: Set<string>;
}

/** Where in a simple command the next word stands. */
interface Place {
  program: string | null;
  /** Words behind a wrapper that may still be the program. */
  wrapped: number;
  wantsScript: boolean;
}

const WRAPPED_WORDS = 3;

function walk(tokens: readonly Token[], filling: Filling, depth: number): Walk {
  const found: Walk = { words: [], open: [], written: new Set() };
  let place: Place = { program: null, wrapped: 0, wantsScript: false };
  let redirection: string | null = null;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "operator") {
      redirection = /[<>]/.test(token.text) ? token.text : null;
      if (redirection === null) place = { program: null, wrapped: 0, wantsScript: false };
      continue;
    }
    if (token.code && depth < DEPTH_LIMIT) absorb(found, collect(token.text, filling, depth + 1));
    if (redirection !== null) {
      if (/^<$|^<>$/.test(redirection)) take(found, token, "file");
      else if (redirection.includes(">")) found.written.add(token.text);
      redirection = null;
      continue;
    }
    const before = tokens[index - 1];
    readWord(found, token, { place, previous: before?.kind === "word" ? before.text : "" });
  }
  return found;
}

function readWord(found: Walk, token: Extract<Token, { kind: "word" }>, { place, previous }: { place: Place; previous: string }): void {
  const { text } = token;
  if (place.program === null) {
    const assigned = /^\w+\+?=(.*)$/s.exec(text)?.[1];
    if (assigned !== undefined) return take(found, { ...token, text: assigned }, "file");
    if (KEYWORDS.has(text)) return;
    return startCommand(found, token, place);
  }
  if (text.startsWith("-")) return readOption(found, token, place);
  if (place.wrapped > 0) {
    place.wrapped -= 1;
    if (/^\w+=/.test(text) || /^[\d.]+[smhd]?$/.test(text)) return;
    return startCommand(found, token, place);
  }
  if (WRITERS.has(place.program)) return;
  if (/^-(m|-module)$/.test(previous) && INTERPRETERS.has(place.program)) {
    for (const path of modulePaths(text)) take(found, { ...token, text: path }, "script");
    return;
  }
  const value = /^[\w.-]+=(.+)$/s.exec(text)?.[1];
  if (value !== undefined) take(found, { ...token, text: value }, "file");
  const first = /^(-r|--require|--import|--loader|-f|--file|--rcfile|--init-file)$/.test(previous);
  take(found, token, first || place.wantsScript ? "script" : "file");
  if (!first) place.wantsScript = false;
}

function startCommand(found: Walk, token: Extract<Token, { kind: "word" }>, place: Place): void {
  const name = basename(token.text);
  place.program = name;
  place.wantsScript = INTERPRETERS.has(name) || token.text === "." || name === "source";
  if (WRAPPERS.has(name)) place.wrapped = WRAPPED_WORDS;
  if (!BUILTINS.has(token.text)) take(found, token, "program");
  for (const path of lookup(IMPLIED_FILES, name) ?? []) found.words.push({ text: path, role: "file", glob: false });
}

/** `--config=file` names a file; `-c` takes code, which no script follows. */
function readOption(found: Walk, token: Extract<Token, { kind: "word" }>, place: Place): void {
  const value = /^--?[\w-]+=(.+)$/s.exec(token.text)?.[1];
  if (value !== undefined) take(found, { ...token, text: value }, "file");
  if (place.program !== null && SHELLS.has(place.program) && /^-\w*c$/.test(token.text)) place.wantsScript = false;
}

function take(found: Walk, { text, glob }: Extract<Token, { kind: "word" }>, role: Role): void {
  if (text === "") return;
  if (!text.includes(UNKNOWN)) found.words.push({ text, role, glob });
  else if (role !== "file" || text.includes("/")) found.open.push(text.replaceAll(UNKNOWN, "…"));
}

/** `python -m tools.guard`. */
function modulePaths(name: string): readonly string[] {
  const path = name.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
}

/** Whatever looks like the path of a script in a text, however it is quoted: code in other languages names files too. */
function pathsIn(text: string): readonly string[] {
  return text.split(/[^\w.@+~/-]+/).filter((part) => part.length < PATH_LIMIT && SCRIPT_ENDING.test(part));
}

const SCRIPT_ENDING = /\.(sh|bash|zsh|py|js|mjs|cjs|ts|mts|cts|rb|pl|php|lua|jq|awk|sed)$/;
const PATH_LIMIT = 4_096;

function absorb(into: Walk, from: Walk): void {
  into.words.push(...from.words);
  into.open.push(...from.open);
  for (const path of from.written) into.written.add(path);
}

/** Each word once, in its strongest role; what the command writes is no part of it. */
function finish({ words, open, written }: Walk): CommandWords {
  const best = new Map<string, NamedWord>();
  for (const word of words) {
    const before = best.get(word.text);
    if (!before || ROLES.indexOf(word.role) < ROLES.indexOf(before.role)) best.set(word.text, word);
  }
  return { words: [...best.values()].filter(({ text, role }) => role !== "file" || !written.has(text)), open: [...new Set(open)] };
}

const ROLES: readonly Role[] = ["program", "script", "file"];
