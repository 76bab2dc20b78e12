import { pad, widthOf } from "./text.ts";

/** Lines of cells aligned in columns, two blanks apart; the last cell of a line is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) => Math.max(0, ...rows.map((row) => widthOf(row[column] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : pad(cell, widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

/** How wide the widest line of aligned rows is. */
export function widest(lines: readonly string[]): number {
  return Math.max(0, ...lines.map(widthOf));
}
