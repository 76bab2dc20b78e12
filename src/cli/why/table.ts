/** Rows that stay on one line where the page is wide enough, and fold in an orderly way where it is not. */
import { alignColumns, widest } from "../render/columns.ts";
import { shorten, widthOf, wrap } from "../render/text.ts";

/** One row: its cells, the place that may go below one of them, and what always stands below. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly place: string;
  readonly below?: readonly string[];
}

/** How a table folds. */
export interface TableShape {
  readonly width: number;
  /** The column that is shortened when space is short. */
  readonly flexible: number;
  /** The column that the place goes below. */
  readonly under: number;
  /** Rows beyond this number are told by count. */
  readonly limitRows: number;
}

/** The flexible column is not cut below this width. */
const LEAST_COLUMNS = 20;
const GAP = 2;

/** The lines of a table. */
export function layTable(rows: readonly TableRow[], shape: TableShape): readonly string[] {
  const shown = rows.slice(0, shape.limitRows);
  const hidden = rows.length - shown.length;
  return [...layRows(shown, shape), ...(hidden > 0 ? [`\u22EE ${hidden} more`] : [])];
}

function layRows(rows: readonly TableRow[], { width, flexible, under }: TableShape): readonly string[] {
  const one = alignColumns(rows.map(({ cells, place }) => [...cells, place]));
  if (widest(one) <= width) return rows.flatMap(({ below }, index) => [one[index] ?? "", ...indented(below ?? [], margin(rows, under), width)]);
  const excess =
    widest(
      alignColumns(
        rows.map(({ cells, place }) => cells.map((cell, column) => (column === under && under !== flexible && widthOf(place) > widthOf(cell) ? place : cell))),
      ),
    ) - width;
  const natural = Math.max(0, ...rows.map(({ cells }) => widthOf(cells[flexible] ?? "")));
  const cut = Math.max(Math.min(natural, LEAST_COLUMNS), natural - Math.max(0, excess));
  const narrow = rows.map((row) => ({ ...row, cells: row.cells.map((cell, column) => (column === flexible ? shorten(cell, cut) : cell)) }));
  const lines = alignColumns(narrow.map(({ cells }) => cells));
  const column = margin(narrow, under);
  if (widest(lines) <= width) return narrow.flatMap(({ place, below }, index) => [lines[index] ?? "", ...indented([place, ...(below ?? [])], column, width)]);
  return stacked(rows, { width, flexible });
}

/** The last way: everything after the flexible column goes below it. */
function stacked(rows: readonly TableRow[], { width, flexible }: Pick<TableShape, "width" | "flexible">): readonly string[] {
  const column = margin(rows, flexible);
  return rows.flatMap(({ cells, place, below }) => {
    const head = cells.slice(0, flexible + 1).map((cell, index) => (index === flexible ? shorten(cell, width - column) : cell));
    return [
      alignColumns([head])[0] ?? "",
      ...indented(
        [
          cells
            .slice(flexible + 1)
            .filter((cell) => cell !== "")
            .join("  "),
          place,
          ...(below ?? []),
        ],
        column,
        width,
      ),
    ];
  });
}

/** Where a column begins. */
function margin(rows: readonly TableRow[], column: number): number {
  const widths = Array.from({ length: column }, (_, index) => Math.max(0, ...rows.map(({ cells }) => widthOf(cells[index] ?? ""))));
  return widths.reduce((sum, each) => sum + each + GAP, 0);
}

/** A text that would not fit behind the margin moves to the left. */
function indented(texts: readonly string[], column: number, width: number): readonly string[] {
  return texts
    .filter((text) => text !== "")
    .flatMap((text) => {
      const longest = Math.max(...wrap(text, 1).map(widthOf));
      const left = Math.max(0, Math.min(column, width - longest));
      return folded(text, width - left).map((line) => " ".repeat(left) + line);
    });
}

/** Parts that stand two blanks apart stay whole where they can. */
function folded(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of text.split("  ")) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + GAP + widthOf(part) <= width) lines[lines.length - 1] = `${last}  ${part}`;
    else lines.push(...wrap(part, width));
  }
  return lines;
}
