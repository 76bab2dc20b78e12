/** One event on its way: what its hooks share, each part made when a hook first needs it. */
import { linkSignals, type LinkedSignal } from "../lib/abort.ts";
import type { HookEvent } from "../model/events.ts";
import { Payloads } from "../runners/payload.ts";
import type { CallContext, RunContext } from "../runners/runner.ts";

/** What is the same at every event of an engine; the signal is each event's own. */
export type EngineRun = Omit<RunContext, "signal">;

interface Surroundings {
  readonly lifetime: AbortSignal;
  readonly caller: AbortSignal | undefined;
  readonly payloads?: Payloads;
}

/** Lives from the first stage to the last. */
export class Firing implements CallContext {
  readonly run: EngineRun;
  readonly payloads: Payloads;
  readonly #lifetime: AbortSignal;
  readonly #caller: AbortSignal | undefined;
  #link: LinkedSignal | undefined;

  constructor(run: EngineRun, { lifetime, caller, payloads }: Surroundings) {
    this.run = run;
    this.payloads = payloads ?? new Payloads(run.projectDir);
    this.#lifetime = lifetime;
    this.#caller = caller;
  }

  /** The same event for hooks that nobody waits for: they see the same payloads, and end with the engine, not with the caller. */
  detached(): Firing {
    return new Firing(this.run, { lifetime: this.#lifetime, caller: undefined, payloads: this.payloads });
  }

  get callbacks(): RunContext["callbacks"] {
    return this.run.callbacks;
  }

  /** Aborted with the engine's end, or by the caller. */
  get signal(): AbortSignal {
    return (this.#link ??= linkSignals(this.#lifetime, ...(this.#caller ? [this.#caller] : []))).signal;
  }

  throwIfAborted(): void {
    this.#caller?.throwIfAborted();
    this.#lifetime.throwIfAborted();
  }

  /** All that a runner may need. */
  contextAt({ cwd }: HookEvent): RunContext {
    return { ...this.run, cwd: cwd ?? this.run.cwd, signal: this.signal };
  }

  /** Nothing follows the caller's signal any more. */
  end(): void {
    this.#link?.unlink();
  }
}
