// node scripts/images.mjs: the pictures of the page in docs/images, taken by its tests.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const images = join(root, "docs/images");
mkdirSync(images, { recursive: true });
const vitest = join(root, "node_modules/.bin/vitest");
const { status } = spawnSync(vitest, ["run", "test/ui/page-safety.test.ts", "-t", "accessibility"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, SNAPHOOK_IMAGES: images },
});
process.exit(status ?? 1);
