/** The known word closest to a misspelt one: for "did you mean". */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    const allowed = Math.max(1, Math.floor(candidate.length / 4));
    if (distance <= Math.min(allowed, 3) && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Words longer than this are not compared: the answer would be "no" anyway. */
const LIMIT_CHARACTERS = 64;

/** Letters put in, left out, replaced, or swapped with their neighbour. */
function editDistance(left: string, right: string): number {
  if (left.length > LIMIT_CHARACTERS || Math.abs(left.length - right.length) > 3) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[right.length] ?? Infinity;
}
