/** The lines of two texts side by side: kept, taken away, added. */

/** One line of a difference. */
export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Texts that differ in more lines than this are shown whole, the old one above the new one. */
const LINE_LIMIT = 2_000;

/** The difference of two texts, line by line: the longest common lines stay. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old[old.length - 1 - end] === next[next.length - 1 - end]) end++;
  return [
    ...marked("same", old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    ...marked("same", old.slice(old.length - end)),
  ];
}

/** The changed lines with a few around them; `null` stands where unchanged lines were left out. */
export function withContext(lines: readonly DiffLine[], around: number): readonly (DiffLine | null)[] {
  const near = lines.map((_, index) => lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== "same"));
  return lines.flatMap((line, index) => (near[index] ? [line] : near[index - 1] || index === 0 ? [null] : []));
}

function middle(old: readonly string[], next: readonly string[]): readonly DiffLine[] {
  if (old.length === 0 || next.length === 0 || old.length > LINE_LIMIT || next.length > LINE_LIMIT) return [...marked("gone", old), ...marked("new", next)];
  const width = next.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = next.length - 1; column >= 0; column--) {
      const at = row * width + column;
      common[at] = old[row] === next[column] ? (common[at + width + 1] ?? 0) + 1 : Math.max(common[at + width] ?? 0, common[at + 1] ?? 0);
    }
  }
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length && column < next.length) {
    const at = row * width + column;
    if (old[row] === next[column]) lines.push({ kind: "same", text: old[row++] ?? "" });
    else if ((common[at + width] ?? 0) >= (common[at + 1] ?? 0)) {
      lines.push({ kind: "gone", text: old[row++] ?? "" });
      continue;
    } else {
      lines.push({ kind: "new", text: next[column++] ?? "" });
      continue;
    }
    column++;
  }
  return [...lines, ...marked("gone", old.slice(row)), ...marked("new", next.slice(column))];
}

function marked(kind: DiffLine["kind"], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
