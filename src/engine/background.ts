/** Work that nobody waits for at the event, and that must not be lost at the end. */
export class Background {
  readonly #pending = new Set<Promise<unknown>>();

  /** Takes work over; what goes wrong in it is its own affair. */
  add(work: Promise<unknown>): void {
    const settled = work.catch(() => undefined).finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Resolves when nothing is left. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }
}
