/** What an event costs: with no hook, with functions, past hooks that do not match, with a command; and what the command line costs. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine, type HookEvent, type AnyLibraryHook } from "../src/index.ts";

/** One line of the table: what was measured, beside the floor of the same run. */
export interface BenchRow {
  readonly what: string;
  readonly microseconds: number;
  readonly floor: string;
  readonly floorMicroseconds: number;
}

const EVENT: HookEvent = { name: "tool.before", sessionId: "s", tool: { name: "Bash", input: { command: "ls" } } };
const ROUNDS = 30;

interface Variant {
  readonly what: string;
  readonly run: () => Promise<unknown>;
  /** Runs of one round: cheap things are repeated, so that the clock can see them. */
  readonly times: number;
}

/** Medians of interleaved rounds: every variant of a round meets the same noise. */
async function medians(variants: readonly Variant[]): Promise<ReadonlyMap<string, number>> {
  const samples = new Map<string, number[]>(variants.map(({ what }) => [what, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { what, run, times } of variants) {
      const started = performance.now();
      for (let time = 0; time < times; time++) await run();
      samples.get(what)?.push(((performance.now() - started) * 1_000) / times);
    }
  }
  return new Map([...samples].map(([what, list]) => [what, list.toSorted((left, right) => left - right)[Math.floor(list.length / 2)] ?? 0]));
}

/** Runs everything and returns the rows. */
export async function benchEngine(bin: string): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
  const env = { PATH: process.env["PATH"], HOME: folder, TMPDIR: folder };
  const quiet: AnyLibraryHook = { event: "tool.before", call: () => undefined };
  const engineWith = async (hooks: readonly AnyLibraryHook[], settings?: object): Promise<Engine> => {
    const file = join(folder, `settings-${Math.random().toString(36).slice(2)}.json`);
    writeFileSync(file, JSON.stringify(settings ?? {}));
    return createEngine({ cwd: folder, env, configs: [{ file, dialect: "lime" }], hooks });
  };
  try {
    const none = await engineWith([]);
    const one = await engineWith([quiet]);
    const ten = await engineWith(Array.from({ length: 10 }, () => quiet));
    const thousand = await engineWith(Array.from({ length: 1_000 }, () => ({ ...quiet, matcher: ["SomethingElse"] })));
    const command = await engineWith([], { hooks: { PreToolUse: ["true"] } });
    const settings = join(folder, "empty.json");
    writeFileSync(settings, "{}");
    const times = await medians([
      { what: "await of an empty function", times: 2_000, run: async () => undefined },
      { what: "fire, no hook", times: 500, run: async () => none.fire(EVENT) },
      { what: "fire, 1 function", times: 200, run: async () => one.fire(EVENT) },
      { what: "fire, 10 functions", times: 100, run: async () => ten.fire(EVENT) },
      { what: "fire past 1,000 hooks that do not match", times: 50, run: async () => thousand.fire(EVENT) },
      { what: "spawn of sh -c true", times: 1, run: async () => ended("/bin/sh", ["-c", "true"]) },
      { what: "fire, 1 command hook (sh -c true)", times: 1, run: async () => command.fire(EVENT) },
      { what: "node -e 0", times: 1, run: async () => ended(process.execPath, ["-e", "0"]) },
      {
        what: "snaphook fire, no hook",
        times: 1,
        run: async () => ended(process.execPath, [bin, "fire", "tool.before", "--dialect", "lime", "--config", settings]),
      },
    ]);
    const row = (what: string, floor: string): BenchRow => ({ what, microseconds: times.get(what) ?? 0, floor, floorMicroseconds: times.get(floor) ?? 0 });
    return [
      row("fire, no hook", "await of an empty function"),
      row("fire, 1 function", "fire, no hook"),
      row("fire, 10 functions", "fire, no hook"),
      row("fire past 1,000 hooks that do not match", "fire, no hook"),
      row("fire, 1 command hook (sh -c true)", "spawn of sh -c true"),
      row("snaphook fire, no hook", "node -e 0"),
    ];
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 3 });
  }
}

async function ended(file: string, args: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(file, [...args], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}
