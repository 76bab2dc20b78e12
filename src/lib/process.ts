/** Starts one program and sees it to its end: its own process group, a real file as stdin, capped output, TERM, grace, KILL. */
import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CappedText } from "./capped-text.ts";
import { messageOf } from "./errors.ts";
import { endGroup } from "./group.ts";
import { isObject, lookup } from "./json.ts";
import { nextRound, settlesWithin } from "./time.ts";

/** Time between TERM and KILL. */
export const GRACE_MS = 2_000;
/** How long output may stay open after its process ended, before what holds it is ended too. */
export const DRAIN_MS = 250;
/** What a hook may print on each stream. */
export const OUTPUT_LIMIT_BYTES = 1_048_576;

/** What to start, with which limits. */
export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Where the file that stands in for stdin is made; it is unlinked before the program starts. */
  readonly tempDir: string;
  readonly graceMs?: number;
  readonly drainMs?: number;
  readonly limitBytes?: number;
  readonly windowsVerbatim?: boolean;
  /** Called with stdout as it grows; true ends the wait, the program goes on. */
  readonly release?: (stdout: string) => boolean;
}

/** What a process printed, each stream up to the limit. */
export interface ProcessOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutOver: boolean;
  readonly stderrOver: boolean;
  /** Processes of the group outlived it, held its output, and were ended. */
  readonly leftBehind: boolean;
}

/** How a process ended. */
export type ProcessEnd =
  | ({ readonly kind: "exited"; readonly code: number } & ProcessOutput)
  | ({ readonly kind: "signalled"; readonly signal: string } & ProcessOutput)
  | { readonly kind: "timed-out" | "cancelled" }
  | { readonly kind: "not-started"; readonly message: string }
  | { readonly kind: "released"; readonly ended: Promise<ProcessEnd> };

/** Runs a program to its end. Never rejects: whatever goes wrong is in the result. */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  if (request.signal.aborted) return { kind: "cancelled" };
  let stdin: number;
  try {
    stdin = openStdin(request);
  } catch (error) {
    return { kind: "not-started", message: `stdin could not be prepared: ${messageOf(error)}` };
  }
  let child: ChildProcess;
  try {
    child = spawn(request.file, [...request.args], {
      cwd: request.cwd,
      env: { ...request.env },
      stdio: [stdin, "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: request.windowsVerbatim ?? false,
    });
  } catch (error) {
    return { kind: "not-started", message: startMessage(request, error) };
  } finally {
    closeSync(stdin);
  }
  const output = collect(child, request);
  const ended = watch(child, request, output);
  return Promise.race([ended, output.released.then((): ProcessEnd => ({ kind: "released", ended }))]);
}

/** A pipe of Node is a socket, which `/dev/stdin` can't open; a file that is gone from its folder is a file all the same [F9]. */
function openStdin({ tempDir, stdin }: ProcessRequest): number {
  const path = join(tempDir, `snaphook-${randomUUID()}`);
  writeFileSync(path, stdin, { mode: 0o600, flag: "wx" });
  try {
    return openSync(path, "r");
  } finally {
    unlinkSync(path);
  }
}

interface Collected {
  readonly stdout: CappedText;
  readonly stderr: CappedText;
  readonly released: Promise<void>;
}

function collect(child: ChildProcess, { limitBytes = OUTPUT_LIMIT_BYTES, release }: ProcessRequest): Collected {
  const stdout = new CappedText(limitBytes);
  const stderr = new CappedText(limitBytes);
  for (const stream of [child.stdout, child.stderr]) stream?.on("error", () => stream.destroy());
  child.stderr?.on("data", (chunk: Buffer) => stderr.write(chunk));
  const released = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout.write(chunk);
      if (release?.(stdout.beginning())) resolve();
    });
  });
  return { stdout, stderr, released };
}

type Seen =
  | { readonly kind: "ended"; readonly code: number | null; readonly signal: string | null }
  | Extract<ProcessEnd, { kind: "not-started" | "timed-out" | "cancelled" }>;

async function watch(child: ChildProcess, request: ProcessRequest, { stdout, stderr }: Collected): Promise<ProcessEnd> {
  const exited = new Promise<Seen>((resolve) => void child.on("exit", (code, signal) => resolve({ kind: "ended", code, signal })));
  const closed = new Promise<void>((resolve) => void child.on("close", () => resolve()));
  const failed = new Promise<Seen>((resolve) => void child.on("error", (error) => resolve({ kind: "not-started", message: startMessage(request, error) })));
  const alarm = interruption(request);
  const end = async (): Promise<boolean> => endGroup(child.pid, request.graceMs ?? GRACE_MS);
  try {
    const seen = await Promise.race([exited, failed, alarm.rings]);
    if (seen.kind === "not-started") return seen;
    if (seen.kind !== "ended") {
      await end();
      return seen;
    }
    const drained = await drain({ closed, stdout, stderr, drainMs: request.drainMs ?? DRAIN_MS });
    const leftBehind = !drained && (await end());
    const output = { stdout: stdout.end(), stderr: stderr.end(), stdoutOver: stdout.over, stderrOver: stderr.over, leftBehind };
    if (seen.code !== null) return { kind: "exited", code: seen.code, ...output };
    return { kind: "signalled", signal: seen.signal ?? "unknown", ...output };
  } finally {
    alarm.stop();
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** The timeout or the caller's signal, whichever comes first. */
function interruption({ timeoutMs, signal }: ProcessRequest): { readonly rings: Promise<Seen>; stop(): void } {
  let stop = (): void => {};
  const rings = new Promise<Seen>((resolve) => {
    const timer = setTimeout(() => resolve({ kind: "timed-out" }), Math.min(timeoutMs, LONGEST_TIMER_MS));
    const cancel = (): void => resolve({ kind: "cancelled" });
    signal.addEventListener("abort", cancel, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    };
  });
  return { rings, stop: () => stop() };
}

/** Node's timers wrap around above this and would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;
/** While output still arrives the wait is prolonged, at most this many times. */
const DRAIN_ROUNDS = 8;

/** Waits for the output to close. False: something other than the process holds it. */
async function drain({
  closed,
  stdout,
  stderr,
  drainMs,
}: {
  closed: Promise<void>;
  stdout: CappedText;
  stderr: CappedText;
  drainMs: number;
}): Promise<boolean> {
  let seenBytes = stdout.bytes + stderr.bytes;
  for (let round = 0; round < DRAIN_ROUNDS; round++) {
    if (await settlesWithin(closed, drainMs)) return true;
    await nextRound(); // a busy loop may have kept output waiting in its pipe
    const bytes = stdout.bytes + stderr.bytes;
    if (bytes === seenBytes) return false;
    seenBytes = bytes;
  }
  return false;
}

function startMessage({ file, cwd }: ProcessRequest, error: unknown): string {
  if (!existsSync(cwd)) return `the working folder ${cwd} does not exist`;
  const code = isObject(error) && typeof error["code"] === "string" ? error["code"] : undefined;
  const text = lookup(START_ERRORS, code);
  return text === undefined ? `${file} could not be started: ${messageOf(error)}` : `${file} could not be started: ${text} (${code})`;
}

const START_ERRORS: { readonly [code: string]: string } = {
  ENOENT: "there is no such program",
  EACCES: "it is not executable; try chmod +x",
  E2BIG: "its environment and arguments are too large",
  ENOEXEC: "it is not a program; does its first line name an interpreter?",
  EMFILE: "too many open files",
  EAGAIN: "too many processes",
};
