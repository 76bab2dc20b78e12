#!/usr/bin/env node
// Loads the built command line. In a source checkout that was never built, it is built first.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bundle = new URL("../dist/cli/snaphook.js", import.meta.url);
const builder = new URL("../scripts/with-build.mjs", import.meta.url);
if (!existsSync(bundle) && existsSync(builder)) {
  const { spawnSync } = await import("node:child_process");
  const { status } = spawnSync(process.execPath, [fileURLToPath(builder)], { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}
await import(bundle.href);
