/** Which hooks an event concerns. Pure: no clock, file, environment or log. */
import type { Dialect } from "../dialects/dialect.ts";
import { dialectById } from "../dialects/index.ts";
import { matcherNames } from "../dialects/spelling.ts";
import { subjectOf, type HookEvent } from "../model/events.ts";
import type { Hook } from "../model/hook.ts";
import type { Registry } from "./registry.ts";

/** Asks whether a call meets a hook's condition; what can't be known counts as met. */
export type ConditionTest = (condition: string, event: HookEvent) => boolean;

/** The hooks that an event concerns, in configured order. */
export function match(registry: Registry, event: HookEvent, meets: ConditionTest): readonly Hook[] {
  const hooks = registry.byEvent.get(event.name);
  if (!hooks) return [];
  return hooks.filter((hook) => matches(hook, event) && (hook.condition === null || event.tool === undefined || meets(hook.condition, event)));
}

function matches({ matcher, dialect }: Hook, event: HookEvent): boolean {
  if (matcher.kind === "all") return true;
  const names = subjects(event, dialectById(dialect));
  if (names.length === 0) return true; // the event has nothing to match against
  return matcher.kind === "names" ? matcher.names.some((name) => names.includes(name)) : names.some((name) => matcher.test(name));
}

function subjects(event: HookEvent, dialect: Dialect | undefined): readonly string[] {
  if (event.tool && dialect) return matcherNames(event.tool, dialect);
  const subject = dialect?.matcher.on === "tool" ? undefined : subjectOf(event);
  return subject === undefined ? [] : [subject];
}
