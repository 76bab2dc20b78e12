/** The zygote's owner: starts it, gives it requests, and hears how they ended. */
import type { ChildProcess } from "node:child_process";
import { closeQuietly } from "../close-quietly.ts";
import type { Listener, ProcessRequest } from "../process.ts";
import { unnamedFile, type StdinFile } from "../stdin-file.ts";
import { bodyOf, encodeReference, encodeRequest } from "./request.ts";
import { ZygoteRun } from "./run.ts";
import { Slot } from "./slot.ts";
import { rightsNow, spawnZygote } from "./spawn-zygote.ts";

/** More programs than this at once are not taken. */
const MOST_SLOTS = 64;
/** Slots that are kept ready while nothing happens. */
const IDLE_SLOTS = 4;
const IDLE_AFTER_MS = 5_000;
/** Longer requests go through a file: a pipe holds no more than a page where its user has many. */
const LONGEST_TOLD_BYTES = 4_096;

/** Lines of the zygote that are followed in one turn of the event loop. */
const LINES_A_TURN = 4;

/** Variables that change how perl itself starts; they reach programs with the request. */
const OF_PERL = /^PERL/;

/** A running zygote and its slots. */
export class Zygote {
  /** Resolves when programs can be started, or to false when it ended before. */
  readonly started: Promise<boolean>;
  readonly #child: ChildProcess;
  readonly #base: { readonly [name: string]: string };
  readonly #umask = process.umask();
  readonly #rights = rightsNow();
  readonly #slots = new Map<number, Slot | null>();
  readonly #prepared: Slot[] = [];
  /** Slots whose child is on its way. */
  readonly #coming = new Set<number>();
  /** Slots without a child: preparing one takes processor time, and programs that run need it more. */
  readonly #resting: Slot[] = [];
  #running = 0;
  readonly #queue: ZygoteRun[] = [];
  readonly #trimming: NodeJS.Timeout;
  #heard = "";
  readonly #lines: string[] = [];
  #unsaid = "";
  #lastId = 0;
  #state: "starting" | "up" | "closing" | "gone" = "starting";
  #resolveStarted: (up: boolean) => void = () => {};

  constructor(env: { readonly [name: string]: string }) {
    this.#base = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_PERL.test(name)));
    this.started = new Promise((resolve) => (this.#resolveStarted = resolve));
    this.#child = spawnZygote(this.#base);
    this.#child.on("error", () => this.#end());
    this.#child.on("exit", () => this.#end());
    this.#child.stdin?.on("error", () => {});
    this.#child.stdout?.on("error", () => {});
    this.#child.stdout?.setEncoding("latin1").on("data", (text: string) => this.#hear(text));
    this.#trimming = setInterval(() => this.#trim(), IDLE_AFTER_MS).unref();
    for (let slot = 0; slot < IDLE_SLOTS; slot++) this.#grow();
  }

  /** Its process id. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get starting(): boolean {
    return this.#state === "starting";
  }

  get gone(): boolean {
    return this.#state === "gone";
  }

  /** Whether a program can be started now, or as soon as a slot is there. */
  get usable(): boolean {
    return this.#state === "up" && this.#running + this.#queue.length < MOST_SLOTS;
  }

  /** Whether this process is still who it was: a zygote keeps the rights with which it was started. */
  get ours(): boolean {
    return this.#rights === rightsNow();
  }

  /** Starts a program in the next free slot. */
  start(request: ProcessRequest, stdin: StdinFile, listener: Listener): ZygoteRun {
    const files: number[] = [];
    const run = new ZygoteRun({
      tell: (slot) => this.#tell(slot, request, stdin, files),
      listener,
      released: (released) => {
        files.forEach(closeQuietly);
        this.#release(released);
      },
    });
    const slot = this.#prepared.shift();
    if (slot) this.#enter(slot, run);
    else if (this.#queue.push(run) > 0) this.#growForQueue();
    return run;
  }

  /** Ends it when the last program that runs has ended. */
  close(): void {
    if (this.#state === "gone") return;
    this.#state = "closing";
    this.#resolveStarted(true); // it did not fail
    clearInterval(this.#trimming);
    for (const run of this.#queue.splice(0)) run.refuse();
    for (const slot of [...this.#prepared.splice(0), ...this.#resting.splice(0)]) this.#drop(slot);
    this.#endWhenIdle();
  }

  #tell(slot: Slot, request: ProcessRequest, stdin: StdinFile, files: number[]): boolean {
    const umask = process.umask();
    const encoded = encodeRequest(
      {
        stdin: stdin.path,
        cwd: request.cwd,
        umask: umask === this.#umask ? undefined : umask,
        env: request.env,
        file: request.file,
        args: request.args,
      },
      this.#base,
    );
    if (!encoded) return false;
    if (encoded.length <= LONGEST_TOLD_BYTES) return slot.tell(encoded);
    try {
      const file = unnamedFile(bodyOf(encoded), request.tempDir);
      files.push(file);
      return slot.tell(encodeReference(`/proc/${process.pid}/fd/${file}`));
    } catch {
      return false;
    }
  }

  #hear(text: string): void {
    const lines = (this.#heard + text).split("\n");
    this.#heard = lines.pop() ?? "";
    if (this.#lines.push(...lines) === lines.length) this.#obey();
  }

  /** What follows from a line is done before the next turn: when many programs end at once, others get theirs in between. */
  #obey(): void {
    for (const line of this.#lines.splice(0, LINES_A_TURN)) {
      const [word = "", id = "", ...rest] = line.split(" ");
      this.#words[word]?.(Number(id), rest);
    }
    if (this.#lines.length > 0) setImmediate(() => this.#obey());
  }

  /** What the zygote says, and what follows from it. */
  readonly #words: { readonly [word: string]: (id: number, rest: readonly string[]) => void } = {
    opened: (id, pipes) => this.#opened(id, pipes),
    ready: (id, [pid]) => {
      const slot = this.#slots.get(id);
      if (!slot) return;
      slot.pid = Number(pid);
      this.#coming.delete(id);
      this.#offer(slot);
    },
    failed: (id) => this.#slots.get(id)?.run?.refuse(),
    ended: (id, [status]) => {
      const slot = this.#slots.get(id);
      if (!slot) return;
      if (slot.run) slot.run.end(Number(status));
      else this.#drop(slot); // somebody ended a child that waited
    },
  };

  #opened(id: number, pipes: readonly string[]): void {
    const [request = "", out = "", err = ""] = pipes.map((fd) => `/proc/${this.#child.pid}/fd/${fd}`);
    try {
      const slot = new Slot(id, { request, out, err });
      this.#slots.set(id, slot);
      this.#prepare(slot);
    } catch {
      this.#coming.delete(id);
      this.#slots.delete(id); // too many open files: spawn will say so
      this.#say("drop", id);
      this.#queue.shift()?.refuse();
    }
  }

  /** A slot that is free and has its child goes to whoever waits longest. */
  #offer(slot: Slot): void {
    if (this.#state === "closing") {
      this.#drop(slot);
      return;
    }
    if (this.#state === "starting") {
      this.#state = "up";
      this.#resolveStarted(true);
    }
    const run = this.#queue.shift();
    if (run) this.#enter(slot, run);
    else this.#prepared.push(slot);
  }

  #enter(slot: Slot, run: ZygoteRun): void {
    slot.run = run;
    this.#running++;
    run.enter(slot);
  }

  #release(run: ZygoteRun): void {
    const { slot } = run;
    if (!slot) {
      const place = this.#queue.indexOf(run);
      if (place >= 0) this.#queue.splice(place, 1);
      return;
    }
    slot.run = undefined;
    this.#running--;
    if (run.clean && this.#state === "up") this.#resting.push(slot);
    else this.#drop(slot);
    this.#refill();
  }

  /** Prepares what rests: all of it when nothing runs, else as much as may be needed next. */
  #refill(): void {
    while (this.#running === 0 || this.#prepared.length + this.#coming.size < IDLE_SLOTS || this.#queue.length > this.#coming.size) {
      const slot = this.#resting.pop();
      if (!slot) return;
      this.#prepare(slot);
    }
  }

  /** Who waits gets a slot that is on its way, one that rests, or another one. */
  #growForQueue(): void {
    this.#refill();
    if (this.#queue.length > this.#coming.size) this.#grow();
  }

  #grow(): void {
    if (this.#slots.size >= MOST_SLOTS) return;
    this.#lastId++;
    this.#slots.set(this.#lastId, null);
    this.#coming.add(this.#lastId);
    this.#say("open", this.#lastId);
  }

  /** Its child sees that nobody will tell it anything, and ends. */
  #drop(slot: Slot): void {
    if (!this.#slots.delete(slot.id)) return;
    this.#coming.delete(slot.id);
    const place = this.#prepared.indexOf(slot);
    if (place >= 0) this.#prepared.splice(place, 1);
    this.#say("drop", slot.id);
    slot.close();
    this.#growForQueue();
    this.#endWhenIdle();
  }

  #trim(): void {
    for (const slot of [...this.#resting.splice(0), ...this.#prepared.splice(IDLE_SLOTS)]) this.#drop(slot);
  }

  #endWhenIdle(): void {
    if (this.#state !== "closing" || this.#slots.size > 0) return;
    this.#speak();
    this.#child.stdin?.end();
  }

  /** It is gone: who runs in it is a fault, who waits goes another way. */
  #end(): void {
    if (this.#state === "gone") return;
    this.#state = "gone";
    clearInterval(this.#trimming);
    this.#resolveStarted(false);
    this.#prepared.length = 0;
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    for (const run of this.#queue.splice(0)) run.refuse();
    for (const slot of slots) {
      slot?.run?.lose("the process that starts hooks was ended from outside while this one ran");
      if (slot && !slot.run) slot.close();
    }
    this.#child.stdout?.destroy();
    this.#child.stdin?.destroy();
  }

  #prepare({ id, out, err }: Slot): void {
    this.#coming.add(id);
    this.#say("prepare", id, out.fd, err.fd);
  }

  /** Said together, once whoever waits for a result has it: the zygote may take the processor from us as soon as it hears us. */
  #say(word: string, ...numbers: readonly number[]): void {
    if (this.#unsaid === "") setImmediate(() => this.#speak());
    this.#unsaid += `${word} ${numbers.join(" ")}\n`;
  }

  #speak(): void {
    this.#child.stdin?.write(this.#unsaid);
    this.#unsaid = "";
  }
}
