/** Has ours reached its goals? By what was measured in the same run. */
import type { Measured } from "./rounds.ts";
import type { Goal, Row } from "./row.ts";

/** `missing`: ours, or what it is compared with, could not be measured. */
export type Result = "pass" | "short" | "missing";

/** What a row came to. */
export interface Judgement {
  /** Ours against what its first goal compares it with, else against the limit; one for each point. */
  readonly ratios: readonly number[] | null;
  readonly ratioTo: string | null;
  readonly goal: string;
  readonly result: Result;
}

/** Judges a row by its goals. */
export function judge(row: Row, measured: readonly Measured[]): Judgement {
  const ours = timesOf(measured, row.ours.name);
  const first = row.goals.find((goal) => goal.kind === "times");
  const ratioTo = first?.of ?? row.limit?.name ?? null;
  const other = ratioTo === null ? null : timesOf(measured, ratioTo);
  const results = row.goals.map((goal) => reached(goal, { ours, limit: row.limit && timesOf(measured, row.limit.name), measured }));
  return {
    ratios: ours && other && ours.map((time, point) => time / (other[point] ?? Number.NaN)),
    ratioTo,
    goal: row.goals.map((goal) => wordsOf(goal)).join(", "),
    result: results.includes("missing") || results.length === 0 ? "missing" : results.includes("short") ? "short" : "pass",
  };
}

interface Scene {
  readonly ours: readonly number[] | null;
  readonly limit: readonly number[] | null;
  readonly measured: readonly Measured[];
}

function reached(goal: Goal, { ours, limit, measured }: Scene): Result {
  if (!ours) return "missing";
  switch (goal.kind) {
    case "times": {
      const other = timesOf(measured, goal.of);
      return other ? verdict(ours.every((time, point) => time <= at(goal.atMost, point) * (other[point] ?? 0))) : "missing";
    }
    case "within":
      return verdict(ours.every((time, point) => time <= at(goal.microseconds, point) * drift(goal, limit, point)));
    case "growth":
      return verdict((ours.at(-1) ?? Infinity) <= goal.atMost * (ours[0] ?? 0));
  }
}

/** How much slower the machine is than when the goal was set; never below 1. */
function drift({ limitThen }: Extract<Goal, { kind: "within" }>, limit: readonly number[] | null, point: number): number {
  const now = limit?.[point];
  return limitThen === undefined || now === undefined ? 1 : Math.max(1, now / at(limitThen, point));
}

function verdict(passes: boolean): Result {
  return passes ? "pass" : "short";
}

function timesOf(measured: readonly Measured[], name: string): readonly number[] | null {
  return measured.find((each) => each.name === name)?.medians ?? null;
}

/** One number for each point, or one for all. */
function at(values: readonly number[], point: number): number {
  return values[point] ?? values.at(-1) ?? Number.NaN;
}

function wordsOf(goal: Goal): string {
  switch (goal.kind) {
    case "times":
      return `≤ ${goal.atMost.join(" / ")} × ${goal.of}`;
    case "within":
      return `≤ ${timesText(goal.microseconds)}`;
    case "growth":
      return `growth ≤ ${goal.atMost} ×`;
  }
}

/** Times of several points: in one unit where that is readable, else each in its own. */
export function timesText(microseconds: readonly number[]): string {
  const most = Math.max(...microseconds);
  if (most > Math.min(...microseconds) * 100) return microseconds.map((time) => timesText([time])).join(" / ");
  const [unit, size] = most >= 1_000_000 ? ["s", 1_000_000] : most >= 1_000 ? ["ms", 1_000] : ["µs", 1];
  return `${microseconds.map((time) => digits(time / size)).join(" / ")} ${unit}`;
}

/** Three digits that count. */
export function digits(value: number): string {
  if (value >= 100) return value.toLocaleString("en", { maximumFractionDigits: 0 });
  return String(Number(value.toFixed(value >= 10 ? 1 : 2)));
}
