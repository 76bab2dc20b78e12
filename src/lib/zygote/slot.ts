/** A place in the zygote where programs run one after another: pipes that stay, and a prepared child that becomes the next program. */
import { constants, openSync, writeSync } from "node:fs";
import { closeQuietly } from "../close-quietly.ts";
import type { ZygoteRun } from "./run.ts";
import { SlotOutput } from "./slot-output.ts";

/** The descriptors of the zygote that a slot is made of. */
export interface SlotPipes {
  readonly request: string;
  readonly out: string;
  readonly err: string;
  /** What the child itself has to say. */
  readonly noise?: string;
}

/** One slot, as its owner sees it. */
export class Slot {
  readonly id: number;
  readonly out: SlotOutput;
  readonly err: SlotOutput;
  /** The child that waits, or the program that it became. */
  pid: number | undefined;
  run: ZygoteRun | undefined;
  #request: number | undefined;

  constructor(id: number, pipes: SlotPipes) {
    this.id = id;
    const request = openSync(pipes.request, constants.O_WRONLY | constants.O_NONBLOCK);
    this.#request = request;
    [this.out, this.err] = openOutputs(pipes, request);
  }

  /** Tells the waiting child what to become. False: it did not get all of it. */
  tell(request: Buffer): boolean {
    try {
      return this.#request !== undefined && writeSync(this.#request, request) === request.length;
    } catch {
      return false;
    }
  }

  /** Its child is told nothing any more. */
  hush(): void {
    if (this.#request !== undefined) closeQuietly(this.#request);
    this.#request = undefined;
  }

  close(): void {
    this.hush();
    this.out.close();
    this.err.close();
  }
}

/** Both streams, or neither: what was opened before one that can't be is not left open. */
function openOutputs({ out, err }: SlotPipes, request: number): readonly [SlotOutput, SlotOutput] {
  let first: SlotOutput | undefined;
  try {
    first = new SlotOutput(out);
    return [first, new SlotOutput(err)];
  } catch (error) {
    closeQuietly(request);
    first?.close();
    throw error;
  }
}
