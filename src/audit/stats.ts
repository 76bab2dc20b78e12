/** What a log adds up to: decisions by verdict and tool, and how hooks did. */
import { parseJson } from "../lib/json.ts";
import { hooksOf, toolWord, verdictOf } from "./filter.ts";
import { numberOf } from "./index-store.ts";
import { readLog } from "./read.ts";
import type { AuditRecord } from "./record.ts";
import type { SqlDatabase, SqlRow, SqlValue } from "./sqlite.ts";

/** How often each verdict was given; `none` is no opinion. */
export interface VerdictCounts {
  readonly allow: number;
  readonly ask: number;
  readonly deny: number;
  readonly none: number;
}

/** How one hook did; times are those of the runs that somebody waited for. */
export interface HookStats {
  readonly name: string;
  readonly runs: number;
  readonly faults: number;
  readonly denies: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** The numbers of a log. */
export interface AuditStats {
  readonly records: number;
  readonly sessions: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly verdicts: VerdictCounts;
  /** Calls that were about to be made, by tool, the most used first. */
  readonly tools: readonly ({ readonly tool: string } & VerdictCounts)[];
  /** Answers to questions, by who gave them. */
  readonly approvals: readonly { readonly approver: string; readonly verdict: string; readonly count: number }[];
  /** Every hook, the slowest (p95) first. */
  readonly hooks: readonly HookStats[];
}

const NO_COUNTS: VerdictCounts = { allow: 0, ask: 0, deny: 0, none: 0 };

/** The numbers of the records that a test lets through, by reading all of them. */
export function statsByReading(folder: string, test: (record: AuditRecord) => boolean): AuditStats {
  const sessions = new Set<string>();
  const tools = new Map<string, VerdictCounts>();
  const approvals = new Map<string, { approver: string; verdict: string; count: number }>();
  const hooks = new Map<string, { times: number[]; faults: number; denies: number }>();
  let [records, firstAt, lastAt, verdicts]: [number, string | null, string | null, VerdictCounts] = [0, null, null, NO_COUNTS];
  for (const { record } of readLog(folder)) {
    if (!test(record)) continue;
    records += 1;
    firstAt ??= record.at;
    lastAt = record.at;
    if (record.session !== undefined) sessions.add(record.session);
    const verdict = verdictOf(record) ?? "none";
    if (record.type === "decision") verdicts = { ...verdicts, [verdict]: verdicts[verdict] + 1 };
    if (record.type === "decision" && record.tool && record.gate) countTool(tools, toolWord(record.tool.name), verdict);
    if (record.type === "approval") countApproval(approvals, record.approver, verdict);
    for (const hook of hooksOf(record)) countHook(hooks, hook);
  }
  return {
    records,
    sessions: sessions.size,
    firstAt,
    lastAt,
    verdicts,
    tools: mostUsed([...tools].map(([tool, counts]) => ({ tool, ...counts }))),
    approvals: [...approvals.values()].toSorted((left, right) => right.count - left.count || left.approver.localeCompare(right.approver)),
    hooks: slowest([...hooks].filter(([, { times }]) => times.length > 0).map(([name, counted]) => hookStats(name, counted))),
  };
}

function countTool(tools: Map<string, VerdictCounts>, tool: string, verdict: keyof VerdictCounts): void {
  const counts = tools.get(tool) ?? NO_COUNTS;
  tools.set(tool, { ...counts, [verdict]: counts[verdict] + 1 });
}

function countApproval(approvals: Map<string, { approver: string; verdict: string; count: number }>, approver: string, verdict: string): void {
  const key = JSON.stringify([approver, verdict]);
  const known = approvals.get(key) ?? { approver, verdict, count: 0 };
  known.count += 1;
  approvals.set(key, known);
}

function countHook(hooks: Map<string, { times: number[]; faults: number; denies: number }>, hook: ReturnType<typeof hooksOf>[number]): void {
  if (hook.ended === "skipped" || hook.ended === "detached") return;
  const known = hooks.get(hook.name) ?? { times: [], faults: 0, denies: 0 };
  known.times.push(hook.durationMs);
  if (hook.fault) known.faults += 1;
  if (hook.verdict === "deny") known.denies += 1;
  hooks.set(hook.name, known);
}

function hookStats(name: string, { times, faults, denies }: { times: readonly number[]; faults: number; denies: number }): HookStats {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[rankOf(share, sorted.length)] ?? 0;
  return { name, runs: times.length, faults, denies, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

/** The nearest rank, from 0. */
export function rankOf(share: number, count: number): number {
  return Math.max(0, Math.ceil(share * count) - 1);
}

function mostUsed<T extends VerdictCounts & { readonly tool: string }>(tools: readonly T[]): readonly T[] {
  const sum = ({ allow, ask, deny, none }: VerdictCounts): number => allow + ask + deny + none;
  return tools.toSorted((left, right) => sum(right) - sum(left) || left.tool.localeCompare(right.tool));
}

function slowest(hooks: readonly HookStats[]): readonly HookStats[] {
  return hooks.toSorted((left, right) => right.p95Ms - left.p95Ms || left.name.localeCompare(right.name));
}

/** The same numbers from the index: one question for each, so that each finds its own way through it. */
export function statsByIndex(database: SqlDatabase, where: string, values: readonly SqlValue[]): AuditStats {
  const all = (sql: string): SqlRow[] => database.prepare(sql.replace("$", where)).all(...values);
  const one = (what: string): unknown => all(`SELECT ${what} AS value FROM records WHERE $`)[0]?.["value"];
  const verdicts = all("SELECT verdict, count(*) AS count FROM records WHERE type = 'decision' AND $ GROUP BY verdict");
  const tools = all("SELECT tool, verdict, count(*) AS count FROM records WHERE gated = 1 AND $ GROUP BY tool, verdict");
  const approvals = all(
    "SELECT approver, verdict, count(*) AS count FROM records WHERE approver IS NOT NULL AND $ GROUP BY approver, verdict ORDER BY count DESC, approver",
  );
  const toolNames = [...new Set(tools.map((row) => textOf(row["tool"])))];
  return {
    records: Number(one("count(*)") ?? 0),
    sessions: Number(one("count(DISTINCT session)") ?? 0),
    firstAt: timeOf(one("min(at)")),
    lastAt: timeOf(one("max(at)")),
    verdicts: countsOf(verdicts),
    tools: mostUsed(toolNames.map((tool) => ({ tool, ...countsOf(tools.filter((row) => row["tool"] === tool)) }))),
    approvals: approvals.map((row) => ({ approver: textOf(row["approver"]), verdict: textOf(row["verdict"]), count: numberOf(row, "count") })),
    hooks: slowest(where === "1" ? allHooks(database) : someHooks(database, where, values)),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "none";
}

function timeOf(value: unknown): string | null {
  return value === null || value === undefined ? null : new Date(Number(value)).toISOString();
}

function countsOf(rows: readonly SqlRow[]): VerdictCounts {
  const count = (verdict: string | null): number =>
    rows.filter((row) => (row["verdict"] ?? null) === verdict).reduce((sum, row) => sum + numberOf(row, "count"), 0);
  return { allow: count("allow"), ask: count("ask"), deny: count("deny"), none: count(null) };
}

/** Times are kept in order by the index: a rank is a step into it. */
function allHooks(database: SqlDatabase): readonly HookStats[] {
  const rows = database
    .prepare(
      "SELECT hook, count(*) AS runs, count(fault) AS faults, sum(verdict IS 'deny') AS denies, max(ms) AS longest FROM hooks WHERE ran = 1 GROUP BY hook",
    )
    .all();
  const ranked = database.prepare("SELECT ms FROM hooks WHERE hook = ? AND ran = 1 ORDER BY ms LIMIT 1 OFFSET ?");
  return rows.map((row) => {
    const name = String(row["hook"]);
    const runs = numberOf(row, "runs");
    const at = (share: number): number => numberOf(ranked.get(name, rankOf(share, runs)) ?? {}, "ms");
    return { name, runs, faults: numberOf(row, "faults"), denies: numberOf(row, "denies"), p50Ms: at(0.5), p95Ms: at(0.95), maxMs: numberOf(row, "longest") };
  });
}

/** The runs of some records only: they are gone through from the records, which is what CROSS says. */
function someHooks(database: SqlDatabase, where: string, values: readonly SqlValue[]): readonly HookStats[] {
  const rows = database
    .prepare(
      `SELECT hook, ${TIMES} AS times, count(fault) AS faults, sum(hooks.verdict IS 'deny') AS denies
      FROM (SELECT n FROM records WHERE ${where}) CROSS JOIN hooks ON hooks.record = n WHERE ran = 1 GROUP BY hook`,
    )
    .all(...values);
  return rows.map((row) => hookStats(String(row["hook"]), { times: timesOf(row), faults: numberOf(row, "faults"), denies: numberOf(row, "denies") }));
}

/** Times of a group as one text: a row for each would take four times as long to hand over. */
export const TIMES = "json_group_array(ms)";

/** Times that were handed over so. */
export function timesOf({ times }: SqlRow): number[] {
  const list = parseJson(String(times));
  return Array.isArray(list) ? list.map(Number) : [];
}
