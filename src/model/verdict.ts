/** Strictness is an order, written once: a later verdict is stricter and wins every merge. */
export const VERDICTS = ["allow", "ask", "deny"] as const;

/** What may happen to a call. Absent (null) means no opinion. */
export type Verdict = (typeof VERDICTS)[number];

/** The strictest of the verdicts present, or null when none has an opinion. */
export function strictest(verdicts: Iterable<Verdict | null | undefined>): Verdict | null {
  let rank = -1;
  for (const verdict of verdicts) if (verdict) rank = Math.max(rank, VERDICTS.indexOf(verdict));
  return VERDICTS[rank] ?? null;
}
