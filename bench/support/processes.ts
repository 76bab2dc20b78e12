/** Programs to start: by the C floor, and as anyone would with Node. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../places.ts";
import { Unavailable, type Opened } from "../row.ts";

/** What every contender's hooks inherit: enough to find programs, and the same for all. */
export function hookEnv(folder: string): { readonly [name: string]: string } {
  return { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: folder, TMPDIR: folder };
}

/** A program whose time is wanted. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Its whole environment; absent: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

const SOURCE = join(ROOT, "bench/floor/spawn.c");
const FLOOR = join(ROOT, ".bench/floor/spawn");

/** Compiles the C floor if that was not done since it last changed. */
function floor(): string {
  if (existsSync(FLOOR) && statSync(FLOOR).mtimeMs > statSync(SOURCE).mtimeMs) return FLOOR;
  mkdirSync(join(FLOOR, ".."), { recursive: true });
  const { status, error } = spawnSync("cc", ["-O2", "-o", FLOOR, SOURCE], { stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Unavailable(error ? "there is no C compiler (cc) here" : "cc could not compile bench/floor/spawn.c");
  return FLOOR;
}

/** A program started by the C floor: `runs` in a sample one after another, or `atOnce` together. Microseconds of one program. */
export async function byC(
  { file, args, env = process.env }: Program,
  { runs = 1, atOnce = 1 }: { readonly runs?: number; readonly atOnce?: number },
): Promise<Opened> {
  const path = floor();
  const { status, stderr } = spawnSync(file, [...args], { env, input: "", encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${status}: ${stderr.trim()}`);
  const sample = async (): Promise<readonly number[]> => {
    const { stdout } = spawnSync(path, ["--at-once", String(atOnce), "--times", String(runs), file, ...args], { env, encoding: "utf8" });
    const times = stdout.trim().split("\n").map(Number);
    return [times.reduce((sum, time) => sum + time, 0) / (times.length * atOnce)];
  };
  await sample();
  return { sample, close: () => {} };
}

/** A hook as Node starts it: pipes, the event on stdin, all output, the end. */
export async function byNode({ file, args }: Program, stdin: string, env: { readonly [name: string]: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args], { env, stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", () => {});
    // A program that does not read its input is no fault.
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
    child.on("error", reject);
    child.on("close", () => resolve(output));
  });
}
