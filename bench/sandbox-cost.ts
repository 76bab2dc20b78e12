/** `tsx bench/sandbox-cost.ts`: what it costs that a hook in a sandbox sees the bytes that were approved, beside the same hook without approval. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guestEntries } from "../src/config/guests.ts";
import { createEngine } from "../src/engine/engine.ts";
import { approve } from "../src/trust/approve.ts";

const ROUNDS = 60;
const folder = realpathSync(mkdtempSync(join(tmpdir(), "snaphook-sandbox-cost-")));
const [root, home] = [join(folder, "repo"), join(folder, "home")];
const env = { HOME: home, PATH: process.env["PATH"] };

try {
  for (const path of [join(root, ".snaphook"), join(root, "hooks"), home]) mkdirSync(path, { recursive: true });
  for (let index = 0; index < 12; index++) mkdirSync(join(root, `folder-${index}`));
  writeFileSync(join(root, "hooks/guard.sh"), "#!/bin/sh\nexit 0\n");
  chmodSync(join(root, "hooks/guard.sh"), 0o755);
  for (const sandbox of ["readonly", "strict"]) {
    writeFileSync(join(root, ".snaphook/hooks.json"), JSON.stringify({ hooks: { "tool.before": [{ command: "./hooks/guard.sh", sandbox }] } }));
    const seen = await createEngine({ cwd: root, env, trust: false });
    approve(
      guestEntries(seen.configuration.files, seen.trust).map((entry) => seen.trust.look(entry)),
      { folder: root, shelf: { configDir: join(home, ".config"), stateDir: join(home, ".local/state") }, now: new Date() },
    );
    const engines = {
      approved: await createEngine({ cwd: root, env, launcher: "zygote" }),
      "as it stands": await createEngine({ cwd: root, env, launcher: "zygote", trust: true }),
    };
    const tookMs: { [name: string]: number[] } = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, engine] of Object.entries(engines)) {
        const started = performance.now();
        await engine.fire({ name: "tool.before", tool: { name: "shell", input: { command: "ls" } } });
        (tookMs[name] ??= []).push(performance.now() - started);
      }
    }
    for (const [name, list] of Object.entries(tookMs)) console.log(`${sandbox}, ${name}: ${median(list).toFixed(1)} ms`);
    for (const engine of Object.values(engines)) await engine.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function median(list: readonly number[]): number {
  return list.toSorted((left, right) => left - right)[Math.floor(list.length / 2)] ?? 0;
}
