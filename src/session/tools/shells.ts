import { ShellRun } from "./shell-run.ts";

/** Commands that may run in the background at once. */
export const SHELLS_LIMIT = 32;

const KEY = "shells";

/** The commands of a session that run on after their call; they end with the session. */
export class Shells {
  readonly #runs = new Map<string, ShellRun>();
  readonly #leftBehind = new Set<ShellRun>();
  #last = 0;

  /** Takes a run in; gives its id. */
  add(run: ShellRun): string {
    const id = `bash_${++this.#last}`;
    this.#runs.set(id, run);
    return id;
  }

  /** Whether as many run as may. */
  get full(): boolean {
    return [...this.#runs.values()].filter((run) => run.end === undefined).length >= SHELLS_LIMIT;
  }

  find(id: string): ShellRun | undefined {
    return this.#runs.get(id);
  }

  get ids(): readonly string[] {
    return [...this.#runs.keys()];
  }

  /** Remembers what a finished command started without its output, so that it ends with the session too. */
  leave(run: ShellRun): void {
    for (const earlier of this.#leftBehind) if (!earlier.lingers) this.#leftBehind.delete(earlier);
    if (run.lingers) this.#leftBehind.add(run);
  }

  async remove(id: string): Promise<void> {
    await this.#runs.get(id)?.kill();
    this.#runs.delete(id);
  }

  async end(): Promise<void> {
    const runs = [...this.#runs.values(), ...this.#leftBehind];
    this.#runs.clear();
    this.#leftBehind.clear();
    await Promise.all(runs.map((run) => run.kill()));
  }
}

/** The shells of a session. */
export function shellsOf(memory: Map<string, unknown>): Shells {
  const known = memory.get(KEY);
  if (known instanceof Shells) return known;
  const shells = new Shells();
  memory.set(KEY, shells);
  return shells;
}

/** Ends whatever the tools of a session still run. */
export async function disposeTools(memory: Map<string, unknown>): Promise<void> {
  const known = memory.get(KEY);
  if (known instanceof Shells) await known.end();
}
