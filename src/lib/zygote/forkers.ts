/** Shells that stay, for commands that start programs: each carries out one at a time, in a fork that stands where a shell of its own would. */
import { ftruncateSync, writeSync } from "node:fs";
import { closeQuietly } from "../close-quietly.ts";
import type { Listener, ProcessRequest, StartedEnd } from "../process.ts";
import { unnamedFile, type StdinFile } from "../stdin-file.ts";
import { settlesWithin } from "../time.ts";
import { endWithShell, LOST, signalName } from "./ends.ts";
import { forkScript, NOT_BEGUN_CODE, type ForkScript } from "./fork-script.ts";
import { ZygoteRun } from "./run.ts";
import type { ShellKeeper } from "./shells.ts";
import { Slot, type SlotPipes } from "./slot.ts";
import { SlotOutput } from "./slot-output.ts";
import type { Surroundings } from "./telling.ts";

/** Who finds none free is started by the zygote as before. */
const MOST_FORKERS = 8;
const IDLE_FORKERS = 2;
const LONGEST_LEAVE_MS = 1_000;
/** Stdout and stderr of the commands, and what the shell itself says. */
const OUTPUTS = 3;
/** Shells that may end before they were ready. */
const MOST_FAILED = 3;
/** A code above this may be 128 and a signal. */
const HIGHEST_CODE = 128;
const GO = Buffer.from("snaphook_go\n");

interface Forker {
  readonly id: number;
  /** Where files of its are made if there is no room for them in memory. */
  readonly tempDir: string;
  parts: Parts | undefined;
  ready: boolean;
  run: ZygoteRun | undefined;
  /** Called when it has ended because it was asked to. */
  left: (() => void) | undefined;
}

/** What a shell has, once the zygote has opened its slot. */
interface Parts {
  readonly slot: Slot;
  readonly noise: SlotOutput;
  /** A file with what it is to do, written anew for each command. */
  readonly script: number;
  scriptBytes: number;
}

/** The shells of a zygote that carry out commands in forks. */
export class Forkers {
  readonly #keeper: ShellKeeper;
  readonly #base: Surroundings;
  readonly #forkers = new Map<number, Forker>();
  #failed = 0;
  #dismissed = false;

  constructor(keeper: ShellKeeper, base: Surroundings) {
    this.#keeper = keeper;
    this.#base = base;
  }

  get count(): number {
    return this.#forkers.size;
  }

  has(id: number): boolean {
    return this.#forkers.has(id);
  }

  /** Carries it out, if a fork would do what a shell of its own does, and if a shell is free. If none is, there will be one more. */
  start(request: ProcessRequest, stdin: StdinFile, listener: Listener): ZygoteRun | undefined {
    const script = this.#dismissed || this.#failed >= MOST_FAILED ? undefined : forkScript(request, this.#base);
    const forker = script && this.#free(request.tempDir);
    if (!script || !forker?.parts) return undefined;
    const { parts } = forker;
    const run = new ZygoteRun({
      tell: () => tell(parts, script, stdin),
      listener,
      released: () => this.#released(forker),
      leave: async () => this.#leave(forker),
    });
    forker.run = run;
    run.enter(parts.slot);
    return run;
  }

  opened(id: number, pipes: SlotPipes): void {
    const forker = this.#forkers.get(id);
    if (!forker) return;
    try {
      forker.parts = partsFor(id, pipes, forker.tempDir);
      const { fd } = forker.parts.noise;
      this.#keeper.say("shell", id, fd, fd);
    } catch {
      this.#failed++; // too many open files
      this.#drop(forker);
    }
  }

  isReady(id: number, pid: number): void {
    const forker = this.#forkers.get(id);
    if (!forker?.parts) return;
    const { slot, script } = forker.parts;
    slot.pid = pid;
    forker.ready = slot.tell(
      // It has read the file to its end before it tells: the file is written anew then.
      Buffer.from(`snaphook_go() { . /proc/${process.pid}/fd/${script}; set -- $?; exec 4>&- 5>&-; snaphook_say did ${id} $1; }\n`),
    );
    this.#failed = 0;
  }

  did(id: number, code: number): void {
    const forker = this.#forkers.get(id);
    if (!forker?.parts || !forker.run) return;
    const said = code === 0 ? "" : textOf(forker.parts.noise);
    if (code === NOT_BEGUN_CODE && said) forker.run.refuse();
    forker.run.end(endFor(code, said));
  }

  ended(id: number, end: StartedEnd): void {
    const forker = this.#forkers.get(id);
    if (!forker) return;
    if (!forker.ready) this.#failed++;
    if (forker.left) forker.left();
    else forker.run?.end(endWithShell(end));
    this.#drop(forker);
  }

  /** Lets go of those that nobody has needed for a while. */
  trim(): void {
    for (const forker of [...this.#forkers.values()].filter(({ ready, run }) => ready && !run).slice(IDLE_FORKERS)) this.#drop(forker);
  }

  /** Lets go of them, of each when it has carried out its command. */
  dismiss(): void {
    this.#dismissed = true;
    for (const forker of this.#forkers.values()) if (!forker.run) this.#drop(forker);
  }

  /** They are gone, with the zygote. */
  lose(end: StartedEnd): void {
    this.#dismissed = true;
    for (const forker of this.#forkers.values()) {
      forker.left?.();
      forker.run?.lose(end);
      this.#forkers.delete(forker.id);
      if (!forker.run) close(forker);
    }
  }

  #free(tempDir: string): Forker | undefined {
    for (const forker of this.#forkers.values()) if (forker.ready && !forker.run) return forker;
    if (this.#forkers.size < MOST_FORKERS) {
      const id = this.#keeper.next();
      this.#forkers.set(id, { id, tempDir, parts: undefined, ready: false, run: undefined, left: undefined });
      this.#keeper.say("open", id, OUTPUTS);
    }
    return undefined;
  }

  /** Ends the shell, but nothing that its command has left in its group. */
  async #leave(forker: Forker): Promise<void> {
    if (!this.#forkers.has(forker.id)) return;
    const left = new Promise<void>((resolve) => (forker.left = resolve));
    forker.parts?.slot.hush();
    await settlesWithin(left, LONGEST_LEAVE_MS);
  }

  #released(forker: Forker): void {
    const { run } = forker;
    forker.run = undefined;
    if (!this.#forkers.has(forker.id)) close(forker);
    else if (run && (run.refused || !run.clean || this.#dismissed)) this.#drop(forker);
  }

  /** It ends when nobody can tell it anything; its output is read to its end by whoever still waits. */
  #drop(forker: Forker): void {
    if (!this.#forkers.delete(forker.id)) return;
    this.#keeper.say("drop", forker.id);
    forker.parts?.slot.hush();
    if (!forker.run) close(forker);
    if (this.#dismissed && this.#forkers.size === 0) this.#keeper.left();
  }
}

function partsFor(id: number, pipes: SlotPipes, tempDir: string): Parts {
  const slot = new Slot(id, pipes);
  let noise: SlotOutput | undefined;
  try {
    noise = new SlotOutput(pipes.noise ?? "");
    return { slot, noise, script: unnamedFile("", tempDir), scriptBytes: 0 };
  } catch (error) {
    slot.close();
    noise?.close();
    throw error;
  }
}

function close({ parts }: Forker): void {
  if (!parts) return;
  parts.slot.close();
  parts.noise.close();
  closeQuietly(parts.script);
}

function tell(parts: Parts, script: ForkScript, stdin: StdinFile): boolean {
  const descriptor = (fd: number): string => `/proc/${process.pid}/fd/${fd}`;
  const { slot } = parts;
  try {
    write(parts, Buffer.from(script({ stdin: stdin.path, out: descriptor(slot.out.fd), err: descriptor(slot.err.fd) })));
    return slot.tell(GO);
  } catch {
    return false; // no file for its stdin: spawn says why
  }
}

function write(parts: Parts, bytes: Buffer): void {
  if (bytes.length < parts.scriptBytes) ftruncateSync(parts.script, bytes.length);
  parts.scriptBytes = bytes.length;
  for (let at = 0; at < bytes.length;) at += writeSync(parts.script, bytes, at, bytes.length - at, at);
}

/** The shell says something only where a signal ended the fork, or where the fork could not begin. */
function endFor(code: number, said: string | undefined): StartedEnd {
  if (said === "") return { kind: "ended", code, signal: null };
  return said !== undefined && code > HIGHEST_CODE ? { kind: "ended", code: null, signal: signalName(code - HIGHEST_CODE) } : LOST;
}

/** Undefined: it can't be read. */
function textOf(output: SlotOutput): string | undefined {
  let text = "";
  try {
    output.readToEnd((chunk) => (text += chunk.toString("utf8")));
    return text;
  } catch {
    return undefined;
  }
}
