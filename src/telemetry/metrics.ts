/** Counters and histograms, added up until they are sent. */
import type { Decision } from "../model/decision.ts";
import { hasRun, type AttributeValue } from "./spans.ts";

/** Upper bounds of the histogram, in milliseconds. */
export const BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000];

type Attributes = { readonly [name: string]: AttributeValue };

/** How often something happened, by attributes. */
export interface Counted {
  readonly attributes: Attributes;
  count: number;
}

/** How long something took, by attributes. */
export interface Histogram {
  readonly attributes: Attributes;
  count: number;
  sum: number;
  min: number;
  max: number;
  readonly buckets: number[];
}

/** Attributes that may differ: beyond this many a metric takes no new ones. */
const SERIES_LIMIT = 2_000;

/** Decisions by verdict, and times of hooks, since the process began. */
export class Meter {
  readonly #decisions = new Map<string, Counted>();
  readonly #hooks = new Map<string, Histogram>();

  get decisions(): readonly Counted[] {
    return [...this.#decisions.values()];
  }

  get hooks(): readonly Histogram[] {
    return [...this.#hooks.values()];
  }

  add(decision: Decision): void {
    const counted = entry(this.#decisions, { "snaphook.event": decision.event, "snaphook.verdict": decision.verdict ?? "none" }, (attributes) => ({
      attributes,
      count: 0,
    }));
    if (counted) counted.count += 1;
    for (const { name, dialect, ended, fault, durationMs } of decision.hooks.filter(hasRun)) {
      const attributes = {
        "snaphook.hook": name.slice(0, 256),
        "snaphook.dialect": dialect,
        "snaphook.hook.ended": ended,
        "snaphook.fault": fault?.kind ?? "none",
      };
      const histogram = entry(this.#hooks, attributes, emptyHistogram);
      if (histogram) addTime(histogram, durationMs);
    }
  }
}

function entry<T>(series: Map<string, T>, attributes: Attributes, make: (attributes: Attributes) => T): T | undefined {
  const key = JSON.stringify(attributes);
  const known = series.get(key);
  if (known !== undefined || series.size >= SERIES_LIMIT) return known;
  const made = make(attributes);
  series.set(key, made);
  return made;
}

function emptyHistogram(attributes: Attributes): Histogram {
  return { attributes, count: 0, sum: 0, min: Infinity, max: -Infinity, buckets: Array.from({ length: BOUNDS_MS.length + 1 }, () => 0) };
}

function addTime(histogram: Histogram, milliseconds: number): void {
  const above = BOUNDS_MS.findIndex((bound) => milliseconds <= bound);
  const index = above < 0 ? BOUNDS_MS.length : above;
  histogram.count += 1;
  histogram.sum += milliseconds;
  histogram.min = Math.min(histogram.min, milliseconds);
  histogram.max = Math.max(histogram.max, milliseconds);
  histogram.buckets[index] = (histogram.buckets[index] ?? 0) + 1;
}
