/** The built command line as users start it. */
import { spawn } from "node:child_process";
import type { Decision } from "../../src/model/decision.ts";
import { BIN } from "./places.ts";
import { tempFolder } from "./temp.ts";

export interface CliRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  /** Besides PATH, a HOME of its own and TMPDIR; nothing else is inherited. */
  readonly env?: { readonly [name: string]: string };
  /** Text, or a value that is sent as JSON. */
  readonly stdin?: unknown;
  /** Called with the process's id once it runs. */
  readonly onStart?: (pid: number) => void;
}

/** Runs `snaphook …` to its end. */
export async function snaphook(args: readonly string[], { cwd = tempFolder(), env = {}, stdin = "", onStart }: CliOptions = {}): Promise<CliRun> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: `${cwd}/.home`, TMPDIR: cwd, LANG: "C.UTF-8", ...env },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin.on("error", () => {}); // a command that fails at once does not read
  child.stdin.end(typeof stdin === "string" ? stdin : JSON.stringify(stdin));
  if (child.pid !== undefined) onStart?.(child.pid);
  return new Promise((resolve) => void child.on("close", (code, signal) => resolve({ code, signal, ...output })));
}

/** Fires an event and reads the decision. */
export async function fire(
  event: string,
  input: unknown,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliRun & { readonly decision: Decision }> {
  const run = await snaphook(["fire", event, ...args, "--json"], { ...options, stdin: input });
  if (run.stdout === "") throw new TypeError(`no decision: exit ${run.code}, ${run.stderr}`);
  const decision: Decision = JSON.parse(run.stdout);
  return { ...run, decision };
}
