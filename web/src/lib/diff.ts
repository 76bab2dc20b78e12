/** Lines that were taken away, added or kept between two texts. */
export interface Change {
  readonly kind: "kept" | "added" | "removed";
  readonly text: string;
}

/** Lines beyond this are not compared one by one. */
const LIMIT = 400;

/** The shortest list of changes that leads from one text to the other. */
export function changes(before: string, after: string): readonly Change[] {
  const left = before.split("\n");
  const right = after.split("\n");
  if (left.length > LIMIT || right.length > LIMIT) {
    return [...left.map((text): Change => ({ kind: "removed", text })), ...right.map((text): Change => ({ kind: "added", text }))];
  }
  const common = commonLengths(left, right);
  const found: Change[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length || column < right.length) {
    const [one, other] = [left[row], right[column]];
    if (one !== undefined && one === other) {
      found.push({ kind: "kept", text: one });
      row += 1;
      column += 1;
    } else if (other === undefined || (one !== undefined && (common[row + 1]?.[column] ?? 0) >= (common[row]?.[column + 1] ?? 0))) {
      found.push({ kind: "removed", text: one ?? "" });
      row += 1;
    } else {
      found.push({ kind: "added", text: other });
      column += 1;
    }
  }
  return found;
}

/** How many lines the rests of both texts share, from each pair of places on. */
function commonLengths(left: readonly string[], right: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: left.length + 1 }, () => Array.from({ length: right.length + 1 }, () => 0));
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const line = table[row];
      if (!line) continue;
      line[column] = left[row] === right[column] ? (table[row + 1]?.[column + 1] ?? 0) + 1 : Math.max(table[row + 1]?.[column] ?? 0, line[column + 1] ?? 0);
    }
  }
  return table;
}
