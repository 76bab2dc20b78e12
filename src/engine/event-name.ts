/** The canonical event that a name means: itself, or what the dialects at hand mean by it [E1, E2]. */
import type { Dialect, DialectEvent } from "../dialects/dialect.ts";
import { lookup } from "../lib/json.ts";
import { nearest } from "../lib/nearest.ts";
import { SnaphookError } from "../model/errors.ts";
import { EVENTS, type EventName } from "../model/events.ts";

/** Finds the event; `failed` tells which one is meant where a wire event covers success and failure. */
export function eventNamed(name: string, { dialects, failed }: { readonly dialects: readonly Dialect[]; readonly failed: boolean }): EventName {
  const canonical = canonicalEvent(name);
  if (canonical) return canonical;
  const rows = dialects.flatMap((dialect) => {
    const row = lookup<DialectEvent>(dialect.events, name);
    return row ? [{ dialect, event: row.is[failed ? row.is.length - 1 : 0] ?? row.is[0] }] : [];
  });
  const meanings = [...new Set(rows.map((row) => row.event))];
  const [only] = meanings;
  if (only && meanings.length === 1) return only;
  if (only) {
    const titles = (event: EventName): string => rows.flatMap((row) => (row.event === event ? [row.dialect.title] : [])).join(", ");
    const listed = meanings.map((event) => `${event} in ${titles(event)}`);
    throw new SnaphookError("SNAP_AMBIGUOUS_EVENT", { name, meanings: listed.join(", ") });
  }
  const meant = nearest(name, [...Object.keys(EVENTS), ...dialects.flatMap((dialect) => Object.keys(dialect.events))]);
  throw new SnaphookError("SNAP_UNKNOWN_EVENT", { name, hint: meant === undefined ? "." : `, did you mean "${meant}"?` });
}

function canonicalEvent(name: string): EventName | undefined {
  return Object.keys(EVENTS).find((each): each is EventName => each === name);
}
