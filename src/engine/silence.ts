/** Reports of functions that had nothing to say. */
import type { HookReport } from "../model/decision.ts";
import type { Hook } from "../model/hook.ts";
import { rounded } from "../lib/time.ts";

/** The reports of one plan's functions. Most take no time that the report shows: those reports are made once, and frozen. */
export class Silence {
  readonly #hooks: readonly Hook[];
  readonly #none: readonly HookReport[];

  constructor(hooks: readonly Hook[]) {
    this.#hooks = hooks;
    this.#none = Object.freeze(hooks.map((hook) => Object.freeze(silentReport(hook, 0))));
  }

  /** A report for each: how long it took is all that differs. */
  reports(silentMs: readonly number[]): readonly HookReport[] {
    for (const ms of silentMs) if (rounded(ms) !== 0) return this.#timed(silentMs);
    return this.#none;
  }

  #timed(silentMs: readonly number[]): readonly HookReport[] {
    return this.#hooks.map((hook, index) => silentReport(hook, rounded(silentMs[index] ?? 0)));
  }
}

function silentReport({ name, dialect, action, source }: Hook, durationMs: number): HookReport {
  return { name, dialect, type: action.type, source, ended: "returned", exitCode: null, signal: null, durationMs, verdict: null, reason: null, fault: null };
}
