/**
 * The stdin of a client. Whatever happens to the daemon, the client must know where it is: a pipe that was emptied and lost would be an event
 * without content, which allows.
 */
import { constants, fstatSync, lstatSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import { closeQuietly } from "../lib/close-quietly.ts";
import { codeOf } from "../lib/errors.ts";
import { Unserved } from "./client.ts";
import type { Reply } from "./reply.ts";

/** Descriptors of `bin/snaphook-hook`: the file in which its stdin is kept, to read and to write, and the pipe that its stdin is. */
const KEPT = 6;
const KEEPING = 7;
const PIPE = 8;

/** Up to here reading is cheaper than waiting for a thread that reads. */
const SMALL_BYTES = 65_536;

/** The stdin of one client: a pipe that the daemon empties, or a file in which the client keeps it. */
export class ClientStdin {
  readonly #pid: number;
  readonly #reply: Reply;
  readonly #bytes: Promise<Buffer>;
  #resolve: (bytes: Buffer) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #rest: Socket | undefined;

  constructor(pid: number, reply: Reply) {
    this.#pid = pid;
    this.#reply = reply;
    this.#bytes = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Nobody may ever ask for it.
    this.#bytes.catch(() => {});
  }

  /** All of it. */
  async text(): Promise<string> {
    return (await this.#bytes).toString("utf8");
  }

  /** When nothing of it is in the daemon's hands alone. */
  async settled(): Promise<void> {
    await this.#bytes.catch(() => {});
  }

  /** The client is gone, or needs nothing any more. */
  close(): void {
    this.#rest?.destroy();
    this.#reject(new Unserved("the client went before its stdin had come"));
  }

  /** The client has kept its stdin. Whoever says so for it: it has, when it has let go of the file. */
  kept(): void {
    try {
      if (lstatSync(this.#path(KEEPING), { throwIfNoEntry: false })) return;
    } catch (error) {
      return this.#reject(error);
    }
    void this.#read().then(this.#resolve, this.#reject);
  }

  /**
   * Empties the client's pipe, and keeps what was in it in the client's file. Between the words `taking` and `taken` the event is nowhere but here:
   * a client that is left alone then denies. Most events lie in their pipe as a whole, and nobody is left alone in that moment.
   */
  take(): void {
    const pipe = openSync(this.#path(PIPE), constants.O_RDONLY | constants.O_NONBLOCK);
    const chunks: Buffer[] = [];
    let isWhole = true;
    try {
      if (!fstatSync(pipe).isFIFO()) throw new Unserved("the client's stdin is no pipe");
      this.#reply.say("taking");
      isWhole = drain(pipe, chunks);
    } finally {
      if (isWhole) closeQuietly(pipe);
    }
    if (isWhole) this.#keep(chunks);
    else this.#takeRest(pipe, chunks);
  }

  /** Somebody is still writing. */
  #takeRest(pipe: number, chunks: Buffer[]): void {
    this.#rest = new Socket({ fd: pipe, readable: true, writable: false })
      .on("data", (chunk: Buffer) => void chunks.push(chunk))
      .on("end", () => this.#keep(chunks))
      .on("error", this.#reject);
  }

  #keep(chunks: readonly Buffer[]): void {
    const [first = EMPTY, ...more] = chunks;
    const bytes = more.length === 0 ? first : Buffer.concat(chunks);
    try {
      this.#write(bytes);
      this.#reply.say("taken");
    } catch {
      // The disk may be full. The daemon has it, and answers; a client that gets no answer denies.
    }
    this.#resolve(bytes);
  }

  #write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const file = openSync(this.#path(KEEPING), constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(file).isFile()) throw new Unserved("the client keeps its stdin in no file");
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    } finally {
      closeQuietly(file);
    }
  }

  async #read(): Promise<Buffer> {
    const path = this.#path(KEPT);
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) throw new Unserved("the client's stdin is no file");
      if (stat.size <= SMALL_BYTES) return readFileSync(file);
    } finally {
      closeQuietly(file);
    }
    return readFile(path);
  }

  #path(descriptor: number): string {
    return `/proc/${this.#pid}/fd/${descriptor}`;
  }
}

const EMPTY = Buffer.alloc(0);
const scratch = Buffer.allocUnsafe(SMALL_BYTES);

/** Reads what is there; whether that was the end. */
function drain(pipe: number, chunks: Buffer[]): boolean {
  for (;;) {
    let bytes: number;
    try {
      bytes = readSync(pipe, scratch, 0, SMALL_BYTES, null);
    } catch (error) {
      if (codeOf(error) === "EAGAIN") return false;
      throw error;
    }
    if (bytes === 0) return true;
    chunks.push(Buffer.from(scratch.subarray(0, bytes)));
  }
}
