/** Functions that say nothing, as most do at most events: called in their order, with nothing made for them that nobody reads. */
import { isThenable } from "../lib/function.ts";
import { tellLater, type Waiter } from "../lib/later.ts";
import type { HookEvent } from "../model/events.ts";
import { CallOptions, answered, overdue, SAID_NOTHING, threw, waitFor } from "../runners/callback.ts";
import type { RunnerResult } from "../runners/runner.ts";
import { Firing, type Surroundings } from "./firing.ts";
import type { Run } from "./hear.ts";
import type { FunctionVoice } from "./plan.ts";
import { isTold } from "./silence.ts";

/** How far the functions were called: until one said something. */
export interface HeadStart {
  /** So many had nothing to say. */
  readonly silent: number;
  /** How long each of these took; null where no report would show it. */
  readonly silentMs: readonly number[] | null;
  /** The next one's run, where it has something to say. */
  readonly next: Run | null;
}

/** Nobody was called. */
export const NOBODY_CALLED: HeadStart = { silent: 0, silentMs: null, next: null };

/**
 * Calls functions until one has something to say, and waits only for those that make us wait. One that takes longer than a turn of the event
 * loop gets a timer; the others need none.
 */
export class HeadStarter implements HeadStart, Waiter {
  silent = 0;
  silentMs: number[] | null = null;
  next: Run | null = null;
  /** Nobody is waited for any more. */
  over = false;
  readonly #voices: readonly FunctionVoice[];
  readonly #event: HookEvent;
  readonly #around: Surroundings;
  readonly #caller: AbortSignal | undefined;
  /** The end of one function is the start of the next, so that the clock is read once for each. */
  #startedMs: number;
  #firing: Firing | undefined;
  #options: CallOptions | undefined;
  #finish: (() => void) | undefined;
  #stopWatching: (() => void) | undefined;

  constructor(voices: readonly FunctionVoice[], event: HookEvent, around: Surroundings, caller: AbortSignal | undefined, startedMs = around.run.now()) {
    this.#voices = voices;
    this.#event = event;
    this.#around = around;
    this.#caller = caller;
    this.#startedMs = startedMs;
  }

  /** What the functions share; functions that see nothing and answer soon need none of it. */
  get firing(): Firing {
    return (this.#firing ??= new Firing(this.#around, this.#caller));
  }

  /** Calls functions as long as they answer nothing, and at once. An answer that must be waited for; undefined: that was all. */
  callOn(): PromiseLike<unknown> | undefined {
    for (;;) {
      const voice = this.#voices[this.silent];
      if (voice === undefined) return undefined;
      let answer: unknown;
      try {
        answer = voice.deaf === null ? this.#call(voice) : voice.deaf();
      } catch (error) {
        return this.#said(threw(error));
      }
      if (answer !== undefined) {
        if (!isThenable(answer)) return this.#said(answered(answer));
        return voice.dialect.order === "parallel" ? this.#waitBeside(voice, answer) : answer;
      }
      this.#lap();
    }
  }

  /** Whoever makes us wait longer than this turn is watched, and `finish` is called when nobody waits for it any longer. */
  wait(finish: () => void): void {
    this.#finish = finish;
    tellLater(this);
  }

  /** The function that was waited for answered: calls the next ones where it had nothing to say. */
  heard(value: unknown): PromiseLike<unknown> | undefined {
    this.#unwatch();
    const result = value === undefined ? SAID_NOTHING : answered(value);
    if (result !== SAID_NOTHING) return this.#said(result);
    this.#lap();
    return this.callOn();
  }

  /** The function that was waited for failed. */
  failed(error: unknown): void {
    this.#unwatch();
    this.#said(threw(error));
  }

  /** From now on it can be late, and the caller may cancel it. */
  stillWaiting(): void {
    const hook = this.#voices[this.silent]?.hook;
    if (!hook) return;
    const { signal, run } = this.firing;
    const late = (): void => {
      this.over = true;
      this.#stopWatching?.();
      this.next = { ran: overdue(hook, this.firing, this.#options), startedMs: this.#startedMs };
      this.#finish?.();
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

  /** Nothing follows the caller's signal any more. Throws where the event was ended by the caller or with the engine. */
  end(): void {
    if (this.#firing !== undefined) this.#firing.end();
    if (this.#caller !== undefined) this.#caller.throwIfAborted();
    this.#around.lifetime.throwIfAborted();
  }

  #call(voice: FunctionVoice): unknown {
    const { firing } = this;
    return voice.callback(firing.payloads.inputFor(this.#event, voice), this.#event.tool?.useId, (this.#options = new CallOptions(firing)));
  }

  /** It was watched, so it is on nobody's list any more; the next one is. */
  #unwatch(): void {
    if (this.#stopWatching === undefined) return;
    this.#stopWatching();
    tellLater(this);
  }

  #waitBeside({ hook }: FunctionVoice, answer: PromiseLike<unknown>): undefined {
    const ran = waitFor(answer, { hook, context: this.firing, options: this.#options ?? new CallOptions(this.firing) });
    this.next = { ran, startedMs: this.#startedMs };
  }

  #said(ran: RunnerResult): undefined {
    this.#options?.unlink();
    this.next = { ran, startedMs: this.#startedMs };
  }

  /** It had nothing to say. */
  #lap(): void {
    if (this.#options !== undefined) {
      this.#options.unlink();
      this.#options = undefined;
    }
    const endedMs = this.#around.run.now();
    this.silentMs = withLap(this.silentMs, this.silent, endedMs - this.#startedMs);
    this.silent += 1;
    this.#startedMs = endedMs;
  }
}

/** How long functions took, with the next one, before which there were so many; null where no report would show it. */
export function withLap(silentMs: number[] | null, before: number, tookMs: number): number[] | null {
  if (silentMs === null) return isTold(tookMs) ? [...Array.from({ length: before }, () => 0), tookMs] : null;
  silentMs.push(tookMs);
  return silentMs;
}
