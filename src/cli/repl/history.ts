/** Prompts of earlier sessions, kept for the arrow keys. */
import { appendFile, chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Prompts that are kept. */
export const HISTORY_LIMIT = 1_000;
/** A longer prompt is not kept. */
const PROMPT_LIMIT_CHARACTERS = 10_000;

/** The history of one user: a file that only they can read, one prompt a line. */
export class History {
  readonly #path: string;
  #entries: string[];

  private constructor(path: string, entries: string[]) {
    this.#path = path;
    this.#entries = entries;
  }

  /** Reads the file; one that can't be read is an empty history. */
  static async open(stateDir: string): Promise<History> {
    const path = join(stateDir, "snaphook", "history");
    const lines = (await readFile(path, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    const kept = lines.slice(-HISTORY_LIMIT);
    if (kept.length < lines.length) await writeFile(path, `${kept.join("\n")}\n`, { mode: 0o600 }).catch(() => undefined);
    return new History(path, kept.toReversed());
  }

  /** The newest first. */
  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Adds a prompt. A history that can't be written is no reason to stop. */
  async add(line: string): Promise<void> {
    if (line.trim() === "" || line === this.#entries[0] || line.length > PROMPT_LIMIT_CHARACTERS) return;
    this.#entries = [line, ...this.#entries].slice(0, HISTORY_LIMIT);
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await appendFile(this.#path, `${line}\n`, { mode: 0o600 });
      await chmod(this.#path, 0o600);
    } catch {
      return;
    }
  }
}
