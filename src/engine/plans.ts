/** The compiled registry: event → subject → plan, each worked out when it is first met, so that hooks which do not match cost nothing. */
import { matcherKey } from "../dialects/spelling.ts";
import { subjectOf, type EventName, type HookEvent } from "../model/events.ts";
import type { Hook } from "../model/hook.ts";
import { matchSubject } from "./match.ts";
import { planOf, type Plan } from "./plan.ts";
import type { Registry } from "./registry.ts";

/** Subjects that are remembered for each event: more than an agent has tools. */
const MOST_SUBJECTS = 500;
/** A longer subject is no name of a tool; it is matched each time. */
const SUBJECT_LIMIT_CHARACTERS = 200;

/** The plans of one registry. */
export class Plans {
  readonly #byEvent: Map<EventName, EventPlans>;

  constructor({ byEvent }: Registry) {
    this.#byEvent = new Map([...byEvent].map(([name, hooks]) => [name, eventPlans(name, hooks)]));
  }

  /** The plan for an event: every hook whose matcher lets it through. Conditions and `once` are not looked at. */
  planFor(event: HookEvent): Plan {
    const plans = this.#byEvent.get(event.name) ?? this.#withoutHooks(event.name);
    return plans.forAll ?? (event.tool ? planForTool(plans, event, event.tool.name) : planForSubject(plans, event));
  }

  #withoutHooks(name: EventName): EventPlans {
    const plans = eventPlans(name, []);
    this.#byEvent.set(name, plans);
    return plans;
  }
}

/** The plans of one event. */
interface EventPlans {
  readonly name: EventName;
  readonly hooks: readonly Hook[];
  /** The one plan where no hook has a matcher. */
  readonly forAll: Plan | null;
  readonly byTool: Map<string, Plan>;
  readonly bySubject: Map<string | undefined, Plan>;
}

function eventPlans(name: EventName, hooks: readonly Hook[]): EventPlans {
  const forAll = hooks.every(({ matcher }) => matcher.kind === "all") ? planOf(name, hooks) : null;
  return { name, hooks, forAll, byTool: new Map(), bySubject: new Map() };
}

/** By the tool's name alone, unless it stands for several tools: those are never kept under the bare name. */
function planForTool(plans: EventPlans, event: HookEvent, name: string): Plan {
  return plans.byTool.get(name) ?? remembered(plans, plans.byTool, event, event.tool ? matcherKey(event.tool) : name);
}

function planForSubject(plans: EventPlans, event: HookEvent): Plan {
  const subject = subjectOf(event);
  return plans.bySubject.get(subject) ?? remembered(plans, plans.bySubject, event, subject);
}

function remembered<Key extends string | undefined>({ name, hooks }: EventPlans, known: Map<Key, Plan>, event: HookEvent, key: Key): Plan {
  const found = known.get(key);
  if (found) return found;
  const plan = planOf(name, matchSubject(hooks, event));
  if (key !== undefined && key.length > SUBJECT_LIMIT_CHARACTERS) return plan;
  if (known.size >= MOST_SUBJECTS) known.clear();
  known.set(key, plan);
  return plan;
}
