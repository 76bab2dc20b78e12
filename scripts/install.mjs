// Installs what package-lock.json says, if that has not been done since it last changed.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Makes sure that node_modules is there and not older than the lock file. */
export function ensureInstalled() {
  const marker = join(root, "node_modules/.package-lock.json");
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs) return;
  process.stderr.write("installing dependencies…\n");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}
