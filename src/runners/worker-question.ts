import type { Hook } from "../model/hook.ts";
import type { RunnerResult } from "./runner.ts";

/** What a question is made from. */
interface Asking {
  readonly hook: Hook;
  /** The payload: a JSON object with at least one key. */
  readonly text: string;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: RunnerResult) => void;
  readonly cancel: (question: Question) => void;
}

/** One event on its way to a worker and back. It listens to the caller's signal itself: a closure for each would be garbage for each. */
export class Question {
  readonly hook: Hook;
  readonly text: string;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: RunnerResult) => void;
  readonly #cancel: (question: Question) => void;
  /** 0 while it waits to be asked. */
  id = 0;
  /** Until when it may wait to be asked; once it is asked, until when the answer must be there. */
  until = Infinity;
  /** Nobody waits for it any more: it was answered, or the caller cancelled. */
  closed = false;

  constructor({ hook, text, signal, resolve, cancel }: Asking) {
    this.hook = hook;
    this.text = text;
    this.signal = signal;
    this.resolve = resolve;
    this.#cancel = cancel;
  }

  /** Called when the signal is aborted. */
  handleEvent(): void {
    this.#cancel(this);
  }
}
