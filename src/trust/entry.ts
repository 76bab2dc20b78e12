/** What a folder brings along and what needs trust, each as one entry: what it says, and which files it names. */
import { dirname, resolve } from "node:path";
import { insidePath, isInside } from "../lib/inside.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Hook } from "../model/hook.ts";
import type { Rule } from "../model/rule.ts";
import type { Source } from "../model/source.ts";
import type { Filling } from "./tokens.ts";
import { argvWords, shellWords, type CommandWords } from "./words.ts";

/** The kinds of entries, as people call them. */
export const ENTRY_KINDS = {
  hook: "hook",
  rule: "allow rule",
  server: "MCP server",
  agent: "subagent",
  approval: "built-in approvals",
} as const satisfies Record<string, string>;

export type EntryKind = keyof typeof ENTRY_KINDS;

/** Where a folder stands, and in which surroundings its commands run. */
export interface Where {
  /** The project folder, as it was given. */
  readonly root: string;
  readonly home: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** Who runs this; undefined where users have no numbers. */
  readonly user: number | undefined;
}

/** One thing that needs trust. */
export interface TrustEntry {
  readonly kind: EntryKind;
  /** What people see of it: a command, a rule, a server's name. */
  readonly label: string;
  /** The event it is for, or what else tells it from its like. */
  readonly about: string;
  readonly source: Source | null;
  /** The hook that it is, where it is one. */
  readonly hook: Hook | null;
  /** What it says, in canonical form: paths in the folder are relative to it. */
  readonly spec: JsonObject;
  /** The words of its command. */
  readonly words: (filling: Filling) => CommandWords;
  /** Files that it reads whatever its words say. */
  readonly files: readonly string[];
  /** A further folder from which its relative paths may be meant. */
  readonly base: string | null;
  /** The folder with whose approval it runs: the project, or a plugin that lies elsewhere. */
  readonly folder: string;
  /** Variables that its command gets from its configuration. */
  readonly env: { readonly [name: string]: string | undefined };
}

const NO_WORDS = (): CommandWords => ({ words: [], open: [] });

/** The entry of a hook. */
export function hookEntry(hook: Hook, { root }: Pick<Where, "root">): TrustEntry {
  const { action, plugin } = hook;
  const module = action.type === "callback" || action.type === "module" ? action.module : null;
  const folder = plugin && !isInside(plugin.root, root) ? plugin.root : root;
  return {
    kind: "hook",
    label: hook.name,
    about: `${hook.dialect} ${hook.wireName}`,
    source: hook.source,
    hook,
    spec: {
      kind: "hook",
      name: hook.name,
      dialect: hook.dialect,
      event: hook.wireName,
      matcher: hook.matcher.kind === "pattern" ? hook.matcher.text : hook.matcher.kind === "names" ? hook.matcher.names : null,
      if: hook.condition,
      action: portable(action, folder),
      timeoutMs: hook.timeoutMs,
      onFault: hook.onFault,
      once: hook.once,
      async: hook.async,
      env: hook.env,
      // Entries that say nothing of these have the hash that they had before there were such words.
      ...(hook.passEnv.length > 0 && { passEnv: hook.passEnv }),
      ...(hook.sandbox.said !== null && { sandbox: hook.sandbox.said }),
      plugin: plugin && { name: plugin.name, root: portablePath(plugin.root, folder) },
    },
    words: wordsOf(hook),
    files: module === null ? [] : [module],
    base: plugin?.root ?? null,
    folder,
    env: { ...hook.env, CLAUDE_PROJECT_DIR: root, SNAPHOOK_PROJECT_DIR: root, ...(plugin && { CLAUDE_PLUGIN_ROOT: plugin.root }) },
  };
}

function wordsOf({ action }: Hook): TrustEntry["words"] {
  if (action.type !== "command") return NO_WORDS;
  return (filling) => (action.launch === "argv" ? argvWords(action.args ?? [action.command], filling) : shellWords(action.command, filling));
}

/** What the owner of a machine decides about an action: no part of what its entry says. */
const OWNERS_FIELDS = ["refused", "allowPrivate"];

/** An action as it reads in every clone: files of the folder relative to it, functions as such. */
function portable(action: Hook["action"], folder: string): JsonObject {
  const said = Object.entries(action).filter(([key]) => !OWNERS_FIELDS.includes(key));
  const values = said.map(([key, value]: [string, unknown]): [string, unknown] => {
    if (typeof value === "function") return [key, "(a function)"];
    return [key, typeof value === "string" && key === "module" ? portablePath(value, folder) : value];
  });
  return Object.fromEntries(values);
}

function portablePath(path: string, root: string): string {
  return insidePath(path, root) ?? path;
}

/** The entry of an allow rule; deny and ask rules need no trust. */
export function ruleEntry(rule: Rule, { root }: Pick<Where, "root">): TrustEntry {
  return { ...plain("rule", rule.text, { source: rule.source ?? null, folder: root }), spec: { kind: "rule", verdict: rule.verdict, text: rule.text } };
}

/** The entry of the approvals that a dialect has built in: they let some tools pass without a question. */
export function approvalEntry(
  { dialect, title, source }: { readonly dialect: string; readonly title: string; readonly source: Source },
  { root }: Pick<Where, "root">,
): TrustEntry {
  const said = plain("approval", `${title}: pre-approved tools pass without a question`, { source, folder: root });
  return { ...said, spec: { kind: "approval", dialect } };
}

/** The entry of an MCP server as its file says it, before variables are filled in. */
export function serverEntry(
  { key, value, source }: { readonly key: string; readonly value: JsonObject; readonly source: Source },
  { root }: Pick<Where, "root">,
): TrustEntry {
  const { command, args, cwd } = value;
  const list: readonly unknown[] = Array.isArray(args) ? args : [];
  const words = [command, ...list].filter((word): word is string => typeof word === "string");
  const folder = typeof cwd === "string" ? resolve(dirname(source.file), cwd) : null;
  return {
    ...plain("server", `${key}  ${words.length > 0 ? words.join(" ") : textOf(value["url"])}`, { source, folder: root }),
    about: key,
    spec: { kind: "server", name: key, ...value },
    words: (filling) => argvWords(words, filling),
    base: folder,
  };
}

/** The entry of a subagent's definition: all of its file. */
export function agentEntry(file: string, { root }: Pick<Where, "root">): TrustEntry {
  const path = portablePath(file, root);
  return { ...plain("agent", path, { source: { file, line: 1, column: 1 }, folder: root }), spec: { kind: "agent", path }, files: [file] };
}

function plain(kind: EntryKind, label: string, { source, folder }: { source: Source | null; folder: string }): Omit<TrustEntry, "spec"> {
  return { kind, label, about: label, source, hook: null, folder, words: NO_WORDS, files: [], base: null, env: {} };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
