/** The public conformance cases, asked through the client and answered by a daemon. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/places.ts";
import { CLIENT, home, startDaemon, tallyAfter } from "./support.ts";

const LIMIT_MS = 300_000;

test("every case that is not slow has the same result as through Node", { timeout: LIMIT_MS }, async () => {
  const at = home();
  await startDaemon(at);
  const folder = join(ROOT, "test/conformance");
  const cli = `env XDG_RUNTIME_DIR=${at.env["XDG_RUNTIME_DIR"]} ${CLIENT}`;
  const runner = spawn(process.execPath, [join(folder, "run.mjs"), "--cli", cli, join(folder, "cases.jsonl"), "--no-slow", "--jobs", "2", "--json"], {
    env: { ...at.env, PATH: `${at.env["PATH"]}:${process.env["PATH"] ?? ""}` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  runner.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await new Promise((resolve) => void runner.on("close", resolve));
  const results = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): { id: string; ok: boolean; diffs: readonly string[] } => JSON.parse(line));
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
  expect(results.length).toBeGreaterThan(300);
  const { served, unserved } = await tallyAfter(at, (tally) => tally.served > 200);
  expect(served).toBeGreaterThan(200);
  expect(Object.keys(unserved).filter((reason) => !reason.includes("process of"))).toEqual([]);
});
