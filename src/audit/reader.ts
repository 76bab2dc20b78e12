/** Questions to a log, answered by a process beside this one: an index of many records takes seconds to make, and this process has others to serve. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseJson } from "../lib/json.ts";
import { LineSplitter } from "../lib/line-splitter.ts";
import { trusted } from "../lib/trusted.ts";
import { programArgs } from "../lib/typescript.ts";
import type { ReaderLine, ReaderQuestion, ReaderQuestions } from "./reader-words.ts";

/** Beside this file: built, or as it was written. */
const HOST = fileURLToPath(new URL(`../audit/reader-host${extname(import.meta.url)}`, import.meta.url));

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A reader of one log. Its process is started by the first question, and again by the next one when it ended. */
export class LogReader implements ReaderQuestions {
  readonly #folder: string;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | null = null;
  #asked = 0;
  #progress: number | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** How much of the log is indexed, while an index is being made: from 0 to 1. */
  get progress(): number | null {
    return this.#progress;
  }

  readonly index: ReaderQuestions["index"] = async (words) => this.#ask("index", words);
  readonly query: ReaderQuestions["query"] = async (words) => this.#ask("query", words);
  readonly numbers: ReaderQuestions["numbers"] = async (words) => this.#ask("numbers", words);
  readonly record: ReaderQuestions["record"] = async (words) => this.#ask("record", words);

  /** Ends the process, wherever it is: an index that is half made is gone on with another time. */
  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  }

  async #ask<T>(ask: ReaderQuestion["ask"], words: object): Promise<T> {
    const child = (this.#child ??= this.#start());
    const question: ReaderQuestion = { id: (this.#asked += 1), ask, words };
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(question.id, { resolve: (value) => resolve(trusted<T>(value)), reject });
      child.stdin?.write(`${JSON.stringify(question)}\n`);
    });
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [...programArgs(HOST), this.#folder], { stdio: ["pipe", "pipe", "ignore"] });
    const lines = new LineSplitter((line) => this.#hear(trusted<ReaderLine>(parseJson(line))));
    child.stdout.on("data", (chunk: Buffer) => lines.write(chunk));
    child.stdin.on("error", () => {});
    child.on("error", () => this.#ended(child));
    child.on("close", () => this.#ended(child));
    return child;
  }

  #hear(line: ReaderLine): void {
    if ("progress" in line) {
      this.#progress = line.progress;
      return;
    }
    this.#progress = null;
    const waiting = this.#waiting.get(line.id);
    this.#waiting.delete(line.id);
    if ("error" in line) waiting?.reject(new Error(line.error));
    else waiting?.resolve(line.value);
  }

  #ended(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = null;
    this.#progress = null;
    for (const { reject } of this.#waiting.values()) reject(new Error("the process that reads the audit log ended; ask again"));
    this.#waiting.clear();
  }
}
