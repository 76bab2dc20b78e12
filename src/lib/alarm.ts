/** Node's timers wrap around above this and would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** One timer for many moments: it is set anew only for one that is earlier, and never keeps the process alive. */
export class Alarm {
  readonly #now: () => number;
  readonly #ring: (now: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Infinity;

  /** `ring` is told a time that is never before the moment it rings for, also where the clock stands still. */
  constructor(now: () => number, ring: (now: number) => void) {
    this.#now = now;
    this.#ring = ring;
  }

  /** It rings at this moment, or before it. Whoever is rung too early asks again. */
  by(moment: number): void {
    if (moment >= this.#at) return;
    clearTimeout(this.#timer);
    const now = this.#now();
    this.#at = Math.min(moment, now + LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#due(), Math.max(0, this.#at - now));
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#at = Infinity;
  }

  #due(): void {
    const now = Math.max(this.#now(), this.#at);
    this.#at = Infinity;
    this.#ring(now);
  }
}
