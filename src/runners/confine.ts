/** A hook's program inside the sandbox that it must run in. It is never started outside of it. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { constants } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { messageOf } from "../lib/errors.ts";
import { lookup } from "../lib/json.ts";
import { findSandbox, isShown, isSystemPath, placeRefusal, sandboxed, sandboxProblem, type SandboxPlace } from "../lib/sandbox.ts";
import { planFiles, type FileView } from "../lib/sandbox-files.ts";
import type { Confinement } from "../lib/sandbox-level.ts";
import type { ProcessEnd } from "../lib/process.ts";
import { unnamedFiles } from "../lib/stdin-file.ts";
import type { Hook } from "../model/hook.ts";
import { sourceText } from "../model/source.ts";
import { argvWords, shellWords } from "../trust/words.ts";
import type { Confining, Holding, NotHeld, Surroundings } from "./confinement.ts";
import type { RunContext } from "./runner.ts";

/** How a hook's program is held at a level; a text says why it can't be. */
export async function confined(level: Confinement, hook: Hook, context: Surroundings): Promise<Confining | string> {
  const { by } = hook.sandbox;
  const program = findSandbox(context.env["PATH"]);
  const place = placeOf(hook, context);
  const problem = (await sandboxProblem(level, context.env["PATH"])) ?? placeRefusal(level, place);
  if (program === undefined || problem !== null)
    return `the sandbox ${level} that ${by ? sourceText(by) : "its entry"} asks for is not available: ${problem ?? ""}`;
  return {
    wrap: ({ file, args }, holding) => {
      const approved = holding.vouch?.approved() ?? [];
      if (typeof approved === "string") return notWhatItWas(approved);
      try {
        const files = planFiles(approved, viewOf({ level, place, holding }));
        if (typeof files === "string") return notWhatItWas(files);
        const around = { ...place, readable: [...place.readable, ...(holding.needs ?? [])] };
        const [first = "", ...rest] = sandboxed([file, ...args], { level, program, place: around, files: files.args });
        const descriptors = unnamedFiles(files.contents, holding.tempDir);
        const sealed = files.sealed && level === "strict" && !place.readable.some(isSystemPath);
        return { file: first, args: rest, login: false, descriptors, sealed };
      } catch (error) {
        return { kind: "not-started", message: `the files that were approved could not be put into the sandbox ${level}: ${messageOf(error)}` };
      }
    },
    endOf: (end) => endInside(end, level),
  };
}

function notWhatItWas(message: string): NotHeld {
  return { kind: "changed", message, result: { kind: "not-started", message } };
}

const FIRST_DESCRIPTOR = 3;

function viewOf({ level, place, holding }: { readonly level: Confinement; readonly place: SandboxPlace; readonly holding: Holding }): FileView {
  return {
    folders: [...new Set(place.readable)].filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory()),
    shows: (path) => isShown(level, path),
    rebuild: !holding.stays,
    firstDescriptor: holding.firstDescriptor ?? FIRST_DESCRIPTOR,
  };
}

/** The project and the hook's plugin; what a hook of the machine's owner names besides. A repository names nothing outside of itself. */
function placeOf(hook: Hook, { cwd, projectDir, env }: Surroundings): SandboxPlace {
  const home = env["HOME"] ?? "";
  const folders = [projectDir, ...(hook.plugin ? [hook.plugin.root] : [])];
  const isOwners = hook.layer === "managed" || hook.layer === "user" || hook.layer === "run";
  const named = isOwners ? namedFiles(hook, { home, env }) : [];
  return { cwd, home, readable: [...folders, ...named].flatMap((path) => [path, realOf(path)]).filter((path) => existsSync(path)) };
}

function namedFiles({ action, env: own }: Hook, { home, env }: { readonly home: string; readonly env: RunContext["env"] }): readonly string[] {
  if (action.type === "module") return [action.module];
  if (action.type !== "command") return [];
  const filling = { variable: (name: string) => own[name] ?? env[name], substitution: () => undefined };
  const { words } = action.launch === "argv" ? argvWords(action.args ?? [action.command], filling) : shellWords(action.command, filling);
  const paths = words.map(({ text }) => (text.startsWith("~/") ? resolve(home, text.slice(2)) : text));
  return paths.filter((path) => isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile());
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const SIGNALLED = 128;

/** What bubblewrap says of a program that it can't start, and the system's code for it. */
const START_CODES: { readonly [said: string]: string } = {
  "No such file or directory": "ENOENT",
  "Permission denied": "EACCES",
  "Exec format error": "ENOEXEC",
};

/** How the hook itself ended: bubblewrap tells of a signal by exit code, and of its own failure on stderr. */
function endInside(end: ProcessEnd, level: Confinement): ProcessEnd {
  if (end.kind !== "exited") return end;
  if (end.code === 1 && end.stdout === "" && end.stderr.startsWith("bwrap: ")) {
    const said = end.stderr.trim().split("\n")[0] ?? "";
    const code = said.startsWith("bwrap: execvp ") ? lookup(START_CODES, said.split(": ").at(-1)) : undefined;
    return { kind: "not-started", message: `the sandbox ${level} could not start it: ${said}`, ...(code !== undefined && { code }) };
  }
  const signal = Object.entries(constants.signals).find(([, number]) => number === end.code - SIGNALLED)?.[0];
  return signal === undefined ? end : { ...end, kind: "signalled", signal };
}
