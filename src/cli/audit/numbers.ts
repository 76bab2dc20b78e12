/** `snaphook audit stats`. */
import { stats } from "../../audit/query.ts";
import type { AuditStats, HookStats, VerdictCounts } from "../../audit/stats.ts";
import type { Surface, Words } from "../command.ts";
import { painter, type Paint } from "../render/colour.ts";
import { alignColumns } from "../render/columns.ts";
import { counted, oneLine, shorten } from "../render/text.ts";
import { durationText } from "../repl/numbers.ts";
import { VERDICT_LOOK } from "../why/words.ts";
import { filterOf } from "./filter-options.ts";
import { clockText, dayLine } from "./lines.ts";
import { progressOn } from "./progress.ts";
import { numberText } from "./search.ts";

/** Rows of a table. */
const ROWS = 10;

/** Decisions by verdict and tool, answers by approver, slowest and most failing hooks. */
export async function numbers(words: Words, surface: Surface, folder: string): Promise<number> {
  const progress = progressOn(surface);
  const found = await stats(folder, filterOf(words, Date.now()), { onProgress: progress.told, ...(words.flags["rebuild"] && { rebuild: true }) });
  progress.done();
  surface.stdout(words.flags["json"] ? `${JSON.stringify(found)}\n` : pageText(found, painter(surface.terminal.colour)));
  return 0;
}

function pageText(found: AuditStats, paint: Paint): string {
  const { records, sessions, firstAt, lastAt, verdicts, tools, approvals, hooks } = found;
  if (firstAt === null || lastAt === null) return "no records\n";
  const span = `${dayLine(firstAt)} ${clockText(firstAt)} to ${dayLine(lastAt)} ${clockText(lastAt)}`;
  const failing = hooks.filter(({ faults }) => faults > 0).toSorted((left, right) => right.faults - left.faults);
  const blocks = [
    [`  ${paint("bold", numberText(records))} records of ${counted(sessions, "session")}  ${paint("dim", span)}`, `  ${verdictText(verdicts, paint)}`],
    table(
      "Calls by tool",
      ["", "allow", "ask", "deny"],
      tools.slice(0, ROWS).map(({ tool, allow, ask, deny }) => [tool, allow, ask, deny].map(cell)),
      paint,
    ),
    table(
      "Answers",
      ["", "answer", "count"],
      approvals.slice(0, ROWS).map(({ approver, verdict, count }) => [shorten(oneLine(approver), NAME_WIDTH), verdict, numberText(count)]),
      paint,
    ),
    table("Slowest hooks", ["", "runs", "p50", "p95", "longest"], hooks.slice(0, ROWS).map(slowRow), paint),
    table("Most failing hooks", ["", "runs", "faults", "share"], failing.slice(0, ROWS).map(failingRow), paint),
  ];
  return ["", ...blocks.flatMap((block) => (block.length > 0 ? [...block, ""] : [])), ""].join("\n");
}

const NAME_WIDTH = 40;

function verdictText({ allow, ask, deny, none }: VerdictCounts, paint: Paint): string {
  const said = (
    [
      ["allow", allow],
      ["ask", ask],
      ["deny", deny],
    ] as const
  ).map(([verdict, count]) => `${paint(VERDICT_LOOK[verdict].colour, verdict)} ${numberText(count)}`);
  return [...said, `no opinion ${numberText(none)}`].join("   ");
}

function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[], paint: Paint): readonly string[] {
  if (rows.length === 0) return [];
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => (row[column] ?? "").length)));
  // Names stand left, numbers right.
  const aligned = (row: readonly string[]): readonly string[] => row.map((text, column) => (column === 0 ? text : text.padStart(widths[column] ?? 0)));
  const [head = "", ...lines] = alignColumns([aligned([title, ...heads.slice(1)]), ...rows.map(aligned)]);
  return [`  ${paint("bold", head)}`, ...lines.map((line) => `  ${line}`)];
}

function slowRow({ name, runs, p50Ms, p95Ms, maxMs }: HookStats): readonly string[] {
  return [shorten(oneLine(name), NAME_WIDTH), numberText(runs), durationText(p50Ms), durationText(p95Ms), durationText(maxMs)];
}

function failingRow({ name, runs, faults }: HookStats): readonly string[] {
  return [shorten(oneLine(name), NAME_WIDTH), numberText(runs), numberText(faults), `${Math.round((faults / runs) * 100)} %`];
}

function cell(value: string | number): string {
  return typeof value === "number" ? numberText(value) : value;
}
