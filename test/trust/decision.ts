/** What `fire` printed. */
export interface Decision {
  readonly verdict: string | null;
  readonly hooks: readonly { readonly name: string; readonly ended: string; readonly verdict: string | null }[];
  readonly notices: readonly { readonly kind: string; readonly message: string }[];
}

const NOTHING: Decision = { verdict: null, hooks: [], notices: [] };

/** Reads a printed decision; nothing where none was printed. */
export function decisionOf(out: string): Decision {
  if (out === "") return NOTHING;
  const decision: Decision = JSON.parse(out);
  return decision;
}
