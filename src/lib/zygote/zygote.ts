/** The zygote's owner: starts it, gives it requests, and hears how they ended. */
import type { ChildProcess } from "node:child_process";
import type { Listener, ProcessRequest, StartedEnd, StartedProcess } from "../process.ts";
import type { StdinFile } from "../stdin-file.ts";
import { endOf } from "./ends.ts";
import { ZygoteRun } from "./run.ts";
import { Slot, type SlotPipes } from "./slot.ts";
import { rightsNow, spawnZygote } from "./spawn-zygote.ts";
import { Staying } from "./staying.ts";
import { Telling, type Surroundings } from "./telling.ts";

/** More programs than this at once are not taken. */
const MOST_SLOTS = 64;
/** Slots that are kept ready while nothing happens. */
const IDLE_SLOTS = 4;
const IDLE_AFTER_MS = 5_000;

/** Stdout and stderr. */
const OUTPUTS = 2;

/** Lines of the zygote that are followed in one turn of the event loop. */
const LINES_A_TURN = 4;

/** Variables that change how perl itself starts; they reach programs with the request. */
const OF_PERL = /^PERL/;

/** A program that was given to the zygote. */
export interface StartedByZygote extends StartedProcess {
  /** It could not be started: nothing of it has run. */
  readonly refused: boolean;
  /** It is carried out in a fork of a shell, whose messages have a word more. */
  readonly inFork: boolean;
}

const LOST: StartedEnd = { kind: "lost", message: "the process that starts hooks was ended from outside while this one ran" };

/** A running zygote and its slots. */
export class Zygote {
  /** Resolves when programs can be started, or to false when it ended before. */
  readonly started: Promise<boolean>;
  readonly #child: ChildProcess;
  readonly #surroundings: Surroundings;
  readonly #rights = rightsNow();
  readonly #slots = new Map<number, Slot | null>();
  readonly #prepared: Slot[] = [];
  /** Slots whose child is on its way. */
  readonly #coming = new Set<number>();
  /** Slots without a child: preparing one takes processor time, and programs that run need it more. */
  readonly #resting: Slot[] = [];
  #running = 0;
  readonly #queue: ZygoteRun[] = [];
  readonly #shells: Staying;
  readonly #trimming: NodeJS.Timeout;
  #heard = "";
  readonly #lines: string[] = [];
  #unsaid = "";
  #lastId = 0;
  #state: "starting" | "up" | "closing" | "gone" = "starting";
  #resolveStarted: (up: boolean) => void = () => {};

  constructor(env: { readonly [name: string]: string }) {
    const base = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_PERL.test(name)));
    this.#surroundings = { env: base, umask: process.umask() };
    const keeper = { next: () => ++this.#lastId, say: this.#say.bind(this), left: () => this.#endWhenIdle() };
    this.#shells = new Staying(keeper, this.#surroundings);
    this.started = new Promise((resolve) => (this.#resolveStarted = resolve));
    this.#child = spawnZygote(base);
    for (const end of ["error", "exit"]) this.#child.on(end, () => this.#end());
    for (const stream of [this.#child.stdin, this.#child.stdout]) stream?.on("error", () => {});
    this.#child.stdout?.setEncoding("latin1").on("data", (text: string) => this.#hear(text));
    this.#trimming = setInterval(() => this.#trim(), IDLE_AFTER_MS).unref();
    for (let slot = 0; slot < IDLE_SLOTS; slot++) this.#grow();
  }

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

  /** Starts a program in the next free slot; what a shell carries out by itself is told to one that is there. */
  start(request: ProcessRequest, stdin: StdinFile, listener: Listener): StartedByZygote {
    const staying = this.#shells.start(request, stdin, listener);
    if (staying) return staying;
    const telling = new Telling(request, stdin, this.#surroundings);
    const run = new ZygoteRun({
      tell: (slot) => telling.tell(slot),
      listener,
      released: (released) => {
        telling.forget();
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
    this.#shells.dismiss();
    this.#endWhenIdle();
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
      if (!this.#shells.hear(word, Number(id), rest, (descriptors) => this.#pipesOf(descriptors))) this.#words[word]?.(Number(id), rest);
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
      if (slot.run) slot.run.end(endOf(Number(status)));
      else this.#drop(slot); // somebody ended a child that waited
    },
  };

  #pipesOf(descriptors: readonly string[]): SlotPipes {
    const [request = "", out = "", err = "", noise = ""] = descriptors.map((fd) => `/proc/${this.#child.pid}/fd/${fd}`);
    return { request, out, err, noise };
  }

  #opened(id: number, descriptors: readonly string[]): void {
    if (!this.#slots.has(id)) return; // nobody wants it any more
    try {
      const slot = new Slot(id, this.#pipesOf(descriptors));
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
    this.#say("open", this.#lastId, OUTPUTS);
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
    this.#shells.trim();
  }

  #endWhenIdle(): void {
    if (this.#state !== "closing" || this.#slots.size + this.#shells.count > 0) return;
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
    this.#shells.lose(LOST);
    for (const slot of slots) {
      slot?.run?.lose(LOST);
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
