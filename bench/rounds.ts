/** Measures one row: every contender in a process of its own, sampled in turn, round after round, so that all meet the same noise. */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { isObject } from "../src/lib/json.ts";
import type { HostMessage, HostRequest } from "./host.ts";
import { ROOT } from "./places.ts";
import { QUICK } from "./support/timed.ts";
import { contendersOf, type Role, type Row } from "./row.ts";

/** How long a contender may take to open, or for a sample, before it is given up. */
const PATIENCE_MS = 120_000;
const DEFAULT_ROUNDS = 15;

/** One contender's times: a number for each point. */
export interface Measured {
  readonly name: string;
  readonly role: Role;
  /** Microseconds; null where it could not be measured. */
  readonly medians: readonly number[] | null;
  readonly minima: readonly number[] | null;
  /** Why it could not. */
  readonly missing: string | null;
}

/** How a row is measured. */
export interface Measuring {
  readonly rounds: number | undefined;
  readonly peers: boolean;
  /** One run a sample, nothing warm: shows that everything works, and no more. */
  readonly quick: boolean;
}

/** Samples a row's contenders in interleaved rounds. */
export async function measure(row: Row, { rounds = row.rounds ?? DEFAULT_ROUNDS, peers, quick }: Measuring): Promise<readonly Measured[]> {
  const hosts: Host[] = [];
  for (const { role, contender } of contendersOf(row)) {
    if (role !== "peer" || peers) hosts.push(await Host.open(row.name, { name: contender.name, role, heapMb: contender.heapMb ?? 0, quick }));
  }
  for (let round = 0; round < rounds; round += 1) {
    // Each second round goes the other way: what stands behind a heavy neighbour stands before it next time.
    for (const host of round % 2 === 0 ? hosts : hosts.toReversed()) await host.sample();
  }
  for (const host of hosts) await host.close();
  return hosts.map((host) => host.measured());
}

interface Seat {
  readonly name: string;
  readonly role: Role;
  readonly heapMb: number;
  readonly quick: boolean;
}

/** A contender's process, from its start to its end. */
class Host {
  readonly #child: ChildProcess;
  readonly #seat: Seat;
  readonly #samples: (readonly number[])[] = [];
  readonly #errors: string[] = [];
  #missing: string | null = null;

  static async open(row: string, seat: Seat): Promise<Host> {
    const host = new Host(row, seat);
    await host.#wait();
    return host;
  }

  private constructor(row: string, seat: Seat) {
    this.#seat = seat;
    this.#child = fork(join(ROOT, ".bench/host.js"), [row, seat.name], {
      execArgv: ["--expose-gc", ...(seat.heapMb > 0 ? [`--max-old-space-size=${seat.heapMb * 4}`] : [])],
      env: { ...process.env, [QUICK]: seat.quick ? "1" : "" },
      // What a contender prints is not part of the table.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => void this.#errors.push(chunk.toString()));
  }

  async sample(): Promise<void> {
    if (this.#missing !== null) return;
    this.#ask("sample");
    await this.#wait();
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    if (this.#missing === null) this.#ask("close");
    else this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), PATIENCE_MS);
    await ended;
    clearTimeout(timer);
  }

  measured(): Measured {
    const { name, role } = this.#seat;
    const [first] = this.#samples;
    if (this.#missing !== null || !first) return { name, role, medians: null, minima: null, missing: this.#missing ?? "no round was run" };
    const sorted = first.map((_, point) => this.#samples.map((sample) => sample[point] ?? Number.NaN).toSorted((left, right) => left - right));
    return { name, role, medians: sorted.map(median), minima: sorted.map((samples) => nanoseconds(samples[0])), missing: null };
  }

  #ask(request: HostRequest): void {
    this.#child.send(request);
  }

  /** Until it has answered, or can't any more. */
  async #wait(): Promise<void> {
    const message = await new Promise<HostMessage>((resolve) => {
      const answered = (answer: unknown): void => done(isHostMessage(answer) ? answer : { kind: "failed", reason: "it speaks another language" });
      const ended = (): void => done({ kind: "failed", reason: `its process ended: ${this.#errors.join("").trim().split("\n").at(-1) ?? ""}` });
      const timer = setTimeout(() => done({ kind: "failed", reason: `no answer within ${PATIENCE_MS / 1_000} s` }), PATIENCE_MS);
      const done = (result: HostMessage): void => {
        clearTimeout(timer);
        this.#child.off("message", answered).off("exit", ended);
        resolve(result);
      };
      this.#child.on("message", answered).on("exit", ended);
    });
    if (message.kind === "sampled") this.#samples.push(message.microseconds);
    if (message.kind === "unavailable") this.#missing = message.reason;
    if (message.kind === "failed") {
      process.stderr.write(`bench: ${this.#seat.name} failed: ${message.reason}\n`);
      this.#missing = "failed";
    }
  }
}

function isHostMessage(value: unknown): value is HostMessage {
  return isObject(value) && typeof value["kind"] === "string";
}

function median(sorted: readonly number[]): number {
  return nanoseconds(sorted[Math.floor(sorted.length / 2)]);
}

/** Microseconds, with as many digits as mean something. */
function nanoseconds(microseconds: number | undefined): number {
  return Math.round((microseconds ?? Number.NaN) * 1_000) / 1_000;
}
