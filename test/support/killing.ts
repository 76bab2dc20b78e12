/** Processes that write, say what they wrote, and are killed: what all tortures share. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "rolldown";

/** How a writer ended: the whole lines that it said, and what it complained about. */
export interface KilledWriter {
  readonly lines: readonly string[];
  readonly stderr: string;
}

/** A program as one file of plain JavaScript: it starts in a fraction of the time. */
export async function bundled(
  input: string,
  folder: string,
  { name = "writer.mjs", external = [] }: { readonly name?: string; readonly external?: string[] } = {},
): Promise<string> {
  const file = join(folder, name);
  await build({ input, platform: "node", external, output: { file, format: "esm", codeSplitting: false }, logLevel: "silent" });
  return file;
}

/** Runs a writer to its end; with `afterMs` it is killed so long after it said its first line. */
export async function runWriter(args: readonly string[], afterMs?: number): Promise<KilledWriter> {
  const child = spawn(process.execPath, [...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<void>((resolve) => void child.on("close", () => resolve()));
  if (afterMs !== undefined) {
    await Promise.race([ended, new Promise<void>((resolve) => void child.stdout.once("data", () => resolve()))]);
    await Promise.race([ended, wait(afterMs)]);
    child.kill("SIGKILL");
  }
  await ended;
  return { lines: stdout.split("\n").slice(0, -1), stderr };
}
