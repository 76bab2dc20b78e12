// node scripts/with-build.mjs PROGRAM [ARGS…]: installs and builds if needed, then runs a program of this project.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
ensureInstalled();
const built = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: ["ignore", 2, 2] });
if (built.status !== 0) process.exit(built.status ?? 1);

const [program, ...args] = process.argv.slice(2);
if (program !== undefined) {
  const local = join(root, "node_modules/.bin", program);
  const { status, signal } = spawnSync(existsSync(local) ? local : program, args, { stdio: "inherit", shell: process.platform === "win32" });
  process.exit(signal ? 1 : (status ?? 1));
}
