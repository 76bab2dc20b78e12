#!/usr/bin/env node
// Loads the built command line. In a source checkout that was never built, it is built first.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bundle = new URL("../dist/cli/snaphook.js", import.meta.url);
if (!existsSync(bundle)) await build();
await import(bundle.href);

async function build() {
  const builder = fileURLToPath(new URL("../scripts/with-build.mjs", import.meta.url));
  if (!existsSync(builder)) {
    process.stderr.write("snaphook: this package was packed without its build; run `npm run build` before `npm pack`.\n");
    process.exit(1);
  }
  const { spawnSync } = await import("node:child_process");
  if (spawnSync(process.execPath, [builder], { stdio: ["ignore", 2, 2] }).status !== 0) process.exit(1);
}
