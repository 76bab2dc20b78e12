/** Programs that some tests need and some machines lack. */
import { spawnSync } from "node:child_process";

/** True when tests must be skipped for want of a program. On CI nothing is skipped: there they run, and fail. */
export function needs(program: string): boolean {
  if (process.env["CI"] === "true") return false;
  const missing = spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0;
  if (missing) process.stderr.write(`skipped: tests that need ${program}, which is not installed\n`);
  return missing;
}
