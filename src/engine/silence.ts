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

  /** A report for each: how long it took is all that differs. Null: no time that shows. */
  reports(silentMs: readonly number[] | null): readonly HookReport[] {
    return silentMs?.some(isTold) ? this.#hooks.map((hook, index) => silentReport(hook, rounded(silentMs[index] ?? 0))) : this.#none;
  }
}

/** Whether a report, which tells microseconds, shows that it took time. */
export function isTold(milliseconds: number): boolean {
  return milliseconds >= LEAST_MS;
}

/** The least that is not rounded to nothing. */
const LEAST_MS = 0.0005;

function silentReport({ name, dialect, action, source }: Hook, durationMs: number): HookReport {
  return { name, dialect, type: action.type, source, ended: "returned", exitCode: null, signal: null, durationMs, verdict: null, reason: null, fault: null };
}
