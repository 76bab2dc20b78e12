/** One event on its way: what its hooks share, each part made when a hook first needs it. */
import { linkSignals, type LinkedSignal } from "../lib/abort.ts";
import type { Lifetime } from "../lib/lifetime.ts";
import type { HookEvent } from "../model/events.ts";
import type { Hook } from "../model/hook.ts";
import type { RunResult } from "../model/run.ts";
import { Payloads } from "../runners/payload.ts";
import { plain, type CallContext, type RunContext, type RunnerResult } from "../runners/runner.ts";

/** What is the same at every event of an engine; the signal is each event's own. */
export type EngineRun = Omit<RunContext, "signal">;

/** The engine's own: ends all hooks. Its signal is asked for by the first hook that can be ended. */
export type EngineLifetime = Pick<Lifetime, "signal" | "throwIfAborted">;

/** What an event needs of its engine. */
export interface Surroundings {
  readonly run: EngineRun;
  readonly lifetime: EngineLifetime;
}

/** Lives from the first stage to the last. */
export class Firing implements CallContext {
  readonly run: EngineRun;
  readonly #lifetime: EngineLifetime;
  readonly #caller: AbortSignal | undefined;
  #payloads: Payloads | undefined;
  #link: LinkedSignal | undefined;
  /** When the event's time is used up. */
  readonly #untilMs: number;

  constructor({ run, lifetime }: Surroundings, caller: AbortSignal | undefined, payloads?: Payloads) {
    this.run = run;
    this.#lifetime = lifetime;
    this.#caller = caller;
    this.#payloads = payloads;
    this.#untilMs = run.eventTimeoutMs === null ? Infinity : run.now() + run.eventTimeoutMs;
  }

  /** The same event for hooks that nobody waits for: they see the same payloads, and end with the engine, not with the caller. */
  detached(): Firing {
    return new Firing({ run: { ...this.run, eventTimeoutMs: null }, lifetime: this.#lifetime }, undefined, this.payloads);
  }

  get payloads(): Payloads {
    return (this.#payloads ??= new Payloads(this.run.projectDir));
  }

  get callbacks(): RunContext["callbacks"] {
    return this.run.callbacks;
  }

  get vouch(): RunContext["vouch"] {
    return this.run.vouch;
  }

  /** Aborted with the engine's end, or by the caller. Without a caller it is the engine's own: whoever listens to it stops when the hook has ended. */
  get signal(): AbortSignal {
    return this.#caller ? this.#ownSignal : this.#lifetime.signal;
  }

  /** One that ends with the event, for those who may leave something on it. */
  get #ownSignal(): AbortSignal {
    return (this.#link ??= linkSignals(this.#lifetime.signal, ...(this.#caller ? [this.#caller] : []))).signal;
  }

  /** The same where only the caller counts: the engine ends its workers itself. */
  get callerSignal(): AbortSignal | undefined {
    return this.#caller && this.#ownSignal;
  }

  throwIfAborted(): void {
    this.#caller?.throwIfAborted();
    this.#lifetime.throwIfAborted();
  }

  /** The hook, with no more time than the event has left; null when that is used up. */
  inTime(hook: Hook): Hook | null {
    if (this.#untilMs === Infinity) return hook;
    const leftMs = Math.ceil(this.#untilMs - this.run.now());
    if (leftMs <= 0) return null;
    return leftMs < hook.timeoutMs ? { ...hook, timeoutMs: leftMs } : hook;
  }

  /** The end of a hook that had only what was left: when that was too little, it was not its own time that was used up. */
  withinEvent(ran: RunnerResult | Promise<RunnerResult>): RunnerResult | Promise<RunnerResult> {
    const named = (result: RunnerResult): RunnerResult => (isLate(result.result) ? this.ranOut() : result);
    return ran instanceof Promise ? ran.then(named) : named(ran);
  }

  /** The end of a hook for which the event had no time left. */
  ranOut(): RunnerResult {
    return plain({ kind: "timed-out", afterMs: this.run.eventTimeoutMs ?? 0, event: true });
  }

  /** All that a runner may need; one that is not ours gets a signal of the event's own. */
  contextAt({ cwd }: HookEvent, { ours }: { readonly ours: boolean }): RunContext {
    return { ...this.run, cwd: cwd ?? this.run.cwd, signal: ours ? this.signal : this.#ownSignal };
  }

  /** Nothing follows the caller's signal any more. */
  end(): void {
    this.#link?.unlink();
  }
}

function isLate(result: RunResult): boolean {
  return result.kind === "timed-out" || (result.kind === "failed" && result.fault === "timeout");
}
