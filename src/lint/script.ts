/** Which script a command starts, as far as its first words tell. Pure; what can't be known for sure is left alone. */
import { basename } from "node:path";
import { lookup } from "../lib/json.ts";
import { shlexSplit } from "../lib/shlex.ts";
import type { Action, Hook } from "../model/hook.ts";
import { BUILTINS, KEYWORDS } from "../trust/tables.ts";

/** A script as a command names it. */
export type Script =
  /** `direct`: it is started itself, not read by an interpreter. */
  | { readonly kind: "file"; readonly word: string; readonly path: string; readonly direct: boolean }
  /** It is started without a shell, and holds what only a shell would fill in. */
  | { readonly kind: "literal"; readonly word: string };

interface Folders {
  readonly cwd: string;
  readonly home: string;
}

/** Programs that read a script, with the flags that may stand before it and take no value. */
const INTERPRETERS: { readonly [program: string]: string } = {
  sh: "abefhilmnuvx", bash: "abefhilmnuvxr", dash: "abefhilmnuvx", zsh: "efhilnuvx", ksh: "efhilnuvx",
  python: "bBdEiIOsSuv", python3: "bBdEiIOsSuv", node: "", bun: "", ruby: "w", perl: "wT", php: "",
}; // prettier-ignore

/** What a shell still has to fill in, or where the first command ends. */
const UNKNOWN = /[$`*?[\]{}()!]/;
const COMMAND_END = /[;|&<>\n]/;

/** The script that a hook starts; undefined when it starts none, or none that can be told from the text. */
export function scriptOf(hook: Hook, folders: Folders): Script | undefined {
  const { action } = hook;
  if (action.type === "module") return { kind: "file", word: action.module, path: action.module, direct: false };
  if (action.type !== "command") return undefined;
  const [program = "", ...rest] = filledWords(hook, action, folders);
  if (program === "" || UNKNOWN.test(program) || program.startsWith("~"))
    return action.launch === "argv" && /^~|\$/.test(program) ? { kind: "literal", word: program } : undefined;
  const flags = lookup(INTERPRETERS, basename(program));
  if (flags === undefined) return looksLikePath(program) ? { kind: "file", word: program, path: program, direct: true } : undefined;
  const read = rest.find((word) => !harmless(word, flags));
  if (read === undefined || read.startsWith("-") || UNKNOWN.test(read) || !(looksLikePath(read) || /\.\w+$/.test(read))) return undefined;
  return { kind: "file", word: read, path: read, direct: false };
}

/** The program that a command starts first, by a bare name that is looked up in PATH; undefined when it starts none, or none that can be told. */
export function programOf(hook: Hook, folders: Folders): string | undefined {
  const { action } = hook;
  if (action.type !== "command") return undefined;
  const [program = ""] = filledWords(hook, action, folders);
  const isShell = action.launch !== "argv";
  if (program === "" || program.includes("/") || (isShell && (UNKNOWN.test(program) || KEYWORDS.has(program) || BUILTINS.has(program)))) return undefined;
  return program;
}

function filledWords(hook: Hook, action: Extract<Action, { type: "command" }>, folders: Folders): readonly string[] {
  const words = wordsOf(action, (text) => fill(text, hook, folders));
  return action.launch === "argv" ? words : words.map((word) => word.replace(/^~(?=\/)/, folders.home));
}

/** The words of the first simple command, without assignments before it. */
function wordsOf(action: Extract<Action, { type: "command" }>, filled: (text: string) => string): readonly string[] {
  if (action.launch === "argv") return (action.args ?? [action.command]).map(filled);
  const split = shlexSplit(filled(action.command));
  if (split.kind === "unbalanced") return [];
  const end = split.words.findIndex((word) => COMMAND_END.test(word));
  const cut = end < 0 ? split.words : [...split.words.slice(0, end), ...(split.words[end] ?? "").split(COMMAND_END).slice(0, 1)].filter((word) => word !== "");
  const start = cut.findIndex((word) => !/^\w+=/.test(word) && word !== "exec");
  return start < 0 ? [] : cut.slice(start);
}

/** Fills in the variables whose values are known before any event: the folders, and the hook's own. */
function fill(text: string, { env, plugin, action }: Hook, { cwd, home }: Folders): string {
  const shell = action.type === "command" && action.launch !== "argv";
  const known: { readonly [name: string]: string | undefined } = {
    CLAUDE_PROJECT_DIR: cwd,
    CLAUDE_PLUGIN_ROOT: plugin?.root,
    ...(shell && { SNAPHOOK_PROJECT_DIR: cwd, PWD: cwd, HOME: home === "" ? undefined : home, ...env }),
  };
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced: string | undefined, bare: string | undefined) => lookup(known, braced ?? bare) ?? whole);
}

function harmless(word: string, flags: string): boolean {
  return /^-\w+$/.test(word) && Array.from(word.slice(1)).every((letter) => flags.includes(letter));
}

function looksLikePath(word: string): boolean {
  return word.includes("/") && !word.includes("://");
}
