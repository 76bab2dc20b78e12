/** A daemon of the running test's own, and the client that asks it. */
import { spawn } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { findDaemon, tallyOf, type DaemonInfo } from "../../src/daemon/info.ts";
import type { Tally } from "../../src/daemon/server.ts";
import { snaphook, type CliRun } from "../support/cli.ts";
import { ROOT } from "../support/places.ts";
import { until } from "../support/processes.ts";
import { tempFolder } from "../support/temp.ts";

/** The client of this checkout. */
export const CLIENT = join(ROOT, "bin/snaphook-hook");

export type Env = { readonly [name: string]: string };

/** Surroundings in which a daemon finds a place of its own. */
export interface Home {
  readonly cwd: string;
  readonly place: string;
  readonly env: Env;
}

/** An empty project, with a folder for a daemon. Node comes first in PATH, as the daemon will be it. */
export function home(): Home {
  const cwd = tempFolder();
  const runtime = tempFolder();
  chmodSync(runtime, 0o700);
  const path = [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  return {
    cwd,
    place: join(runtime, "snaphook-daemon"),
    env: { PATH: path, HOME: `${cwd}/.home`, TMPDIR: cwd, LANG: "C.UTF-8", XDG_RUNTIME_DIR: runtime },
  };
}

/** Starts a daemon, which ends with the test. */
export async function startDaemon({ env, place }: Home, args: readonly string[] = []): Promise<DaemonInfo> {
  const { code, stderr } = await snaphook(["daemon", "start", ...args], { env });
  const info = findDaemon(place);
  if (code !== 0 || !info) throw new Error(`no daemon: exit ${code}, ${stderr}`);
  onTestFinished(async () => endDaemon(place));
  return info;
}

/** Ends the daemon of a place, however it is. */
export async function endDaemon(place: string): Promise<void> {
  const info = findDaemon(place);
  if (!info) return;
  process.kill(info.pid, "SIGCONT");
  process.kill(info.pid, "SIGTERM");
  if (!(await until(() => !isRunning(info.pid), 15_000))) process.kill(info.pid, "SIGKILL");
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** How many calls the daemon has answered, and why it left others to Node, once its next beat has told it. */
export async function tallyAfter({ place }: Home, holds: (tally: Tally) => boolean): Promise<Tally> {
  let tally: Tally = { served: -1, running: -1, engines: -1, unserved: {} };
  const look = (): boolean => {
    const told = tallyOf(place);
    if (isTally(told)) tally = told;
    return holds(tally);
  };
  await until(look, 10_000);
  return tally;
}

function isTally(value: unknown): value is Tally {
  return typeof value === "object" && value !== null && "served" in value;
}

export interface HookOptions {
  readonly cwd?: string;
  readonly env?: Env;
  readonly stdin?: unknown;
  readonly client?: string;
  readonly uid?: number;
  /** Called with the process once it runs. */
  readonly onStart?: (pid: number) => void;
}

/** Runs `snaphook-hook …` to its end; stdin is a socket, as Node's pipes are. */
export async function hook(
  at: Home,
  args: readonly string[],
  { cwd = at.cwd, env = {}, stdin = "", client = CLIENT, onStart }: HookOptions = {},
): Promise<CliRun> {
  return ended(spawn(client, args, { cwd, env: { ...at.env, ...env } }), { stdin, onStart });
}

/** Runs a line of shell in which `hook` is the client. */
export async function shell(at: Home, line: string, { env = {}, stdin = "" }: HookOptions = {}): Promise<CliRun> {
  return ended(spawn("/bin/sh", ["-c", `hook() { "${CLIENT}" "$@"; }\n${line}`], { cwd: at.cwd, env: { ...at.env, ...env } }), { stdin });
}

async function ended(child: ReturnType<typeof spawn>, { stdin, onStart }: { stdin: unknown; onStart?: ((pid: number) => void) | undefined }): Promise<CliRun> {
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin?.on("error", () => {}); // a command that fails at once does not read
  child.stdin?.end(typeof stdin === "string" ? stdin : JSON.stringify(stdin));
  if (child.pid !== undefined) onStart?.(child.pid);
  return new Promise((resolve) => void child.on("close", (code, signal) => resolve({ code, signal, ...output })));
}

/** A run without what the clock says. */
export function timeless({ stdout, ...run }: CliRun): CliRun {
  return { ...run, stdout: stdout.replaceAll(/"durationMs":[\d.e-]+/g, '"durationMs":0').replaceAll(/,"id":"[\w-]+"/g, "") };
}

/** A shell call about to be made. */
export const CALL = { sessionId: "s-1", tool: { name: "Bash", input: { command: "rm -rf build" } } };

/** A settings file of Lime with one guard. */
export function guard(command: string): { [path: string]: object } {
  return { ".lime/settings.json": { hooks: { PreToolUse: [command] } } };
}

/** The words that fire CALL through that file. */
export const FIRE = ["fire", "tool.before", "--config", ".lime/settings.json"];
