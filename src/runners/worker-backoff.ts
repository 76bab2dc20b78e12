/** When a worker that keeps failing may be started again. */

/** The first failure costs nothing; from the second in a row on, the wait doubles. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Counts failures in a row. */
export class Backoff {
  #failures = 0;
  #until = 0;
  #last = "";

  failed(why: string, now: number): void {
    this.#failures += 1;
    this.#last = why;
    this.#until = now + (this.#failures < 2 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (this.#failures - 2), LONGEST_WAIT_MS));
  }

  succeeded(): void {
    this.#failures = 0;
    this.#until = 0;
  }

  /** Why it may not be started now; undefined when it may. */
  refusal(now: number): string | undefined {
    if (now >= this.#until) return undefined;
    return `it failed ${this.#failures} times in a row (${this.#last}); it is started again in ${Math.ceil(this.#until - now)} ms`;
  }
}
