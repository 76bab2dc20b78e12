/** How long something lives: a signal for those who want to be told of the end, made when the first of them asks. */
import { setMaxListeners } from "node:events";

/** Ends once. Ending it when nobody listens costs nothing, which a signal's abort does not: it makes an error with a stack. */
export class Lifetime {
  #controller: AbortController | undefined;
  #ended = false;

  /** Aborted with the end. Any number may listen. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      setMaxListeners(0, this.#controller.signal);
      if (this.#ended) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  throwIfAborted(): void {
    if (this.#ended) this.signal.throwIfAborted();
  }

  end(): void {
    this.#ended = true;
    this.#controller?.abort();
  }
}
