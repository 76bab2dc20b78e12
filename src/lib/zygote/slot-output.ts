/** One stream of a slot: read in one go when its program has ended, or as it comes when the program takes longer. */
import { constants, openSync, readSync } from "node:fs";
import { Socket } from "node:net";
import { closeQuietly } from "../close-quietly.ts";
import { isObject } from "../json.ts";

const READ_BYTES = 65_536;
const NEWLINE = 10;
const buffer = Buffer.allocUnsafe(READ_BYTES);

/** The reading end of a pipe that outlives the programs that write to it, one after another. */
export class SlotOutput {
  /** Where a program opens it to write, through /proc. */
  readonly fd: number;
  #socket: Socket | undefined;
  /** Keeps the pipe open while it is followed: who is to write may not have opened it yet. */
  #writer: number | undefined;

  /** Opens the pipe behind a path of /proc. */
  constructor(path: string) {
    this.fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  }

  /** Reads as output comes. Calls back when nobody can write any more, or when there is no descriptor left to read with. */
  follow(listen: (chunk: Buffer) => void, { closed, unread }: { readonly closed: () => void; readonly unread?: (error: unknown) => void }): void {
    let fd: number;
    try {
      this.#writer = openSync(`/proc/self/fd/${this.fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
      fd = openSync(`/proc/self/fd/${this.fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch {
      this.letGo();
      closed();
      return;
    }
    const socket = new Socket({ fd, readable: true, writable: false });
    this.#socket = socket;
    socket.on("data", listen);
    socket.on("error", (error) => {
      unread?.(error);
      socket.destroy();
    });
    socket.on("end", closed);
  }

  /** From now on it is closed when whoever writes to it has closed it. */
  letGo(): void {
    if (this.#writer !== undefined) closeQuietly(this.#writer);
    this.#writer = undefined;
  }

  get followed(): boolean {
    return this.#socket !== undefined;
  }

  /** Reads what is there. False: somebody can still write. Throws when it can't be read. */
  readToEnd(listen: (chunk: Buffer) => void): boolean {
    try {
      for (let size = this.#read(); size > 0; size = this.#read()) listen(Buffer.from(buffer.subarray(0, size)));
      return true;
    } catch (error) {
      if (isObject(error) && error["code"] === "EAGAIN") return false;
      throw error;
    }
  }

  /** Reads what is there, all of it, but the newline at its end, behind which nothing can come. Throws when it is not all. */
  readLine(listen: (chunk: Buffer) => void): void {
    const size = this.#read() - 1;
    if (buffer[size] !== NEWLINE) throw new Error("only a part of it could be read");
    if (size > 0) listen(Buffer.from(buffer.subarray(0, size)));
  }

  /** Stops following; the pipe stays. */
  unfollow(): void {
    this.letGo();
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  close(): void {
    this.unfollow();
    closeQuietly(this.fd);
  }

  #read(): number {
    return readSync(this.fd, buffer, 0, READ_BYTES, null);
  }
}
