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
  return matchSubject(registry.byEvent.get(event.name) ?? [], event).filter((hook) => meetsCondition(hook, event, meets));
}

/** Those of an event's hooks whose matcher lets its subject through. What the subject is, and nothing else of the event, decides. */
export function matchSubject(hooks: readonly Hook[], event: HookEvent): readonly Hook[] {
  const named = new Map<string, readonly string[]>();
  const namesFor = (dialect: string): readonly string[] => {
    const names = named.get(dialect) ?? subjects(event, dialectById(dialect));
    named.set(dialect, names);
    return names;
  };
  return hooks.filter((hook) => matches(hook, namesFor));
}

/** Whether the call meets the hook's condition; an event without a call has nothing to meet it with. */
export function meetsCondition({ condition }: Hook, event: HookEvent, meets: ConditionTest): boolean {
  return condition === null || event.tool === undefined || meets(condition, event);
}

function matches({ matcher, dialect }: Hook, namesFor: (dialect: string) => readonly string[]): boolean {
  if (matcher.kind === "all") return true;
  const names = namesFor(dialect);
  if (names.length === 0) return true; // the event has nothing to match against
  return matcher.kind === "names" ? matcher.names.some((name) => names.includes(name)) : names.some((name) => matcher.test(name));
}

/** Every name under which the dialect's matchers may know what the event is about. */
function subjects(event: HookEvent, dialect: Dialect | undefined): readonly string[] {
  if (event.tool && dialect) return matcherNames(event.tool, dialect);
  const subject = dialect?.matcher.on === "tool" ? undefined : subjectOf(event);
  return subject === undefined ? [] : [subject];
}
