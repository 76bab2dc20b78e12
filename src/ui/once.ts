/** Codes that are good for one look: what a browser is started with stands in the list of processes, where other users read it. */
import { randomBytes } from "node:crypto";

/** How long a browser may take to come: a code that nobody used by then is nothing. */
const GOOD_MS = 120_000;

/** The codes of one server. */
export class OnceCodes {
  readonly #goodUntilMs = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A new code. */
  make(): string {
    const code = randomBytes(32).toString("base64url");
    this.#goodUntilMs.set(code, this.#now() + GOOD_MS);
    return code;
  }

  /** Whether a code is good; it is not any more afterwards. */
  use(code: string): boolean {
    const untilMs = this.#goodUntilMs.get(code);
    this.#goodUntilMs.delete(code);
    return untilMs !== undefined && this.#now() < untilMs;
  }
}
