// node scripts/generate.mjs [--check]: writes schema/ and docs/reference/ from the tables, or names the files that differ.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
const { status } = spawnSync(process.execPath, [tsx, join(root, "scripts/generate/main.ts"), ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
process.exit(status ?? 1);
