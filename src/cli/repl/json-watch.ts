import type { SessionLine } from "../../session/lines.ts";
import type { Surface } from "../command.ts";

/** The lines of `snaphook run --json` [K1], and nothing else. */
export function jsonWatch({ stdout }: Pick<Surface, "stdout">): { readonly onLine: (line: SessionLine) => void; readonly onPrompt: (prompt: string) => void } {
  return { onLine: (line) => stdout(`${JSON.stringify(line)}\n`), onPrompt: () => {} };
}
