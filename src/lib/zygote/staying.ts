/** All shells that stay: for what a shell carries out by itself, and for commands that start programs. */
import type { Listener, ProcessRequest, StartedEnd } from "../process.ts";
import type { StdinFile } from "../stdin-file.ts";
import { shellTask } from "./builtins.ts";
import { endOf } from "./ends.ts";
import type { Surroundings } from "./telling.ts";
import { Forkers } from "./forkers.ts";
import type { ZygoteRun } from "./run.ts";
import type { ShellRun } from "./shell-run.ts";
import { Shells, type ShellKeeper } from "./shells.ts";
import type { SlotPipes } from "./slot.ts";

/** The shells of a zygote. */
export class Staying {
  readonly #shells: Shells;
  readonly #forkers: Forkers;

  constructor(keeper: ShellKeeper, base: Surroundings) {
    this.#shells = new Shells(keeper);
    this.#forkers = new Forkers(keeper, base);
  }

  get count(): number {
    return this.#shells.count + this.#forkers.count;
  }

  /** Has one of them carry it out, if that makes no difference to a shell of its own, and if one is free. */
  start(request: ProcessRequest, stdin: StdinFile, listener: Listener): ShellRun | ZygoteRun | undefined {
    const task = shellTask(request);
    return task && this.#shells.available() ? this.#shells.start(task, listener) : this.#forkers.start(request, stdin, listener);
  }

  /** What the zygote or one of them says. False: it is about none of them. */
  hear(word: string, id: number, rest: readonly string[], pipesOf: (descriptors: readonly string[]) => SlotPipes): boolean {
    const shells = this.#shells.has(id) ? this.#shells : this.#forkers.has(id) ? this.#forkers : undefined;
    if (!shells) return false;
    const number = Number(rest[0]);
    if (word === "opened") shells.opened(id, pipesOf(rest));
    else if (word === "ready") shells.isReady(id, number);
    else if (word === "did") shells.did(id, number);
    else if (word === "ended") shells.ended(id, endOf(number));
    return true;
  }

  /** Lets go of those that nobody has needed for a while. */
  trim(): void {
    this.#forkers.trim();
  }

  /** Lets go of them, of each when it has carried out its command: they end when nobody can tell them anything. */
  dismiss(): void {
    this.#shells.dismiss();
    this.#forkers.dismiss();
  }

  /** They are gone, with the zygote. */
  lose(end: StartedEnd): void {
    this.#shells.lose(end);
    this.#forkers.lose(end);
  }
}
