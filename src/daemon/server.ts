/** The daemon: meets clients, runs their command lines beside each other, and ends when nobody has come for a while. */
import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Engine, EngineOptions } from "../engine/engine.ts";
import { messageOf } from "../lib/errors.ts";
import { isThere, meetClient, Unserved, type Client, type Doorkeeper } from "./client.ts";
import { fileStamp, nodeIn, nodeVariableApart, programStamp } from "./identity.ts";
import { faultOf } from "./place.ts";
import { Reply } from "./reply.ts";
import { ANNOUNCEMENTS, SLOT_COUNT, type Slots } from "./slots.ts";
import { ClientStdin } from "./stdin.ts";
import { WarmEngines } from "./warm-engines.ts";

/** What a command line is run with: everything of the client's, nothing of the daemon's. */
export interface Call {
  readonly args: readonly string[];
  readonly env: Client["env"];
  readonly cwd: string;
  readonly stdin: () => Promise<string>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly signal: AbortSignal;
  /** Opens an engine; the path is that of the callbacks' module, if one was given. */
  readonly openEngine: (options: EngineOptions, callbacks: string | undefined) => Promise<Engine>;
}

/** What a daemon is made of. */
export interface ServerOptions {
  /** The place of the user's daemon, and this daemon's own folder in it. */
  readonly place: string;
  readonly folder: string;
  readonly slots: Slots;
  readonly door: Doorkeeper;
  /** The daemon's own environment. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Files of the program itself: when one of them changes, it is another program. */
  readonly program: readonly string[];
  /** Runs a command line and returns its exit code. Rejects for faults of its own, never for mistakes of the caller. */
  readonly run: (call: Call) => Promise<number>;
  readonly engineLimit?: number;
  /** Called a moment after the tally has changed. */
  readonly onTally: () => void;
}

/** How a daemon has fared. */
export interface Tally {
  readonly served: number;
  readonly running: number;
  readonly engines: number;
  /** Why clients were sent to Node, and how often. */
  readonly unserved: { readonly [reason: string]: number };
}

const ENGINE_LIMIT = 16;
/** How often running clients are looked after. */
const LOOK_MS = 100;
/** How long a change of the tally may wait, so that many are told at once. */
const TELL_MS = 50;
/** Requests beyond this go to Node. */
const RUNNING_LIMIT = 256;
/** Reasons are kept by their text, which may hold paths. */
const REASON_LIMIT = 20;

interface Announcement {
  readonly slot: number;
  readonly pid: number;
  readonly argc: number;
  readonly isPipe: boolean;
}

interface Running {
  readonly client: Client;
  readonly reply: Reply;
  readonly stdin: ClientStdin;
  readonly stop: AbortController;
}

/** Serves the clients of one folder. */
export class Server {
  readonly #options: ServerOptions;
  readonly #announcements: Socket;
  readonly #engines: WarmEngines;
  readonly #running = new Set<Running>();
  /** Answered, with files that the client may still be reading. */
  readonly #lingering = new Set<Running>();
  readonly #unserved = new Map<string, number>();
  readonly #program: string;
  #served = 0;
  #heard = "";
  #looking: NodeJS.Timeout | undefined;
  #telling: NodeJS.Timeout | undefined;
  #lastAt = performance.now();

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#program = programStamp(options.program);
    this.#engines = new WarmEngines(options.engineLimit ?? ENGINE_LIMIT);
    // Open for writing too, so that it does not end with each client.
    const descriptor = openSync(join(options.folder, ANNOUNCEMENTS), constants.O_RDWR | constants.O_NONBLOCK);
    this.#announcements = new Socket({ fd: descriptor, readable: true, writable: false });
    this.#announcements.setEncoding("latin1").on("data", (text: string) => this.#hear(text));
  }

  get tally(): Tally {
    return { served: this.#served, running: this.#running.size, engines: this.#engines.size, unserved: Object.fromEntries(this.#unserved) };
  }

  /** How long nobody has come; 0 while somebody is here. */
  get idleMs(): number {
    return this.#running.size > 0 ? 0 : performance.now() - this.#lastAt;
  }

  /** Whether the program is still the one that was started. */
  get isCurrent(): boolean {
    return programStamp(this.#options.program) === this.#program;
  }

  /** Meets nobody any more, and sends those who wait to Node. */
  close(): void {
    this.#announcements.destroy();
    clearInterval(this.#looking);
    clearTimeout(this.#telling);
    for (const { reply, stdin, stop } of this.#running) {
      reply.close();
      stop.abort();
      stdin.close();
    }
    for (const { reply } of this.#lingering) reply.clean();
  }

  #hear(text: string): void {
    const lines = `${this.#heard}${text}`.split("\n");
    this.#heard = lines.pop() ?? "";
    for (const line of lines) this.#heed(line.split(" "));
    setImmediate(() => this.#options.slots.rearm());
  }

  /** `<slot> <process id> <number of arguments> pipe|file`: stdin is a pipe, or will be in a file. `<slot> <process id> kept`: it is in the file. */
  #heed([slot, pid, argc, source]: readonly string[]): void {
    if (argc !== "kept") return this.#meet({ slot: Number(slot), pid: Number(pid), argc: Number(argc), isPipe: source === "pipe" });
    for (const { client, stdin } of this.#running) if (client.pid === Number(pid)) stdin.kept();
  }

  #meet({ slot, pid, argc, isPipe }: Announcement): void {
    if (!(slot >= 0 && slot < SLOT_COUNT && pid > 0 && argc >= 0)) return;
    this.#lastAt = performance.now();
    let running: Running | undefined;
    try {
      this.#refuseStrangers();
      const client = meetClient({ pid, argc, slotPath: this.#options.slots.pathOf(slot) }, this.#options.door);
      this.#refuseUnlike(client);
      const reply = new Reply(pid, this.#options.folder);
      const stdin = new ClientStdin(pid, reply);
      running = { client, reply, stdin, stop: new AbortController() };
      if (isPipe) stdin.take();
    } catch (error) {
      running?.reply.close();
      running = undefined;
      this.#count(error);
    } finally {
      // The client wakes. It finds its pipe open, and waits for the answer, or closed, and goes to Node.
      this.#options.slots.release(slot);
    }
    if (running) void this.#serve(running);
  }

  #refuseStrangers(): void {
    const fault = faultOf(this.#options.place) ?? faultOf(this.#options.folder);
    if (fault !== undefined) throw new Unserved(fault);
    if (!this.isCurrent) throw new Unserved("the program has changed since the daemon was started");
    if (this.#running.size >= RUNNING_LIMIT) throw new Unserved("too many at once");
  }

  #refuseUnlike({ env }: Client): void {
    const node = nodeIn(env);
    if (node === undefined || fileStamp(node) !== fileStamp(process.execPath)) throw new Unserved("the client's node is another");
    const variable = nodeVariableApart(env, this.#options.env);
    if (variable !== undefined) throw new Unserved(`${variable} is not what the daemon was started with`);
  }

  async #serve(running: Running): Promise<void> {
    const { client, reply, stdin, stop } = running;
    this.#running.add(running);
    this.#looking ??= setInterval(() => this.#look(), LOOK_MS);
    try {
      const exitCode = await this.#options.run({
        args: client.args,
        env: client.env,
        cwd: client.cwd,
        stdin: async () => stdin.text(),
        stdout: (text) => reply.print("out", text),
        stderr: (text) => reply.print("err", text),
        signal: stop.signal,
        openEngine: async (options, callbacks) => {
          if (callbacks !== undefined) throw new Unserved("callbacks need a process of their own");
          return this.#engines.open({ ...options, self: client.pid });
        },
      });
      reply.end(exitCode);
      this.#served += 1;
    } catch (error) {
      // Node is to have what was taken.
      if (!stop.signal.aborted) await stdin.settled();
      reply.close();
      if (!stop.signal.aborted) this.#count(error);
    } finally {
      stdin.close();
      this.#running.delete(running);
      this.#lastAt = performance.now();
      this.#tellSoon();
      if (reply.hasFiles) this.#lingering.add(running);
    }
  }

  /** A client that goes away cancels its event. */
  #look(): void {
    for (const { client, stdin, stop } of this.#running) {
      if (isThere(client)) continue;
      stop.abort();
      stdin.close();
    }
    for (const ended of this.#lingering) {
      if (isThere(ended.client)) continue;
      ended.reply.clean();
      this.#lingering.delete(ended);
    }
    this.#options.slots.rearm();
    if (this.#running.size + this.#lingering.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #count(error: unknown): void {
    const reason = error instanceof Unserved ? error.message : `fault: ${messageOf(error)}`;
    if (this.#unserved.has(reason) || this.#unserved.size < REASON_LIMIT) this.#unserved.set(reason, (this.#unserved.get(reason) ?? 0) + 1);
    this.#tellSoon();
  }

  #tellSoon(): void {
    if (this.#announcements.destroyed) return;
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#options.onTally();
    }, TELL_MS);
  }
}
