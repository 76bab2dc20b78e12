/** A command from the moment it waits for a shell that carries it out. */
import type { Listener, StartedEnd, StartedProcess } from "../process.ts";
import type { ShellTask } from "./builtins.ts";
import { REFUSED } from "./ends.ts";
import type { Slot } from "./slot.ts";

/** One command that a shell carries out. */
export class ShellRun implements StartedProcess {
  /** What it carries out has no messages of a shell in it. */
  readonly inFork = false;
  readonly task: ShellTask;
  readonly ended: Promise<StartedEnd>;
  readonly closed: Promise<void>;
  readonly #listener: Listener;
  readonly #leave: (run: ShellRun) => void;
  #slot: Slot | undefined;
  #refused = false;
  #over = false;
  #resolveEnded: (end: StartedEnd) => void = () => {};

  constructor(task: ShellTask, listener: Listener, leave: (run: ShellRun) => void) {
    this.task = task;
    this.#listener = listener;
    this.#leave = leave;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.closed = this.ended.then(() => {});
  }

  /** The shell's: it leads the group in which its fork is. */
  get pid(): number | undefined {
    return this.#over ? undefined : this.#slot?.pid;
  }

  /** No shell could be told of it: nothing of it has run. */
  get refused(): boolean {
    return this.#refused;
  }

  get isClosed(): boolean {
    return this.#over;
  }

  enter(slot: Slot): void {
    this.#slot = slot;
  }

  refuse(): void {
    this.#refused = true;
    this.#end(REFUSED, () => {});
  }

  /** It was carried out: all that it printed is in the pipes, since it started nothing that could still print. False: some of it may still be there. */
  done(slot: Slot, end: StartedEnd): boolean {
    return this.#end(end, () => {
      slot.out.readLine(this.#listener.stdout);
      slot.err.readLine(this.#listener.stderr);
    });
  }

  /** Its shell has ended. */
  lose(slot: Slot | undefined, end: StartedEnd): void {
    this.#end(end, () => {
      slot?.out.readToEnd(this.#listener.stdout);
      slot?.err.readToEnd(this.#listener.stderr);
    });
  }

  #end(end: StartedEnd, read: () => void): boolean {
    this.#over = true;
    let isRead = true;
    try {
      read();
    } catch (error) {
      isRead = false;
      this.#listener.unread(error);
    }
    this.#resolveEnded(end);
    return isRead;
  }

  release(): void {
    if (!this.#over) this.#leave(this);
  }
}
