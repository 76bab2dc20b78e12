/** `tsx bench/trust-cost.ts`: what trust costs: the looks right before a hook runs and after it, and loading a configuration with it and without. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "../src/engine/engine.ts";
import { guestEntries } from "../src/config/guests.ts";
import { approve } from "../src/trust/approve.ts";

const ROUNDS = 15;
const folder = realpathSync(mkdtempSync(join(tmpdir(), "snaphook-trust-cost-")));
const [root, home] = [join(folder, "repo"), join(folder, "home")];
const env = { HOME: home, PATH: process.env["PATH"] };

try {
  for (const path of [join(root, ".lime"), join(root, "hooks"), home]) mkdirSync(path, { recursive: true });
  writeFileSync(join(root, ".lime/settings.json"), JSON.stringify({ hooks: { PreToolUse: ["./hooks/a.sh", "./hooks/b.sh", "echo inline"] } }));
  for (const name of ["a", "b"]) writeFileSync(join(root, `hooks/${name}.sh`), `#!/bin/sh\n. ./hooks/lib.sh\n${"# a line of a script\n".repeat(100)}`);
  writeFileSync(join(root, "hooks/lib.sh"), "check() { :; }\n");
  for (const name of ["a.sh", "b.sh"]) chmodSync(join(root, "hooks", name), 0o755);
  await settle();
  const seen = await createEngine({ cwd: root, env, trust: false });
  approve(
    guestEntries(seen.configuration.files, seen.trust).map((entry) => seen.trust.look(entry)),
    { folder: root, shelf: { configDir: join(home, ".config"), stateDir: join(home, ".local/state") }, now: new Date() },
  );
  const engine = await createEngine({ cwd: root, env });
  const [hook] = engine.configuration.hooks;
  if (!hook) throw new Error("nothing is armed");
  const looks = 5_000;
  console.log(
    `look before a run (a script and what it sources): ${(await least(async () => repeat(looks, () => engine.trust.refusal(hook, root)))) / looks} µs`,
  );
  console.log(`look at its end: ${(await least(async () => repeat(looks, () => engine.trust.vouch(hook)?.changed()))) / looks} µs`);
  const [judged, all] = [
    await least(async () => void (await createEngine({ cwd: root, env }))),
    await least(async () => void (await createEngine({ cwd: root, env, trust: true }))),
  ];
  console.log(`load by content ${judged.toFixed(0)} µs, load with --trust ${all.toFixed(0)} µs: ${(judged / all).toFixed(2)} ×`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The least time of some rounds, in microseconds. */
async function least(work: () => Promise<void>): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await work();
    best = Math.min(best, (performance.now() - started) * 1_000);
  }
  return best;
}

function repeat(times: number, work: () => unknown): void {
  for (let index = 0; index < times; index++) work();
}

/** Files that were touched just now are read at every look; those of a repository have been there for a while. */
async function settle(): Promise<void> {
  const old = new Date(Date.now() - 60_000);
  for (const name of ["a.sh", "b.sh", "lib.sh"]) utimesSync(join(root, "hooks", name), old, old);
  await new Promise((resolve) => void setTimeout(resolve, 2_100));
}
