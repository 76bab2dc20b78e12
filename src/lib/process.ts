/** Starts one program and sees it to its end: its own process group, a real file as stdin, capped output, TERM, grace, KILL. */
import { existsSync } from "node:fs";
import { CappedText } from "./capped-text.ts";
import { codeOf, messageOf } from "./errors.ts";
import { endGroup } from "./group.ts";
import { lookup } from "./json.ts";
import { spawnProcess } from "./spawn-process.ts";
import { stdinFile, StdinUnwritten, type StdinFile } from "./stdin-file.ts";
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
  /** Descriptors that the program gets as 3, 4 and so on; whoever asks for it closes them. */
  readonly descriptors?: readonly number[];
  /** The program is a shell that reads a profile first. */
  readonly login?: boolean;
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
  /** `code`: of the error with which the program itself could not be started. */
  | { readonly kind: "not-started"; readonly message: string; readonly code?: string }
  | { readonly kind: "released"; readonly ended: Promise<ProcessEnd> };

/** How a started process came to its end, as whoever started it tells. */
export type StartedEnd =
  | { readonly kind: "ended"; readonly code: number | null; readonly signal: string | null }
  /** It did not start, for the reason of this error. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** Who started it is gone and can't tell; the process may run. */
  | { readonly kind: "lost"; readonly message: string };

/** Where output of a process goes. */
export interface Listener {
  readonly stdout: (chunk: Uint8Array) => void;
  readonly stderr: (chunk: Uint8Array) => void;
  /** Stdout could not be read to its end. */
  readonly unread: (error: unknown) => void;
}

/** A process that was started, by whichever way. */
export interface StartedProcess {
  /** Undefined while there is nothing to signal. */
  readonly pid: number | undefined;
  readonly ended: Promise<StartedEnd>;
  /** Resolves when nobody holds its output any more. */
  readonly closed: Promise<void>;
  /** Whether that is so already. */
  readonly isClosed: boolean;
  /** Has whoever started it leave its group, where one is in there: what is in it then is what it left behind. */
  leave?(): Promise<void>;
  /** Lets go of its output. */
  release(): void;
}

/** A way to start processes. Throws when it can't. */
export type StartProcess = (request: ProcessRequest, stdin: StdinFile, listener: Listener) => StartedProcess;

/** Runs a program to its end. Never rejects: whatever goes wrong is in the result. */
export async function runProcess(request: ProcessRequest, start: StartProcess = spawnProcess): Promise<ProcessEnd> {
  if (request.signal.aborted) return { kind: "cancelled" };
  const stdin = stdinFile(request.stdin, request.tempDir);
  const output = collect(request);
  let started: StartedProcess;
  try {
    started = start(request, stdin, output.listener);
  } catch (error) {
    stdin.close();
    return error instanceof StdinUnwritten ? { kind: "not-started", message: error.message } : notStarted(request, error);
  }
  const ended = watch(started, request, output, stdin);
  return request.release ? Promise.race([ended, output.released.then((): ProcessEnd => ({ kind: "released", ended }))]) : ended;
}

interface Collected {
  readonly stdout: CappedText;
  readonly stderr: CappedText;
  readonly listener: Listener;
  readonly released: Promise<void>;
  /** Why stdout could not be read to its end; undefined: it could. */
  readonly unread: () => string | undefined;
}

function collect({ limitBytes = OUTPUT_LIMIT_BYTES, release }: ProcessRequest): Collected {
  const stdout = new CappedText(limitBytes);
  const stderr = new CappedText(limitBytes);
  let letGo = (): void => {};
  const released = new Promise<void>((resolve) => (letGo = resolve));
  let unread: string | undefined;
  const listener: Listener = {
    unread: (error) => (unread ??= messageOf(error)),
    stdout: (chunk) => {
      stdout.write(chunk);
      if (release?.(stdout.beginning())) letGo();
    },
    stderr: (chunk) => stderr.write(chunk),
  };
  return { stdout, stderr, listener, released, unread: () => unread };
}

type Alarm = Extract<ProcessEnd, { kind: "timed-out" | "cancelled" }>;

async function watch(started: StartedProcess, request: ProcessRequest, { stdout, stderr, unread }: Collected, stdin: StdinFile): Promise<ProcessEnd> {
  const first = firstOf(started, request);
  const end = async (): Promise<boolean> => endGroup(started.pid, request.graceMs ?? GRACE_MS);
  try {
    const seen = await first.seen;
    switch (seen.kind) {
      case "failed":
        return notStarted(request, seen.error);
      case "lost":
        await end();
        return { kind: "not-started", message: seen.message };
      case "timed-out":
      case "cancelled":
        await end();
        return seen;
      case "ended": {
        const drained = started.isClosed || (await drain({ closed: started.closed, stdout, stderr, drainMs: request.drainMs ?? DRAIN_MS }));
        if (!drained) await started.leave?.();
        const leftBehind = !drained && (await end());
        const lost = unread();
        // Success whose output nobody has seen is none; any other end speaks for itself.
        if (lost !== undefined && seen.code === 0) return { kind: "not-started", message: `its output could not be read: ${lost}` };
        const output = { stdout: stdout.end(), stderr: stderr.end(), stdoutOver: stdout.over, stderrOver: stderr.over, leftBehind };
        if (seen.code !== null) return { kind: "exited", code: seen.code, ...output };
        return { kind: "signalled", signal: seen.signal ?? "unknown", ...output };
      }
    }
  } finally {
    first.stop();
    started.release();
    stdin.close();
  }
}

/** Its end, the timeout or the caller's signal, whichever comes first. */
function firstOf({ ended }: StartedProcess, { timeoutMs, signal }: ProcessRequest): { readonly seen: Promise<StartedEnd | Alarm>; stop(): void } {
  let stop = (): void => {};
  const seen = new Promise<StartedEnd | Alarm>((resolve) => {
    void ended.then(resolve);
    const timer = setTimeout(() => resolve({ kind: "timed-out" }), Math.min(timeoutMs, LONGEST_TIMER_MS));
    const cancel = (): void => resolve({ kind: "cancelled" });
    signal.addEventListener("abort", cancel, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    };
  });
  return { seen, stop: () => stop() };
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

function notStarted({ file, cwd }: ProcessRequest, error: unknown): ProcessEnd {
  if (!existsSync(cwd)) return { kind: "not-started", message: `the working folder ${cwd} does not exist` };
  const code = codeOf(error);
  const text = lookup(START_ERRORS, code);
  const why = text === undefined ? messageOf(error) : `${text} (${code})`;
  return { kind: "not-started", message: `${file} could not be started: ${why}`, ...(code !== undefined && { code }) };
}

const START_ERRORS: { readonly [code: string]: string } = {
  ENOENT: "there is no such program",
  EACCES: "it is not executable; try chmod +x",
  E2BIG: "its environment and arguments are too large",
  ENOEXEC: "it is not a program; does its first line name an interpreter?",
  EMFILE: "too many open files",
  EAGAIN: "too many processes",
};
