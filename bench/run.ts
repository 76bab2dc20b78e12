/** npm run bench [-- --peers] [--json]: everything in one run, as ratios; absolute times drift from run to run. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { benchEngine } from "./engine.bench.ts";
import { benchPermissions } from "./permissions.bench.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const json = process.argv.includes("--json");
const peersFolder = join(root, "bench/peers");

interface PeerRow {
  readonly peer: string;
  readonly what: string;
  readonly microseconds: readonly number[];
}

const engine = await benchEngine(join(root, "bin/snaphook.js"));
const permissions = await benchPermissions();
const peers = process.argv.includes("--peers") ? await benchPeers() : [];
const machine = {
  date: new Date().toISOString(),
  node: process.version,
  cpu: `${cpus().length} × ${cpus()[0]?.model ?? "?"}`,
  caCertificates: process.env["NODE_EXTRA_CA_CERTS"] !== undefined,
};

if (json) console.log(JSON.stringify({ machine, engine, permissions, peers }));
else print();

function print(): void {
  console.log(
    `${machine.date}  Node ${machine.node}  ${machine.cpu}${machine.caCertificates ? "  NODE_EXTRA_CA_CERTS is set: each Node start costs more" : ""}`,
  );
  console.log("\nEvents, medians of interleaved rounds");
  for (const { what, microseconds, floor, floorMicroseconds } of engine) {
    console.log(
      `  ${what.padEnd(42)} ${time(microseconds)}   ${(microseconds / floorMicroseconds).toFixed(2).padStart(7)} × ${floor} (${time(floorMicroseconds).trim()})`,
    );
  }
  console.log("\nPermission decisions            10 rules   10,000 rules    growth   goal");
  for (const { name, microseconds, growth, limit } of permissions) {
    const passes = (microseconds[1] ?? Infinity) <= limit && growth <= 2;
    console.log(
      `  ${name.padEnd(28)} ${time(microseconds[0] ?? 0)}   ${time(microseconds[1] ?? 0)}   ${growth.toFixed(2).padStart(6)} ×   ≤ ${limit} µs, ≤ 2 ×  ${passes ? "pass" : "short"}`,
    );
  }
  for (const { peer, what, microseconds } of peers) {
    console.log(
      `  ${`${peer}, ${what}`.padEnd(28)} ${time(microseconds[0] ?? 0)}   ${time(microseconds[1] ?? 0)}   ${((microseconds[1] ?? 0) / (microseconds[0] ?? 1)).toFixed(2).padStart(6)} ×`,
    );
  }
  if (peers.length === 0) console.log("  (npm run bench -- --peers prints the Gemini CLI policy engine and Cedar beside them; it installs 390 MB)");
}

function time(microseconds: number): string {
  return (microseconds >= 1_000 ? `${(microseconds / 1_000).toFixed(2)} ms` : `${microseconds.toFixed(2)} µs`).padStart(10);
}

async function benchPeers(): Promise<readonly PeerRow[]> {
  if (!existsSync(join(peersFolder, "node_modules"))) {
    process.stderr.write("installing the peers…\n");
    spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: peersFolder, stdio: ["ignore", 2, 2] });
  }
  const rows: PeerRow[] = [];
  for (const peer of ["gemini", "cedar"]) {
    const module: unknown = await import(join(peersFolder, `${peer}.mjs`));
    if (isPeer(module)) rows.push(...(await module.measure(medianOf)));
  }
  return rows;
}

function isPeer(module: unknown): module is { measure(median: typeof medianOf): Promise<readonly PeerRow[]> } {
  return typeof module === "object" && module !== null && "measure" in module;
}

async function medianOf(run: () => unknown, times: number): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < times; sample++) {
    const started = performance.now();
    await run();
    samples.push((performance.now() - started) * 1_000);
  }
  return samples.toSorted((left, right) => left - right)[times >> 1] ?? 0;
}
// A peer may leave timers behind.
process.exitCode = 0;
setTimeout(() => process.exit(), 100).unref();
