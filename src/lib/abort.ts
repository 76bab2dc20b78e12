/** Signals that follow others, and can stop following: `AbortSignal.any` keeps a trace of each in signals that live long. */
import { setMaxListeners } from "node:events";

/** A signal of one's own that is also aborted with its sources. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Stops following the sources; the signal stays as it is. */
  unlink(): void;
}

/** Follows the sources until it is unlinked. Any number may listen. */
export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const follow = (event: Event): void => controller.abort(event.target instanceof AbortSignal ? event.target.reason : undefined);
  for (const source of sources) {
    if (source.aborted) controller.abort(source.reason);
    else source.addEventListener("abort", follow, { once: true });
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => {
      for (const source of sources) source.removeEventListener("abort", follow);
    },
  };
}
