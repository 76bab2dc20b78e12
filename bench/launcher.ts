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
const WARM_UP = 200;
const AT_ONCE = 64;
const MODES: readonly LauncherMode[] = ["zygote", "spawn"];
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

/** One way at a time: a fork of this process makes it slower for a while, and another way would pay for it. */
async function compare(title: string, flag: string): Promise<void> {
  const rows: string[] = [];
  for (const mode of MODES) {
    const c = floor("--serve", "/bin/sh", flag, "true");
    const launcher = openLauncher(mode);
    const ofC: number[] = [];
    const ours: number[] = [];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const [floorTime, time] = [await c.once(), await timed(async () => launch(launcher, flag))];
      if (round < 0) continue;
      ofC.push(floorTime);
      ours.push(time);
    }
    rows.push(`${mode} ${median(ours).toFixed(0)} µs = ${(median(ours) / median(ofC)).toFixed(2)} × C (${median(ofC).toFixed(0)} µs)`);
    c.close();
    launcher.close();
  }
  console.log(`${title.padEnd(40)} ${rows.join(", ")}`);
}

async function crowd(mode: LauncherMode): Promise<{ readonly totalMs: number; readonly stallMs: number; readonly busyMs: number }> {
  const launcher = openLauncher(mode);
  await launch(launcher, "-c");
  const rounds: { totalMs: number; stallMs: number; busyMs: number }[] = [];
  for (let round = 0; round < 9; round++) {
    let last = performance.now();
    let stallMs = 0;
    let used = process.cpuUsage();
    let busyMs = 0;
    let watching = true;
    const watch = (): void => {
      const now = performance.now();
      stallMs = Math.max(stallMs, now - last);
      last = now;
      const since = process.cpuUsage(used);
      busyMs = Math.max(busyMs, (since.user + since.system) / 1_000);
      used = process.cpuUsage();
      if (watching) setImmediate(watch);
    };
    watch();
    const totalMs = (await timed(async () => Promise.all(Array.from({ length: AT_ONCE }, async () => launch(launcher, "-c"))))) / 1_000;
    watching = false;
    rounds.push({ totalMs, stallMs, busyMs });
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  launcher.close();
  return {
    totalMs: median(rounds.map((round) => round.totalMs)),
    stallMs: median(rounds.map((round) => round.stallMs)),
    busyMs: median(rounds.map((round) => round.busyMs)),
  };
}

try {
  await compare("sh -c true", "-c");
  await compare("sh -lc true", "-lc");
  for (const mode of MODES) {
    const { totalMs, stallMs, busyMs } = await crowd(mode);
    console.log(
      `${AT_ONCE} at once, ${mode}`.padEnd(40),
      `${totalMs.toFixed(1)} ms, longest stall ${stallMs.toFixed(1)} ms, of which ${busyMs.toFixed(1)} ms our own work`,
    );
  }
  const heap = Array.from({ length: 9_000_000 }, (_, index) => ({ index, text: `n${index}` }));
  await compare(`sh -c true, heap ${(process.memoryUsage().heapUsed / 2 ** 30).toFixed(1)} GiB`, "-c");
  if (heap.length === 0) console.log("never");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
