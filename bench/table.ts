/** The one table, for a terminal and for a document. */
import { digits, timesText } from "./judge.ts";
import { machineText, type Report, type RowReport } from "./report.ts";
import type { Measured } from "./rounds.ts";
import type { Role } from "./row.ts";

const HEADINGS = ["what", "limit", "peers", "ours", "ratio", "goal", "result"] as const;
const RESULTS: { readonly [result in RowReport["result"]]: string } = { pass: "pass", short: "SHORT", missing: "-" };
const TEXT_WIDTH = 40;
const GAP = "  ";

/** The lines of one row: a cell may have several. */
type Cells = readonly (readonly string[])[];

/** As text, in columns. */
export function textTable({ machine, rows }: Report): string {
  const table: readonly Cells[] = [HEADINGS.map((heading) => [heading]), ...rows.map((row) => cellsOf(row))];
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((cells) => Math.max(...(cells[column] ?? []).map((line) => line.length)))));
  const lines = table.flatMap((cells) => {
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, column) => (cell[line] ?? "").padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    );
  });
  return [machineText(machine), "Medians of interleaved rounds; each side in a process of its own.", "", ...lines, "", summary(rows)].join("\n");
}

/** As Markdown. */
export function markdownTable(rows: readonly RowReport[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(HEADINGS),
    `|${"---|".repeat(HEADINGS.length)}`,
    ...rows.map((row) => line(cellsOf(row, Infinity).map((cell) => cell.join("<br>").replaceAll("|", "\\|")))),
  ].join("\n");
}

function cellsOf(row: RowReport, width: number = TEXT_WIDTH): Cells {
  const by = (role: Role): readonly string[] => row.contenders.filter((each) => each.role === role).flatMap((each) => timesOf(each, role, width));
  const none = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? ["-"] : lines);
  return [
    wrapped(row.what, width),
    none(by("limit")),
    none(by("peer")),
    by("ours"),
    [row.ratios ? `${row.ratios.map(digits).join(" / ")} ×` : "-"],
    row.goal.split(", ").map((goal, index, all) => (index < all.length - 1 ? `${goal},` : goal)),
    [RESULTS[row.result]],
  ];
}

function timesOf({ name, medians, missing }: Measured, role: Role, width: number): readonly string[] {
  if (medians) return [role === "ours" ? timesText(medians) : `${name} ${timesText(medians)}`];
  return wrapped(role === "ours" ? (missing ?? "-") : `${name}: ${missing ?? "-"}`, width);
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** How many rows reached their goal. */
export function summary(rows: readonly RowReport[]): string {
  const count = (result: RowReport["result"]): number => rows.filter((row) => row.result === result).length;
  const missing = count("missing");
  return `${count("pass")} pass, ${count("short")} short${missing === 0 ? "" : `, ${missing} not measured`}`;
}
