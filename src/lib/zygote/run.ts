/** One program that the zygote starts, from the moment it waits for a slot. */
import type { Listener, StartedEnd, StartedProcess } from "../process.ts";
import { REFUSED } from "./ends.ts";
import type { Slot } from "./slot.ts";
import type { SlotOutput } from "./slot-output.ts";

/** How long a program may take before its output is followed: most hooks are done by then, and one look at the end is cheaper. */
const FOLLOW_AFTER_MS = 5;

/** A program from queue to end. */
export class ZygoteRun implements StartedProcess {
  readonly ended: Promise<StartedEnd>;
  readonly closed: Promise<void>;
  readonly #tell: (slot: Slot) => boolean;
  readonly #listener: Listener;
  readonly #released: (run: ZygoteRun) => void;
  readonly #leave: (() => Promise<void>) | undefined;
  #slot: Slot | undefined;
  #pid: number | undefined;
  #refused = false;
  #exited = false;
  #following: NodeJS.Timeout | undefined;
  readonly #open = new Set<SlotOutput>();
  #resolveEnded: (end: StartedEnd) => void = () => {};
  #resolveClosed: () => void = () => {};

  constructor({
    tell,
    listener,
    released,
    leave,
  }: {
    /** Tells a slot's child what to become; false: it was not told. */
    readonly tell: (slot: Slot) => boolean;
    readonly listener: Listener;
    readonly released: (run: ZygoteRun) => void;
    /** Has the shell leave in whose fork it runs; absent: it is a process of its own. */
    readonly leave?: () => Promise<void>;
  }) {
    this.#tell = tell;
    this.#listener = listener;
    this.#released = released;
    this.#leave = leave;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  /** Whether a shell that stays carries it out. */
  get inFork(): boolean {
    return this.#leave !== undefined;
  }

  async leave(): Promise<void> {
    await this.#leave?.();
  }

  get slot(): Slot | undefined {
    return this.#slot;
  }

  /** The zygote could not start it: nothing of it has run. */
  get refused(): boolean {
    return this.#refused;
  }

  get isClosed(): boolean {
    return this.#slot !== undefined && this.#open.size === 0;
  }

  /**
   * Whether its slot can be used again: the program has ended, and nobody holds its output. Who was ended by a signal may have been so before it
   * read its request, which would be the next one's.
   */
  get clean(): boolean {
    return this.#exited && this.#open.size === 0;
  }

  /** It runs in this slot from now on. */
  enter(slot: Slot): void {
    this.#slot = slot;
    if (!this.#tell(slot)) {
      this.#refused = true;
      this.#resolveEnded(REFUSED);
      return;
    }
    this.#pid = slot.pid;
    this.#open.add(slot.out).add(slot.err);
    this.#following = setTimeout(() => this.#follow(slot), FOLLOW_AFTER_MS);
  }

  /** The zygote will not start it, or could not; the end is told when it comes. */
  refuse(): void {
    this.#refused = true;
    if (!this.#slot) this.#resolveEnded(REFUSED);
  }

  /** How it ended. */
  end(end: StartedEnd): void {
    clearTimeout(this.#following);
    this.#exited = end.kind === "ended" && end.code !== null;
    try {
      if (this.#slot) this.#readRest(this.#slot);
    } catch (error) {
      this.#listener.unread(error);
    }
    this.#resolveEnded(this.#refused ? REFUSED : end);
  }

  /** The zygote is gone. */
  lose(end: StartedEnd): void {
    this.#resolveEnded(this.#slot ? end : REFUSED);
  }

  release(): void {
    clearTimeout(this.#following);
    this.#slot?.out.unfollow();
    this.#slot?.err.unfollow();
    this.#released(this);
  }

  /** The program has ended: what it printed is in the pipes, and whatever still holds them is none of it. */
  #readRest({ out, err }: Slot): void {
    if (!out.followed && out.readToEnd(this.#listener.stdout)) this.#close(out);
    if (!err.followed && err.readToEnd(this.#listener.stderr)) this.#close(err);
    if (this.#slot) this.#follow(this.#slot);
    out.letGo();
    err.letGo();
  }

  #follow({ out, err }: Slot): void {
    if (this.#open.has(out) && !out.followed) out.follow(this.#listener.stdout, { closed: () => this.#close(out), unread: this.#listener.unread });
    if (this.#open.has(err) && !err.followed) err.follow(this.#listener.stderr, { closed: () => this.#close(err) });
  }

  #close(output: SlotOutput): void {
    this.#open.delete(output);
    if (this.#open.size === 0) this.#resolveClosed();
  }
}
