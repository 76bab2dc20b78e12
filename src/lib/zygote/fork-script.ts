/** What a shell that stays does to carry out a command in a fork of itself, so that the command sees what it would see in a shell of its own. */
import { realpathSync } from "node:fs";
import { normalize } from "node:path";
import type { ProcessRequest } from "../process.ts";
import { quoted } from "../shell-text.ts";
import { commandText, fits } from "./shell-request.ts";
import type { Surroundings } from "./telling.ts";

type Env = ProcessRequest["env"];

/** Where a command's streams are, as paths that the shell can open. */
export interface ForkStreams {
  readonly stdin: string;
  readonly out: string;
  readonly err: string;
}

/** With this code the fork says that it could not even begin. */
export const NOT_BEGUN_CODE = 126;

/**
 * What a fork would do otherwise than a shell of its own, or would say otherwise: ids of processes, what ends a group, jobs, ends of loops that
 * are ours, files that are read as commands and may hold any of it.
 */
const OTHERWISE = new RegExp(
  [
    /\$\$|\$\{\$|PPID|snaphook_/,
    /\b(?:eval|trap|kill|killall|pkill|break|continue|return|local|jobs|fg|bg|times|set|source)\b/,
    // A dot where a command stands.
    /(?:^|[\n;&|({!`]|\b(?:if|then|elif|else|while|until|do|command)\b|=\S*\s)\s*\.\s/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Variables that a shell gives another value, or keeps to itself. */
const CHANGED = ["IFS", "OPTIND", "PPID", "LINENO"];
/** A shell hands on no variable of another name. */
const NAME = /^[A-Za-z_]\w*$/;
/** Its folder's names are the shell's to give. */
const FOLDERS = new Set(["PWD", "OLDPWD"]);
/** Longer texts are not looked through. */
const LONGEST_TEXT = 65_536;

const known = new Map<string, boolean>();
const MOST_KNOWN = 1_000;

/** What the shell does, once it is known where the streams are. */
export type ForkScript = (streams: ForkStreams) => string;

/** Whether a fork would carry it out as a shell of its own: `/bin/sh -c` with a text in which nothing tells them apart. */
export function canFork(request: ProcessRequest): boolean {
  const text = commandText(request);
  return text !== undefined && isPlain(text) && !CHANGED.some((name) => Object.hasOwn(request.env, name));
}

function isPlain(text: string): boolean {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const found = text.length < LONGEST_TEXT && !text.includes("\0") && !OTHERWISE.test(text);
  known.set(text, found);
  return found;
}

/** The lines for a request that a fork can carry out; undefined: it is too large, or its folder has a name that a shell would change. */
export function forkScript(request: ProcessRequest, base: Surroundings): ForkScript | undefined {
  const { args, env, cwd } = request;
  const goThere = canFork(request) ? toFolder(env["PWD"], cwd) : undefined;
  const variables = goThere === undefined || !fits(env) ? undefined : differences(env, base.env);
  if (variables === undefined) return undefined;
  const mask = process.umask();
  return ({ stdin, out, err }) =>
    [
      `exec 4>${out} 5>${err}`,
      `(${goThere} && exec 0<${stdin} 1>&4 2>&5 3>&- 4>&- 5>&- || exit ${NOT_BEGUN_CODE}`,
      "unset -f snaphook_say snaphook_go; unset snaphook_line",
      mask === base.umask ? "" : `umask ${mask.toString(8)}`,
      variables,
      `eval ${quoted(args[1] ?? "")})\n`,
    ].join("\n");
}

/** A message of the shell, which has one word more where it stays. */
const MESSAGE = /(\/bin\/sh: \d+: )eval: /g;

/** What a shell of its own would have printed. */
export function asOwnShell(printed: string): string {
  return printed.includes(": eval: ") ? printed.replaceAll(MESSAGE, "$1") : printed;
}

/** A shell calls its folder what it was called before, if that is where it is; else by its true name. */
function toFolder(before: string | undefined, cwd: string): string | undefined {
  if (before === undefined || !before.startsWith("/")) return `cd -P ${quoted(cwd)}`;
  if (before !== cwd && !isSameFolder(before, cwd)) return `cd -P ${quoted(cwd)}`;
  return before === normalize(before) && (before === "/" || !before.endsWith("/")) ? `cd ${quoted(before)}` : undefined;
}

function isSameFolder(path: string, other: string): boolean {
  try {
    return realpathSync.native(path) === realpathSync.native(other);
  } catch {
    return false;
  }
}

function differences(env: Env, base: Env): string | undefined {
  const set: string[] = [];
  for (const name of Object.keys(env)) {
    const value = env[name] ?? "";
    if (NAME.test(name) && !FOLDERS.has(name) && (value !== base[name] || !Object.hasOwn(base, name))) set.push(`${name}=${quoted(value)}`);
  }
  const unset = Object.keys(base).filter((name) => NAME.test(name) && !FOLDERS.has(name) && !Object.hasOwn(env, name));
  // Without one a shell has a path of its own making.
  if (unset.includes("PATH")) return undefined;
  const before = env["OLDPWD"];
  return [
    before === undefined ? "unset OLDPWD" : `export OLDPWD=${quoted(before)}`,
    unset.length > 0 ? `unset ${unset.join(" ")}` : "",
    set.length > 0 ? `export ${set.join(" ")}` : "",
  ].join("\n");
}
