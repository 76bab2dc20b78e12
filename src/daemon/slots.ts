/** The doorbells of a daemon: named pipes that it holds open. A client that waits on one wakes when the daemon lets go of it, or dies. */
import { closeSync, constants, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { closeQuietly } from "../lib/close-quietly.ts";
import { codeOf } from "../lib/errors.ts";
import { runProcess } from "../lib/process.ts";
import { SnaphookError } from "../model/errors.ts";

/** How many clients may wait to be met at one time; `bin/snaphook-hook` has the same number. */
export const SLOT_COUNT = 64;

/** A client that claimed a slot and did not announce itself is taken for dead after this time. */
const CLAIM_MS = 60_000;

const MAKE_MS = 10_000;

/** The pipe on which clients announce themselves. */
export const ANNOUNCEMENTS = "ctl";

/** The slots of one folder. */
export class Slots {
  readonly #folder: string;
  readonly #held: (number | undefined)[];

  private constructor(folder: string) {
    this.#folder = folder;
    this.#held = Array.from({ length: SLOT_COUNT }, (_, slot) => hold(this.pathOf(slot)));
  }

  /** Makes the pipes. Node can't make one; one `mkfifo` makes them all. */
  static async make(folder: string, env: { readonly [name: string]: string }): Promise<Slots> {
    const names = [ANNOUNCEMENTS, ...Array.from({ length: SLOT_COUNT }, (_, slot) => String(slot))];
    const made = await runProcess({
      file: "mkfifo",
      args: ["-m", "600", ...names],
      env,
      cwd: folder,
      stdin: "",
      timeoutMs: MAKE_MS,
      signal: new AbortController().signal,
      tempDir: folder,
    });
    if (made.kind !== "exited" || made.code !== 0)
      throw new SnaphookError("SNAP_DAEMON", { message: `mkfifo failed: ${"message" in made ? made.message : "stderr" in made ? made.stderr : made.kind}` });
    return new Slots(folder);
  }

  pathOf(slot: number): string {
    return join(this.#folder, String(slot));
  }

  /** Wakes the client that waits on a slot. */
  release(slot: number): void {
    const descriptor = this.#held[slot];
    if (descriptor === undefined) return;
    closeSync(descriptor);
    this.#held[slot] = undefined;
  }

  /** Holds slots again that nobody waits on any more: a client that has not looked yet must not find its doorbell held. */
  rearm(): void {
    for (const [slot, descriptor] of this.#held.entries()) {
      if (descriptor !== undefined || hasReader(this.pathOf(slot))) continue;
      this.#held[slot] = hold(this.pathOf(slot));
      rmSync(this.#claimOf(slot), { force: true });
    }
  }

  /** Frees slots whose clients died before they announced themselves. */
  sweep(nowMs: number): void {
    for (const name of readdirSync(this.#folder).filter((each) => each.endsWith(CLAIM))) {
      const stat = statSync(join(this.#folder, name), { throwIfNoEntry: false });
      if (stat && nowMs - stat.mtimeMs > CLAIM_MS) rmSync(join(this.#folder, name), { force: true });
    }
  }

  #claimOf(slot: number): string {
    return `${this.pathOf(slot)}${CLAIM}`;
  }
}

/** The file by which a client claims a slot, and in which it keeps its stdin. */
const CLAIM = ".in";

function hold(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
}

/** What the system says where nobody reads a pipe, or where there is none. Whatever else it says, somebody may: a doorbell held too early is never let go of. */
const NOBODY = ["ENXIO", "ENOENT"];

/** Whether somebody reads a named pipe: without, it can't be opened for writing. */
export function hasReader(path: string): boolean {
  try {
    closeQuietly(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return !NOBODY.includes(codeOf(error) ?? "");
  }
}
