/** A place in the zygote where programs run one after another: pipes that stay, and a prepared child that becomes the next program. */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import type { ZygoteRun } from "./run.ts";
import { SlotOutput } from "./slot-output.ts";

/** The descriptors of the zygote that a slot is made of. */
export interface SlotPipes {
  readonly request: string;
  readonly out: string;
  readonly err: string;
}

/** One slot, as its owner sees it. */
export class Slot {
  readonly id: number;
  readonly out: SlotOutput;
  readonly err: SlotOutput;
  /** The child that waits, or the program that it became. */
  pid: number | undefined;
  run: ZygoteRun | undefined;
  readonly #request: number;

  constructor(id: number, pipes: SlotPipes) {
    this.id = id;
    this.#request = openSync(pipes.request, constants.O_WRONLY | constants.O_NONBLOCK);
    this.out = new SlotOutput(pipes.out);
    this.err = new SlotOutput(pipes.err);
  }

  /** Tells the waiting child what to become. False: it did not get all of it. */
  tell(request: Buffer): boolean {
    try {
      return writeSync(this.#request, request) === request.length;
    } catch {
      return false;
    }
  }

  close(): void {
    closeSync(this.#request);
    this.out.close();
    this.err.close();
  }
}
