/** What a client is told, line by line, through its own pipe: texts to print, then the exit code. A pipe that closes before that sends it to Node. */
import { rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { closeQuietly } from "../lib/close-quietly.ts";
import { openReply, Unserved } from "./client.ts";

/** A shell reads a pipe byte by byte: longer texts are cheaper as a file. Also far below what a pipe takes in one piece. */
const INLINE_BYTES = 2_048;

/** One line without a NUL, which a shell can read into a variable and print again as it was. */
const ONE_LINE = /^[^\n\0]*\n$/;

/** The pipe of one client, and the files it was pointed to. */
export class Reply {
  readonly #pid: number;
  readonly #folder: string;
  readonly #files: string[] = [];
  #descriptor: number | undefined;
  #waiting = "";

  constructor(pid: number, folder: string) {
    this.#pid = pid;
    this.#folder = folder;
    this.#descriptor = openReply(pid);
  }

  /** Has the client print a text. Texts that come in one go are sent in one go, with the end if it is near. */
  print(stream: "out" | "err", text: string): void {
    if (text === "") return;
    if (this.#waiting === "") setImmediate(() => this.#flush());
    if (ONE_LINE.test(text) && Buffer.byteLength(text) <= INLINE_BYTES) this.#waiting += `${stream}\n${text}`;
    else this.#waiting += `file ${stream} ${this.#fileFor(text)}\n`;
  }

  /** Tells the client something at once that it does not print. Throws where it can't be told. */
  say(word: "taking" | "taken"): void {
    if (this.#descriptor === undefined) throw new Unserved("the client's pipe is closed");
    writeSync(this.#descriptor, `${word}\n`);
  }

  /** Tells the exit code. */
  end(exitCode: number): void {
    this.#waiting += `end ${exitCode}\n`;
    this.#flush();
    this.close();
  }

  /** Lets the client go. What it was not told yet, it will never be told. */
  close(): void {
    this.#waiting = "";
    if (this.#descriptor !== undefined) closeQuietly(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Removes the files, when the client has read them. */
  clean(): void {
    for (const file of this.#files) rmSync(file, { force: true });
  }

  get hasFiles(): boolean {
    return this.#files.length > 0;
  }

  #fileFor(text: string): string {
    const name = `${this.#pid}-${this.#files.length}.text`;
    const path = join(this.#folder, name);
    this.#files.push(path);
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
    return name;
  }

  #flush(): void {
    const text = this.#waiting;
    this.#waiting = "";
    if (text === "" || this.#descriptor === undefined) return;
    try {
      writeSync(this.#descriptor, text);
    } catch {
      this.close(); // the client is gone, or does not read: either way it will not take an answer for whole
    }
  }
}
