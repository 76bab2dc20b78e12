/** Whether a hook could run now, found out without running it: its program, interpreter and script are looked for, not started. */
import { openSync, readSync, closeSync, existsSync, realpathSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { closedAddress } from "../lib/address.ts";
import { isInside } from "../lib/inside.ts";
import { findProgram, isProgram } from "../lib/programs.ts";
import { isSystemPath } from "../lib/sandbox.ts";
import type { ActionType, Hook } from "../model/hook.ts";
import { confinementOf } from "../runners/confinement.ts";
import { moduleLaunch } from "../runners/worker-module.ts";
import { hookEntry } from "../trust/entry.ts";
import { shebangOf } from "../trust/follow.ts";
import type { Trust } from "../trust/trust.ts";
import { scriptProblem } from "./checks/scripts.ts";
import { programOf, scriptOf } from "./script.ts";

/** Where hooks would run. */
export interface ProbeContext {
  readonly cwd: string;
  readonly home: string;
  readonly env: { readonly [name: string]: string };
  readonly trust: Trust;
}

/** What a look at a hook found. */
export interface Probed {
  /** Why it can't run; null: nothing stands in its way. */
  readonly reason: string | null;
  /** What is odd about it all the same. */
  readonly remarks: readonly string[];
}

type Probe = (hook: Hook, context: ProbeContext) => Promise<string | null> | string | null;

/** What is looked at for each type of hook, in this order; the first reason is told. */
const PROBES: { readonly [type in ActionType]: readonly Probe[] } = {
  command: [sandbox, script, interpreter, program],
  module: [sandbox, script, loader],
  http: [address],
  callback: [inProcess, callbackModule],
  prompt: [],
  agent: [],
};

/** Looks at a hook that is armed. */
export async function probe(hook: Hook, context: ProbeContext): Promise<Probed> {
  const remarks = remarksOf(hook, context);
  for (const look of PROBES[hook.action.type]) {
    const reason = await look(hook, context);
    if (reason !== null) return { reason, remarks };
  }
  return { reason: null, remarks };
}

async function sandbox(hook: Hook, { cwd, env }: ProbeContext): Promise<string | null> {
  const confine = await confinementOf(hook, { cwd, projectDir: cwd, env });
  return typeof confine === "string" ? confine : null;
}

async function script(hook: Hook, context: ProbeContext): Promise<string | null> {
  return (await scriptProblem(hook, context))?.message ?? null;
}

/** A script that is started itself needs the program that its first line names. */
function interpreter(hook: Hook, context: ProbeContext): string | null {
  const found = scriptOf(hook, context);
  if (found?.kind !== "file" || !found.direct) return null;
  const shebang = shebangOf(firstBytes(resolve(context.cwd, found.path)));
  if (!shebang) return null;
  if (!isProgram(shebang.path)) return `the first line of ${found.word} names ${shebang.path}, which is no program here`;
  return shebang.name === null ? null : lookedUp(shebang.name, hook, context, `the first line of ${found.word} names ${shebang.name}, which`);
}

function program(hook: Hook, context: ProbeContext): string | null {
  const name = programOf(hook, context);
  return name === undefined ? null : lookedUp(name, hook, context, name);
}

function lookedUp(name: string, hook: Hook, { cwd, env }: ProbeContext, what: string): string | null {
  const path = findProgram(name, hook.env["PATH"] ?? env["PATH"]);
  if (path === undefined) return `${what} is not found in PATH`;
  const isShown = isSystemPath(path) || isInside(path, cwd) || (hook.plugin !== null && isInside(path, hook.plugin.root));
  return hook.sandbox.level === "strict" && !isShown ? `${what} is ${path}, which the sandbox strict hides: name it by its path, or use readonly` : null;
}

function loader({ action }: Hook, { cwd }: ProbeContext): string | null {
  const launch = action.type === "module" ? moduleLaunch(action.module, { projectDir: cwd }) : "";
  return typeof launch === "string" ? launch : null;
}

/** What a name leads to is seen when it is called; an address can be told now. */
function address({ action }: Hook): string | null {
  if (action.type !== "http" || action.refused !== null) return action.type === "http" ? action.refused : null;
  const host = new URL(action.url).hostname;
  const closed = isIP(host.replace(/^\[|\]$/g, "")) === 0 ? undefined : closedAddress(host, { allowLoopback: true, allowPrivate: action.allowPrivate });
  return closed === undefined ? null : `${host} is not a public address (${closed}): spell it out in allowedHttpHookUrls of your own settings if it is meant`;
}

function inProcess({ sandbox: { level } }: Hook): string | null {
  return level === "none" ? null : `a callback runs inside Snaphook, where the sandbox ${level} can't hold it: make it a command or a module`;
}

function callbackModule({ action }: Hook): string | null {
  if (action.type !== "callback" || typeof action.callback === "function" || action.module === null) return null;
  return existsSync(action.module) ? null : `${action.module} does not exist, and must export ${action.callback}; --callbacks names another module`;
}

/** Others could change it: where it comes with a project it would be refused. */
function remarksOf(hook: Hook, { trust }: ProbeContext): readonly string[] {
  const unsafe = hook.source === null ? null : trust.look(hookEntry(hook, trust.where)).refused;
  const asks = hook.action.type === "prompt" || hook.action.type === "agent";
  return [...(unsafe === null ? [] : [unsafe]), ...(asks ? ["it asks a model, so it runs in sessions only (`snaphook run`)"] : [])];
}

const FIRST_LINE_BYTES = 512;

function firstBytes(path: string): string {
  try {
    const file = openSync(realpathSync(path), "r");
    try {
      const bytes = Buffer.alloc(FIRST_LINE_BYTES);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, FIRST_LINE_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
