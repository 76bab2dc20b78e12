/** The stdio transport, with the server in a process group of its own: the SDK's leaves behind what a server starts. */
import { spawn, type ChildProcess } from "node:child_process";
import type { JSONRPCMessage, ReadBuffer, Transport } from "@modelcontextprotocol/client";
import { messageOf } from "../../lib/errors.ts";
import { endGroup } from "../../lib/group.ts";
import { GRACE_MS } from "../../lib/process.ts";
import { settlesWithin } from "../../lib/time.ts";
import type { McpProgram } from "./config.ts";

/** How long a server may take to end by itself once its stdin is closed. */
const FAREWELL_MS = 500;
const STDERR_CHARACTERS = 2_000;

/** What of the SDK is needed here; it is loaded only when there is a server. */
export interface StdioParts {
  readonly ReadBuffer: new () => ReadBuffer;
  readonly serializeMessage: (message: JSONRPCMessage) => string;
}

/** A server as a child process. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #parts: StdioParts;
  readonly #config: McpProgram;
  readonly #place: { readonly cwd: string; readonly env: { readonly [name: string]: string } };
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #stderr = "";
  #end: string | undefined;

  constructor(parts: StdioParts, config: McpProgram, place: { readonly cwd: string; readonly env: { readonly [name: string]: string } }) {
    this.#parts = parts;
    this.#config = config;
    this.#place = place;
  }

  /** How the server ended and what it said last; undefined while it runs. */
  get end(): string | undefined {
    const said = this.#stderr.trim();
    return this.#end === undefined ? undefined : `${this.#end}${said === "" ? "" : `: ${said}`}`;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#config;
    const child = spawn(command, [...args], {
      cwd: cwd ?? this.#place.cwd,
      env: { ...this.#place.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#end = code === null ? `it ended by signal ${signal}` : `it ended with exit code ${code}`;
        resolve();
      });
    });
    // What a dead server left behind may hold its output for ever, so its own end counts.
    child.once("exit", () => void this.close());
    for (const stream of child.stdio) stream?.on("error", (error: Error) => this.onerror?.(error));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-STDERR_CHARACTERS);
    });
    this.#listen(child);
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(new Error(`${command} could not be started: ${messageOf(error)}`)));
    });
  }

  #listen(child: ChildProcess): void {
    const buffer = new this.#parts.ReadBuffer();
    child.stdout?.on("data", (chunk: Buffer) => {
      try {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw new Error(this.end ?? "the server is not running");
    if (stdin.write(this.#parts.serializeMessage(message))) return;
    await Promise.race([new Promise((resolve) => void stdin.once("drain", resolve)), this.#exited]);
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const child = this.#child;
    child?.stdin?.end();
    if (child?.pid !== undefined) await settlesWithin(this.#exited, FAREWELL_MS);
    await endGroup(child?.pid, GRACE_MS);
    for (const stream of child?.stdio ?? []) stream?.destroy();
    this.onclose?.();
  }
}
