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
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        if (!environment.includes(`${name}=${value}`)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()}`];
      } catch {
        return []; // it ended while we looked
      }
    });
}

/** Waits until a condition holds, and says whether it did in time. */
export async function until(holds: () => boolean, withinMs = 5_000): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
  return true;
}
