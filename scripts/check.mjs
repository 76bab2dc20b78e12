// node scripts/check.mjs [--fix]: format, lint, types, architecture, generated files. --fix repairs what can be repaired.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const fix = process.argv.includes("--fix");
const local = (program) => join(root, "node_modules/.bin", program);

/** Each step: what to run, and what to run instead when repairing. A step without its script is told, not passed over. */
const STEPS = [
  { name: "format", run: [local("oxfmt"), "--check"], fix: [local("oxfmt")] },
  { name: "lint", run: [local("oxlint"), "--deny-warnings"], fix: [local("oxlint"), "--deny-warnings", "--fix"] },
  { name: "types", run: [local("tsc"), "-p", "tsconfig.json", "--noEmit"] },
  { name: "page's types", run: [local("tsc"), "-p", "web/tsconfig.json", "--noEmit"] },
  { name: "architecture", run: [local("vitest"), "run", "test/architecture.test.ts", "--reporter=dot"] },
  {
    name: "generated",
    run: [process.execPath, "scripts/generate.mjs", "--check"],
    fix: [process.execPath, "scripts/generate.mjs"],
    needs: "scripts/generate.mjs",
  },
];

ensureInstalled();
let failures = 0;
for (const step of STEPS) {
  if (step.needs && !existsSync(join(root, step.needs))) {
    console.log(`-    ${step.name.padEnd(13)} ${step.needs} does not exist yet`);
    continue;
  }
  const [file, ...args] = (fix && step.fix) || step.run;
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
  const passed = status === 0;
  console.log(`${passed ? "ok  " : "FAIL"} ${step.name.padEnd(13)} ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  if (passed) continue;
  failures += 1;
  console.log(`${stdout ?? ""}${stderr ?? ""}`.trimEnd());
}
if (failures > 0 && !fix) console.log("`npm run fix` repairs what can be repaired.");
process.exit(failures === 0 ? 0 : 1);
