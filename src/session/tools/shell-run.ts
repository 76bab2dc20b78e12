/** One shell command from its start to its end, with everything it starts in a process group of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { messageOf } from "../../lib/errors.ts";
import { endGroup, groupRuns, signalGroup } from "../../lib/group.ts";
import { DRAIN_MS, GRACE_MS } from "../../lib/process.ts";
import { settlesWithin } from "../../lib/time.ts";
import { HeadTail } from "./head-tail.ts";
import { shellLaunch } from "./shell-launch.ts";
import type { ToolContext } from "./tool.ts";

/** What is kept of a command's output. */
export const SHELL_LIMIT_CHARACTERS = 1_048_576;

/** How a command ended. */
export type ShellEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "not-started"; readonly message: string };

/** A running command; both streams are one text, in the order in which they were written. */
export class ShellRun {
  readonly ended: Promise<ShellEnd>;
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  readonly #cwdFile: string;
  #output = new HeadTail(SHELL_LIMIT_CHARACTERS);
  #end: ShellEnd | undefined;

  constructor(command: string, { cwd, env, tempDir }: Pick<ToolContext, "cwd" | "env" | "tempDir">) {
    this.#cwdFile = join(tempDir, `snaphook-cwd-${randomUUID()}`);
    const { file, args } = shellLaunch(command, this.#cwdFile);
    this.#child = spawn(file, [...args], {
      cwd,
      env: { ...env },
      stdio: ["ignore", "pipe", "ignore", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#closed = new Promise((resolve) => void this.#child.on("close", () => resolve()));
    this.ended = new Promise((resolve) => {
      const settle = (end: ShellEnd): void => {
        this.#end ??= end;
        resolve(end);
      };
      this.#report()?.on("data", (code: string) => settle({ kind: "exited", code: Number.parseInt(code, 10) }));
      this.#child.on("exit", (code, signal) => settle(code === null ? { kind: "signalled", signal: signal ?? "unknown" } : { kind: "exited", code }));
      this.#child.on("error", (error) =>
        settle({ kind: "not-started", message: existsSync(cwd) ? messageOf(error) : `the working folder ${cwd} does not exist` }),
      );
    });
    const { stdout } = this.#child;
    stdout?.setEncoding("utf8");
    stdout?.on("data", (text: string) => this.#output.write(text));
    stdout?.on("error", () => stdout.destroy());
  }

  /** The stream on which the exit code is told, as soon as the command has ended and whoever holds its output. */
  #report(): Readable | undefined {
    const stream = this.#child.stdio[3];
    if (!(stream instanceof Readable)) return undefined;
    stream.setEncoding("utf8");
    stream.on("error", () => stream.destroy());
    return stream;
  }

  /** How it ended; undefined while it runs. */
  get end(): ShellEnd | undefined {
    return this.#end;
  }

  /** The last characters of the output so far. */
  tail(characters: number): string {
    return this.#output.tail(characters);
  }

  /** The output since it was last taken. */
  take(): string {
    const text = this.#output.text();
    this.#output = new HeadTail(SHELL_LIMIT_CHARACTERS);
    return text;
  }

  /** Waits for the rest of the output. False: something that the command left behind holds it. */
  async drained(): Promise<boolean> {
    let seen = -1;
    for (let round = 0; round < DRAIN_ROUNDS && seen !== this.#output.length; round++) {
      seen = this.#output.length;
      if (await settlesWithin(this.#closed, DRAIN_MS)) return true;
    }
    return false;
  }

  /** Whether anything of the group still runs, as far as a quick look tells: what has ended but was not yet reaped counts too. */
  get lingers(): boolean {
    return signalGroup(this.#child.pid, 0);
  }

  /** Whether anything of the group still runs. */
  async runs(): Promise<boolean> {
    return groupRuns(this.#child.pid);
  }

  /** The folder in which the command ended, where it said so and the folder is still there. */
  async finalCwd(): Promise<string | undefined> {
    const said = await readFile(this.#cwdFile, "utf8").catch(() => "");
    await rm(this.#cwdFile, { force: true });
    const cwd = said.replace(/\n$/, "");
    const found = cwd === "" ? undefined : await stat(cwd).catch(() => undefined);
    return found?.isDirectory() ? cwd : undefined;
  }

  /** Ends the whole group: TERM, grace, KILL. */
  async kill(): Promise<void> {
    await endGroup(this.#child.pid, GRACE_MS);
    await settlesWithin(this.#closed, DRAIN_MS);
    for (const stream of this.#child.stdio) stream?.destroy();
    await rm(this.#cwdFile, { force: true });
  }
}

/** While output still arrives the wait for its end is prolonged, at most this many times. */
const DRAIN_ROUNDS = 8;
