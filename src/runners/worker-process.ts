/** The process of a worker: lines in, lines out, in a group of its own that ends with us, however we end. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { Socket } from "node:net";
import { CappedText } from "../lib/capped-text.ts";
import { closeQuietly } from "../lib/close-quietly.ts";
import { codeOf, messageOf } from "../lib/errors.ts";
import { signalGroup } from "../lib/group.ts";
import { LineSplitter } from "../lib/line-splitter.ts";
import { DRAIN_MS, GRACE_MS } from "../lib/process.ts";
import { settlesWithin } from "../lib/time.ts";
import { startFailure } from "./start-failure.ts";
import type { WorkerEnd } from "./worker-end.ts";

/** What to start. */
export interface WorkerLaunch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  readonly windowsVerbatim?: boolean;
  /** Descriptors that it gets as 4, 5 and so on; they are closed when it was started. */
  readonly descriptors?: readonly number[];
}

/** Who hears what a worker says. Nothing is heard any more once `end` was called. */
export interface WorkerListener {
  line(text: string): void;
  /** One line, or all that was said without an answer, is above the limit. */
  oversized(): void;
  ended(end: WorkerEnd): void;
}

/**
 * Before it becomes the worker, the shell leaves a guard behind that waits on a pipe which we hold and never write to: when we are gone,
 * also by KILL, the pipe closes and the guard ends the group. It keeps the group's number from being given to another one, too.
 */
const GUARD = '{ trap "" TERM; read -r _; kill -KILL 0; } <&3 >/dev/null 2>&1 & exec 3<&-; exec "$@"';

/** One started worker. */
export class WorkerProcess {
  readonly #child: ChildProcess | undefined;
  readonly #limitBytes: number;
  readonly #exited: Promise<void>;
  readonly #splitter: LineSplitter;
  #listener: WorkerListener | undefined;
  #stdout: Socket | undefined;
  #held = false;
  /** Its stdout is closed: what is left to be heard is its end. */
  #hasLeft = false;
  #stderr: CappedText | undefined;
  #unansweredBytes = 0;

  constructor(launch: WorkerLaunch, { listener, limitBytes }: { readonly listener: WorkerListener; readonly limitBytes: number }) {
    this.#listener = listener;
    this.#limitBytes = limitBytes;
    this.#splitter = new LineSplitter((line, bytes) => (bytes > limitBytes ? this.#listener?.oversized() : this.#listener?.line(line)));
    try {
      this.#child = start(launch);
    } catch (error) {
      this.#exited = Promise.resolve();
      queueMicrotask(() => this.#finish(notStarted(launch, error)));
      return;
    }
    this.#exited = this.#watch(this.#child, launch);
  }

  write(line: string): void {
    this.#child?.stdin?.write(line);
  }

  /** What was said on stdout so far was an answer: the limit counts anew. */
  answered(): void {
    this.#unansweredBytes = 0;
  }

  /** What was printed on stderr since it was taken last. */
  takeStderr(): { readonly text: string; readonly over: boolean } | undefined {
    const stderr = this.#stderr;
    this.#stderr = undefined;
    return stderr && { text: stderr.end(), over: stderr.over };
  }

  /** Whether the worker keeps our process alive: only while somebody waits for it. */
  hold(held: boolean): void {
    this.#held = held;
    // Its stdout alone does it as long as that is open: one handle to turn on and off at each event instead of two.
    const holder = this.#hasLeft ? this.#child : this.#stdout;
    if (held) holder?.ref();
    else holder?.unref();
  }

  /** EOF and TERM, grace, KILL, to the whole group. */
  async end(): Promise<void> {
    this.#listener = undefined;
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.ref();
    child.stdin?.end();
    if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, "SIGTERM");
    if (!(await settlesWithin(this.#exited, GRACE_MS))) signalGroup(child.pid, "SIGKILL");
    await this.#exited;
  }

  /** Resolves when the process is gone, with everything in its group. */
  async #watch(child: ChildProcess, launch: WorkerLaunch): Promise<void> {
    // Without a free descriptor there are no streams at all.
    const streams: readonly ((typeof child.stdio)[number] | undefined)[] = child.stdio ?? [];
    for (const stream of streams) {
      stream?.on("error", () => stream.destroy());
      if (stream instanceof Socket) stream.unref();
    }
    child.unref();
    if (child.stdout instanceof Socket) this.#stdout = child.stdout;
    child.stdout?.on("data", (chunk: Buffer) => this.#hear(chunk));
    child.stderr?.on("data", (chunk: Buffer) => (this.#stderr ??= new CappedText(this.#limitBytes)).write(chunk));
    const closed = new Promise<void>((resolve) => void child.on("close", () => resolve()));
    child.stdout?.on("end", () => void this.#expectExit());
    const end = await new Promise<WorkerEnd>((resolve) => {
      child.on("exit", (code, signal) => resolve(code === null ? { kind: "signalled", signal: signal ?? "unknown" } : { kind: "exited", code }));
      child.on("error", (error) => child.pid === undefined && resolve(notStarted(launch, error)));
    });
    signalGroup(child.pid, "SIGKILL"); // what it left behind, and the guard
    if (end.kind !== "not-started") await settlesWithin(closed, DRAIN_MS);
    for (const stream of streams) stream?.destroy();
    this.#finish(end);
  }

  #hear(chunk: Buffer): void {
    if (!this.#listener) return; // it is being ended, and may go on talking
    this.#unansweredBytes += chunk.length;
    this.#splitter.write(chunk);
    if (this.#unansweredBytes > this.#limitBytes) this.#listener?.oversized();
  }

  /** A worker that closed its stdout can't answer any more. */
  async #expectExit(): Promise<void> {
    this.#hasLeft = true;
    if (this.#held) this.#child?.ref();
    if (!(await settlesWithin(this.#exited, DRAIN_MS))) signalGroup(this.#child?.pid, "SIGKILL");
  }

  /** An answer need not end with a line break when the worker ends. */
  #finish(end: WorkerEnd): void {
    const rest = this.#splitter.rest();
    if (rest !== "") this.#listener?.line(rest);
    this.#listener?.ended(end);
    this.#listener = undefined;
  }
}

function start({ file, args, env, cwd, descriptors = [], windowsVerbatim = false }: WorkerLaunch): ChildProcess {
  const options = { cwd, env: { ...env }, windowsHide: true };
  if (process.platform === "win32") return spawn(file, [...args], { ...options, stdio: "pipe", windowsVerbatimArguments: windowsVerbatim });
  try {
    return spawn("/bin/sh", ["-c", GUARD, "sh", file, ...args], { ...options, stdio: ["pipe", "pipe", "pipe", "pipe", ...descriptors], detached: true });
  } finally {
    for (const descriptor of descriptors) closeQuietly(descriptor);
  }
}

function notStarted({ cwd }: WorkerLaunch, error: unknown): WorkerEnd {
  if (!existsSync(cwd)) return { kind: "not-started", message: `the working folder ${cwd} does not exist` };
  return { kind: "not-started", message: `the worker could not be started: ${messageOf(error)}`, ...startFailure(codeOf(error)) };
}
