// Builds the library with tsc and the command line with rolldown.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
rmSync(join(root, "dist"), { recursive: true, force: true });
const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.build.json")], { stdio: ["ignore", 2, 2] });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

const { build } = await import("rolldown");
await build({
  input: { snaphook: join(root, "src/cli/entry.ts") },
  platform: "node",
  // jsonc-parser's UMD build hides its parts behind require; its module build does not.
  resolve: { mainFields: ["module", "main"] },
  output: { dir: join(root, "dist/cli"), format: "esm", minify: true, entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
  logLevel: "warn",
});

const { build: buildPage } = await import("vite");
await buildPage({ configFile: join(root, "web/vite.config.ts") });
