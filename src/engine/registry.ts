/** All hooks of a session, indexed by event; immutable. */
import { EVENTS, type EventName } from "../model/events.ts";
import type { Hook } from "../model/hook.ts";

/** The hooks, and which of them each event may concern. */
export interface Registry {
  readonly hooks: readonly Hook[];
  /** Hooks of each event in configured order. */
  readonly byEvent: ReadonlyMap<EventName, readonly Hook[]>;
}

/** Indexes hooks by every event they stand for. */
export function buildRegistry(hooks: readonly Hook[]): Registry {
  const byEvent = new Map<EventName, Hook[]>();
  for (const hook of hooks) {
    for (const name of hook.events) if (Object.hasOwn(EVENTS, name)) byEvent.set(name, [...(byEvent.get(name) ?? []), hook]);
  }
  return { hooks, byEvent };
}
