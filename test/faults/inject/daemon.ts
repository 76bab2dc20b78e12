/** Lets calls of the daemon and of its shell client fail in turn. Whatever fails, the client gets the answer that Node would give, or a denial. */
import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import * as v from "valibot";
import { findDaemon } from "../../../src/daemon/info.ts";
import { parseJson } from "../../../src/lib/json.ts";
import { BIN, ROOT } from "../../support/places.ts";
import { until } from "../../support/processes.ts";
import { runsOf, WAYS } from "./runs.mjs";
import type { Scenario, Stage } from "./scenarios.ts";
import { INJECTOR, LIMIT_MS, lineOf, report, run, staged, type LoopLine, type SweepOptions, type SweepReport } from "./sweep.ts";

/** The client of this checkout. */
export const CLIENT = join(ROOT, "bin/snaphook-hook");

/** Ways in which the daemon comes to its answer. */
export const DAEMON_WAYS = ["with an engine that it has kept", "with settings that have changed", "that is just starting"] as const;
type DaemonWay = (typeof DAEMON_WAYS)[number];

/** Which calls fail, and what the clients' stdin is. */
interface DaemonSweep extends SweepOptions {
  readonly stdin: Stdin;
}

/** A stage with a place for a daemon. */
interface Site extends Stage {
  readonly folder: string;
  readonly place: string;
}

function siteIn({ cwd, env }: Stage, folder: string): Site {
  const runtime = join(folder, "run");
  mkdirSync(runtime, { mode: 0o700 });
  const path = [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  return { cwd, folder, env: { ...env, PATH: path, XDG_RUNTIME_DIR: runtime }, place: join(runtime, "snaphook-daemon") };
}

/** Sweeps the calls of a daemon while it starts, or while it serves a client. */
export async function sweepDaemon(scenario: Scenario, way: DaemonWay, options: DaemonSweep): Promise<SweepReport> {
  return staged(scenario, async (stage, folder) => {
    const site = siteIn(stage, folder);
    const named = { ...scenario, name: `${scenario.name}, by a daemon ${way}, from a ${options.stdin}` };
    return way === "that is just starting"
      ? sweepStart(named, site, options)
      : sweepService(named, site, { ...options, changes: way === "with settings that have changed" });
  });
}

async function sweepService(scenario: Scenario, site: Site, options: DaemonSweep & { readonly changes: boolean }): Promise<SweepReport> {
  const daemon = new InjectedDaemon(site);
  const settings = Object.keys(scenario.files).map((path) => join(site.folder, path));
  const fire = async (at: number, how: string): Promise<LoopLine> => {
    await daemon.wakeUp();
    if (options.changes) for (const path of settings) appendFileSync(path, "\n");
    await daemon.order(at, how);
    const ended = await ask(scenario, site, { stdin: options.stdin, words: [CLIENT, "fire", scenario.event] });
    const calls = await daemon.order(0, how);
    return lineOf(ended, { at, how, called: calls[at - 1] ?? null, calls: calls.length });
  };
  try {
    await fire(0, "EIO"); // loads what is loaded when first used
    const quiet = await fire(0, "EIO");
    if (quiet.verdict !== scenario.verdict || quiet.calls === 0) throw new Error(`${scenario.name}: without faults it is ${JSON.stringify(quiet)}`);
    const lines: LoopLine[] = [];
    for (const { at, how } of runsOf(quiet.calls, { step: options.step, turns: options.ways === "in turn" })) lines.push(await fire(at, how));
    return report(scenario, quiet.calls, lines);
  } finally {
    await daemon.end();
  }
}

async function sweepStart(scenario: Scenario, site: Site, options: DaemonSweep): Promise<SweepReport> {
  const fire = async (at: number, how: string): Promise<LoopLine> => {
    const daemon = new InjectedDaemon(site);
    try {
      const started = await daemon.wakeUp({ at, how });
      const ended = await ask(scenario, site, { stdin: options.stdin, words: [CLIENT, "fire", scenario.event] });
      const calls = started ? await daemon.order(0, how) : [];
      return lineOf(ended, { at, how, called: calls[at - 1] ?? null, calls: calls.length });
    } finally {
      await daemon.end();
      rmSync(site.place, { recursive: true, force: true });
    }
  };
  const quiet = await fire(0, "EIO");
  if (quiet.verdict !== scenario.verdict || quiet.calls === 0) throw new Error(`${scenario.name}: without faults it is ${JSON.stringify(quiet)}`);
  const lines: LoopLine[] = [];
  for (const { at, how } of runsOf(quiet.calls, { step: options.step, turns: options.ways === "in turn" })) lines.push(await fire(at, how));
  return report(scenario, quiet.calls, lines);
}

/** What a client's stdin is: the daemon empties a pipe itself, and reads of anything else what the client has kept of it. */
export const STDINS = ["pipe", "socket"] as const;
type Stdin = (typeof STDINS)[number];

async function ask(
  { input }: Scenario,
  { cwd, env, folder }: Site,
  { stdin, words }: { readonly stdin: Stdin; readonly words: readonly string[] },
): ReturnType<typeof run> {
  const [file = "", ...args] = words;
  const text = JSON.stringify(input);
  if (stdin === "socket") return run(args, { file, cwd, env, stdin: text });
  const kept = join(folder, "input.json");
  writeFileSync(kept, text);
  return run(["-c", 'cat "$0" | "$@"', kept, ...words], { file: "/bin/sh", cwd, env });
}

/** A daemon that takes orders. It may leave because of a fault: then there is another one for the next client. */
class InjectedDaemon {
  readonly #site: Site;
  readonly #orders: string;
  #process: ChildProcess | undefined;

  constructor(site: Site) {
    this.#site = site;
    this.#orders = join(site.folder, "orders.json");
  }

  /** False: it did not come up. */
  async wakeUp(first: { readonly at: number; readonly how: string } = { at: 0, how: "EIO" }): Promise<boolean> {
    if (this.#isThere && findDaemon(this.#site.place)) return true;
    await this.end();
    const inject = JSON.stringify({ ...first, orders: this.#orders });
    const child = spawn(process.execPath, ["--import", INJECTOR, BIN, "daemon", "run", "--json"], {
      cwd: "/",
      env: { ...this.#site.env, SNAPHOOK_INJECT: inject },
      stdio: "ignore",
    });
    this.#process = child;
    return until(() => findDaemon(this.#site.place)?.pid === child.pid || !this.#isThere, LIMIT_MS).then(() => this.#isThere);
  }

  /** What was called since the last order; nothing where it has left. */
  async order(at: number, how: string): Promise<readonly string[]> {
    const told = join(this.#site.folder, "told.json");
    rmSync(told, { force: true });
    writeFileSync(this.#orders, JSON.stringify({ at, how, report: told }));
    this.#process?.kill("SIGUSR2");
    await until(() => existsSync(told) || !this.#isThere, LIMIT_MS);
    return existsSync(told) ? v.parse(v.array(v.string()), parseJson(readFileSync(told, "utf8"))) : [];
  }

  async end(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await until(() => !this.#isThere, LIMIT_MS);
    this.#process = undefined;
  }

  get #isThere(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }
}

/** Calls of the shell that a system may refuse. Not `dup2`: onto a number that is in use already, as the shell uses it, it does not fail. */
const REFUSABLE = ["openat", "read", "write", "fcntl", "pipe", "pipe2", "newfstatat", "stat", "faccessat2", "ioctl", "clone", "vfork", "fork"];

const NOTHING = { at: 0, how: "EIO", called: null, calls: 0 };

/** Sweeps the calls of the shell that is the client, by strace; what comes before its first line is not its own. */
export async function sweepClient(scenario: Scenario, { stdin, ...options }: DaemonSweep): Promise<SweepReport> {
  return staged(scenario, async (stage, folder) => {
    const site = siteIn(stage, folder);
    const named = { ...scenario, name: `${scenario.name}, asked by the shell client, from a ${stdin}` };
    const daemon = new InjectedDaemon(site);
    const traced = async (words: readonly string[]): Promise<{ readonly ended: Awaited<ReturnType<typeof run>>; readonly log: string }> => {
      await daemon.wakeUp();
      const log = join(folder, "strace.log");
      const args = ["-qq", "-o", log, ...words, "/bin/sh", CLIENT, "fire", scenario.event];
      const ended = await ask(scenario, site, { stdin, words: ["strace", ...args] });
      return { ended, log: readFileSync(log, "utf8") };
    };
    try {
      await traced([]);
      const quiet = await traced([]);
      if (lineOf(quiet.ended, NOTHING).verdict !== scenario.verdict) throw new Error(`${named.name}: without faults it is ${JSON.stringify(quiet.ended)}`);
      const calls = callsOf(quiet.log);
      const ways = WAYS.filter((how) => how !== "short");
      // A shell reads a pipe byte by byte: of these reads some are enough, of the other calls none is like another.
      const chosen = calls.filter(({ name }, index) => name !== "read" || index % options.step === 0);
      const lines: LoopLine[] = [];
      for (const [index, { name, nth }] of chosen.entries()) {
        for (const how of options.ways === "in turn" ? [ways[index % ways.length] ?? "EIO"] : ways) {
          const { ended } = await traced(["-e", `inject=${name}:error=${how}:when=${nth}`]);
          lines.push(lineOf(ended, { at: index + 1, how, called: `${name} ${nth}`, calls: calls.length }));
        }
      }
      return report(named, calls.length, lines);
    } finally {
      await daemon.end();
    }
  });
}

/** The calls behind the one that read the script, each with its number among its like. */
function callsOf(log: string): readonly { readonly name: string; readonly nth: number }[] {
  const counts = new Map<string, number>();
  let isOurs = false;
  return log.split("\n").flatMap((line) => {
    const name = /^(\w+)\(/.exec(line)?.[1] ?? "";
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    const wasOurs = isOurs;
    isOurs ||= name === "read" && line.includes("#!/bin/sh");
    return wasOurs && REFUSABLE.includes(name) ? [{ name, nth }] : [];
  });
}
