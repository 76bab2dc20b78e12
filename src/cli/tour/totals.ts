import type { Decision } from "../../model/decision.ts";
import { EVENTS } from "../../model/events.ts";
import type { Heard } from "../../model/heard.ts";

/** What a tour came to. */
export interface Totals {
  readonly events: number;
  readonly calls: number;
  readonly denied: number;
  readonly asked: number;
  readonly rewritten: number;
  readonly hookRuns: number;
  readonly faults: number;
  readonly hookMs: number;
}

/** Counts over all decisions and over the hooks that nobody waited for. */
export function totalsOf(decisions: readonly Decision[], detached: readonly Heard[]): Totals {
  const hooks = decisions.flatMap((decision) => decision.hooks).filter(({ ended }) => ended !== "skipped" && ended !== "detached");
  const times = [...hooks.map(({ durationMs }) => durationMs), ...detached.map(({ run }) => run.durationMs)];
  const faults = [...hooks.map(({ fault }) => fault), ...detached.map(({ outcome }) => outcome.fault)];
  return {
    events: decisions.length,
    calls: decisions.filter(({ event }) => EVENTS[event].gated).length,
    denied: decisions.filter(({ verdict }) => verdict === "deny").length,
    asked: decisions.filter(({ verdict }) => verdict === "ask").length,
    rewritten: decisions.filter(({ input, originalInput }) => JSON.stringify(input) !== JSON.stringify(originalInput)).length,
    hookRuns: times.length,
    faults: faults.filter((fault) => fault !== null).length,
    hookMs: Math.round(times.reduce((sum, time) => sum + time, 0)),
  };
}

/** The totals in one or two lines. */
export function totalsText({ events, calls, denied, asked, rewritten, hookRuns, faults, hookMs }: Totals): readonly string[] {
  return [
    `${events} events, ${calls} calls: ${denied} denied, ${asked} asked, ${rewritten} rewritten`,
    `${hookRuns} hook runs in ${hookMs} ms, ${faults} ${faults === 1 ? "fault" : "faults"}, each named`,
  ];
}
