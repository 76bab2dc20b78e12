/** tsx bench/launcher.ts [--rounds N]: what starting a command costs, beside the C floor and Node's spawn, medians of interleaved rounds. */
import { spawn, spawnSync } from "node:child_process";
import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLauncher, type Launcher, type LauncherMode } from "../src/lib/launcher.ts";
import type { ProcessEnd } from "../src/lib/process.ts";

const ROUNDS = process.argv[2] === "--rounds" ? Number(process.argv[3]) : 200;
const AT_ONCE = 64;
const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
const floorProgram = join(folder, "spawn");
const source = fileURLToPath(new URL("floor/spawn.c", import.meta.url));
if (spawnSync("cc", ["-O2", "-o", floorProgram, source], { stdio: "inherit" }).status !== 0) throw new Error("the floor could not be compiled");
const env: { [name: string]: string } = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/" };
const { signal } = new AbortController();
setMaxListeners(0, signal);
const payload = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } });

/** Microseconds of one run of the C program, which waits for a line before each. */
function floor(...words: readonly string[]): { readonly once: () => Promise<number>; close(): void } {
  const child = spawn(floorProgram, words, { stdio: ["pipe", "pipe", "inherit"], env });
  let answer: (microseconds: number) => void = () => {};
  child.stdout.on("data", (text: Buffer) => answer(Number(text)));
  return {
    once: () =>
      new Promise((resolve) => {
        answer = resolve;
        child.stdin.write("\n");
      }),
    close: () => child.stdin.end(),
  };
}

async function launch(launcher: Launcher, flag: string): Promise<ProcessEnd> {
  return launcher.run({
    file: "/bin/sh",
    args: [flag, "true"],
    env,
    cwd: folder,
    stdin: payload,
    timeoutMs: 60_000,
    signal,
    tempDir: folder,
    ...(flag === "-lc" && { login: true }),
  });
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) * 1_000;
}

const median = (samples: readonly number[]): number => samples.toSorted((left, right) => left - right)[samples.length >> 1] ?? 0;

async function compare(title: string, flag: string, modes: readonly LauncherMode[]): Promise<void> {
  const c = floor("--serve", "/bin/sh", flag, "true");
  const launchers = modes.map((mode) => ({ mode, launcher: openLauncher(mode), samples: [] as number[] }));
  const ofC: number[] = [];
  for (let round = -20; round < ROUNDS; round++) {
    const floorTime = await c.once();
    const times: number[] = [];
    for (const { launcher } of launchers) times.push(await timed(async () => launch(launcher, flag)));
    if (round < 0) continue;
    ofC.push(floorTime);
    launchers.forEach(({ samples }, index) => samples.push(times[index] ?? 0));
  }
  const row = launchers.map(({ mode, samples }) => `${mode} ${median(samples).toFixed(0)} µs = ${(median(samples) / median(ofC)).toFixed(2)} × C`);
  console.log(`${title.padEnd(40)} C ${median(ofC).toFixed(0)} µs, ${row.join(", ")}`);
  c.close();
  for (const { launcher } of launchers) launcher.close();
}

async function crowd(mode: LauncherMode): Promise<{ readonly totalMs: number; readonly stallMs: number }> {
  const launcher = openLauncher(mode);
  await launch(launcher, "-c");
  const rounds: { totalMs: number; stallMs: number }[] = [];
  for (let round = 0; round < 9; round++) {
    let last = performance.now();
    let stallMs = 0;
    let watching = true;
    const watch = (): void => {
      const now = performance.now();
      stallMs = Math.max(stallMs, now - last);
      last = now;
      if (watching) setImmediate(watch);
    };
    watch();
    const totalMs = (await timed(async () => Promise.all(Array.from({ length: AT_ONCE }, async () => launch(launcher, "-c"))))) / 1_000;
    watching = false;
    rounds.push({ totalMs, stallMs });
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  launcher.close();
  return { totalMs: median(rounds.map((round) => round.totalMs)), stallMs: median(rounds.map((round) => round.stallMs)) };
}

try {
  await compare("sh -c true", "-c", ["zygote", "spawn"]);
  await compare("sh -lc true", "-lc", ["zygote", "spawn"]);
  for (const mode of ["zygote", "spawn"] as const) {
    const { totalMs, stallMs } = await crowd(mode);
    console.log(`${AT_ONCE} at once, ${mode}`.padEnd(40), `${totalMs.toFixed(1)} ms, longest stall ${stallMs.toFixed(1)} ms`);
  }
  const heap = Array.from({ length: 9_000_000 }, (_, index) => ({ index, text: `n${index}` }));
  await compare(`sh -c true, heap ${(process.memoryUsage().heapUsed / 2 ** 30).toFixed(1)} GiB`, "-c", ["zygote", "spawn"]);
  if (heap.length === 0) console.log("never");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
