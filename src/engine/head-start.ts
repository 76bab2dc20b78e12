/** Functions that say nothing, as most do at most events: called in their order, with nothing made for them that nobody reads. */
import { tellLater, type Waiter } from "../lib/later.ts";
import type { HookEvent } from "../model/events.ts";
import { CallOptions, answered, isThenable, overdue, SAID_NOTHING, threw, waitFor } from "../runners/callback.ts";
import type { RunnerResult } from "../runners/runner.ts";
import type { Firing } from "./firing.ts";
import type { Run } from "./hear.ts";
import type { FunctionVoice } from "./plan.ts";

/** How far the functions were called: until one said something. */
export interface HeadStart {
  /** How long each of the first took, which had nothing to say. */
  readonly silentMs: readonly number[];
  /** The next one's run, where it has something to say. */
  readonly next: Run | null;
}

/** Nobody was called. */
export const NOBODY_CALLED: HeadStart = { silentMs: [], next: null };

/**
 * Calls functions until one has something to say, and waits only for those that make us wait. One that takes longer than a turn of the event
 * loop gets a timer; the others need none.
 */
export class HeadStarter implements Waiter {
  readonly #voices: readonly FunctionVoice[];
  readonly #event: HookEvent;
  readonly #firing: Firing;
  readonly #silentMs: number[] = [];
  /** The end of one function is the start of the next, so that the clock is read once for each. */
  #startedMs: number;
  /** What the function gave that is waited for. */
  #answer: PromiseLike<unknown> | undefined;
  #options: CallOptions | undefined;
  #resolve: ((head: HeadStart) => void) | undefined;
  #told = false;
  #stopWatching: (() => void) | undefined;
  over = false;

  constructor(voices: readonly FunctionVoice[], event: HookEvent, firing: Firing) {
    this.#voices = voices;
    this.#event = event;
    this.#firing = firing;
    this.#startedMs = firing.run.now();
  }

  /** Calls functions as long as they answer nothing, and at once. Undefined: the last one must be waited for. */
  callOn(): HeadStart | undefined {
    for (;;) {
      const voice = this.#voices[this.#silentMs.length];
      if (!voice) return { silentMs: this.#silentMs, next: null };
      const input = voice.deaf ? undefined : this.#firing.payloads.inputFor(this.#event, voice);
      let answer: unknown;
      try {
        answer = voice.deaf ? voice.deaf() : voice.callback(input, this.#event.tool?.useId, (this.#options = new CallOptions(this.#firing)));
      } catch (error) {
        return this.#said(threw(error));
      }
      if (answer !== undefined) {
        if (!isThenable(answer)) return this.#said(answered(answer));
        const { hook, dialect } = voice;
        this.#answer = answer;
        if (dialect.order !== "parallel") return undefined;
        const options = this.#options ?? new CallOptions(this.#firing);
        return { silentMs: this.#silentMs, next: { ran: waitFor(answer, { hook, context: this.#firing, options }), startedMs: this.#startedMs } };
      }
      this.#wasSilent();
    }
  }

  /** Waits for the function that was called last, and goes on with the next ones. */
  waitOn(resolve: (head: HeadStart) => void): void {
    this.#resolve = resolve;
    // The same two for all of them: only one is waited for at a time.
    const heard = (value: unknown): void => this.#goOn(value === undefined ? SAID_NOTHING : answered(value), heard, failed);
    const failed = (error: unknown): void => this.#goOn(threw(error), heard, failed);
    this.#listen(heard, failed);
  }

  #listen(heard: (value: unknown) => void, failed: (error: unknown) => void): void {
    if (!this.#told) tellLater(this);
    this.#told = true;
    void Promise.resolve(this.#answer).then(heard, failed);
  }

  #goOn(result: RunnerResult, heard: (value: unknown) => void, failed: (error: unknown) => void): void {
    if (this.over) return;
    if (this.#stopWatching !== undefined) this.#stopWatching();
    let head: HeadStart | undefined;
    if (result === SAID_NOTHING) {
      this.#wasSilent();
      head = this.callOn();
      if (head === undefined) return this.#listen(heard, failed);
    } else head = this.#said(result);
    this.over = true;
    this.#resolve?.(head);
  }

  /** From now on it can be late, and the caller may cancel it. */
  stillWaiting(): void {
    this.#told = false;
    const hook = this.#voices[this.#silentMs.length]?.hook;
    if (!hook) return;
    const { signal, run } = this.#firing;
    const late = (): void => {
      this.over = true;
      this.#stopWatching?.();
      const ran = overdue(hook, this.#firing, this.#options);
      this.#resolve?.({ silentMs: this.#silentMs, next: { ran, startedMs: this.#startedMs } });
    };
    if (signal.aborted) return late();
    const timer = setTimeout(late, Math.max(0, hook.timeoutMs - (run.now() - this.#startedMs)));
    signal.addEventListener("abort", late, { once: true });
    this.#stopWatching = () => {
      this.#stopWatching = undefined;
      clearTimeout(timer);
      signal.removeEventListener("abort", late);
    };
  }

  #said(ran: RunnerResult): HeadStart {
    this.#options?.unlink();
    return { silentMs: this.#silentMs, next: { ran, startedMs: this.#startedMs } };
  }

  #wasSilent(): void {
    if (this.#options !== undefined) {
      this.#options.unlink();
      this.#options = undefined;
    }
    const endedMs = this.#firing.run.now();
    this.#silentMs.push(endedMs - this.#startedMs);
    this.#startedMs = endedMs;
  }
}
