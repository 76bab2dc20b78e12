/** Looks at the machine's processes, to see what was left behind. */
import { readdirSync, readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";

/** A variable that marks everything started with it, also what left its process group. */
export function marker(): { readonly name: string; readonly value: string } {
  return { name: "SNAPHOOK_TEST_MARKER", value: randomUUID() };
}

/** The command lines of living processes that carry a marker in their environment. */
export function marked({ name, value }: { readonly name: string; readonly value: string }): readonly string[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${name}=${value}\0`)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()}`];
      } catch {
        return []; // it ended while we looked
      }
    });
}

/** Waits until a condition holds, and says whether it did in time. A look at a busy machine takes long, and is taken more seldom. */
export async function until(holds: () => boolean, withinMs = 5_000): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (;;) {
    const start = performance.now();
    if (holds()) return true;
    const now = performance.now();
    if (now > end) return false;
    await new Promise((resolve) => void setTimeout(resolve, Math.max(10, 4 * (now - start))));
  }
}
