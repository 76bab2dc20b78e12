/** The way of an event: match → run → interpret → gate → merge → apply. One line a stage, one file a stage. */
import type { Decision, GateReport } from "../model/decision.ts";
import type { HookEvent } from "../model/events.ts";
import { effectiveVerdict, unheard, type Heard } from "../model/heard.ts";
import type { Hook } from "../model/hook.ts";
import type { Notice } from "../model/notice.ts";
import { NO_OPINION } from "../model/outcome.ts";
import type { Rule } from "../model/rule.ts";
import { apply } from "./apply.ts";
import { Firing, type EngineRun } from "./firing.ts";
import { grant } from "./grant.ts";
import { hear } from "./hear.ts";
import { interpret } from "./interpret.ts";
import { meetsCondition, type ConditionTest } from "./match.ts";
import { merge, type Floor } from "./merge.ts";
import { noticesOf } from "./notices.ts";
import { planOf, type Group, type Plan } from "./plan.ts";
import type { Plans } from "./plans.ts";
import { schedule, type Hear, type Scheduled } from "./schedule.ts";

/** What `fire` needs: everything that could differ between two engines, made once for each. */
export interface FireContext {
  readonly plans: Plans;
  /** Rules and mode on the call as it stands; null where nothing is configured or the event has no call. */
  readonly judge: (event: HookEvent, learned: readonly Rule[] | undefined) => GateReport | null;
  readonly meets: ConditionTest;
  /** Whether a hook may run now; `once` hooks run once. */
  readonly admits: (hook: Hook) => boolean;
  readonly floors: (event: HookEvent, heard: readonly Heard[]) => readonly Floor[];
  readonly run: EngineRun;
  /** Ends all hooks, also those that nobody waits for. */
  readonly lifetime: AbortSignal;
  /** Notices about the configuration that concern this event. */
  readonly notices: (event: HookEvent) => readonly Notice[];
  readonly onDetached: (heard: Heard, event: HookEvent) => void;
  readonly onDecision: (decision: Decision, event: HookEvent) => void;
}

/** What one fire may bring along. */
export interface FireOptions {
  readonly signal?: AbortSignal;
  /** Rules that a session learned; keep the array to have it compiled once. */
  readonly learned?: readonly Rule[];
}

/** Fires one event. Rejects only when the caller cancels. It waits only where a hook makes it wait. */
export async function fire(given: HookEvent, engine: FireContext, { signal, learned }: FireOptions = NO_OPTIONS): Promise<Decision> {
  const firing = new Firing(engine.run, { lifetime: engine.lifetime, caller: signal });
  const dropped = new Map<Hook, readonly Notice[]>();
  try {
    const plan = admitted(engine.plans.planFor(given), given, engine);
    for (const chain of plan.detached) engine.run.background(runDetached(chain, given, { engine, firing: firing.detached() }));

    const early = schedule(plan.early, given, listener(firing, dropped));
    const first = early instanceof Promise ? await early : early;
    const gate = engine.judge(first.event, learned);
    const denied = gate?.verdict === "deny" || first.heard.some((each) => effectiveVerdict(each) === "deny");
    const late = denied ? skipped(plan.late, first.event) : schedule(plan.late, first.event, listener(firing, dropped));
    const second = late instanceof Promise ? await late : late;
    firing.throwIfAborted();

    const heard = inConfiguredOrder(plan, first.heard, second.heard);
    const odd = heard.flatMap((each) => [...(dropped.get(each.hook) ?? []), ...noticesOf(each)]);
    const notices = [...engine.notices(given), ...odd, ...first.notices, ...second.notices];
    const merged = merge({ given, event: second.event, heard, beforeGate: first.heard, gate, floors: engine.floors(given, heard), notices });
    const decision = apply(merged, second.event);
    engine.onDecision(decision, given);
    return decision;
  } finally {
    firing.end();
  }
}

const NO_OPTIONS: FireOptions = {};

/** Without the hooks whose condition this call does not meet, or that have run already. */
function admitted(plan: Plan, event: HookEvent, { meets, admits }: FireContext): Plan {
  if (!plan.choosy) return plan;
  const hooks = plan.hooks.filter((hook) => meetsCondition(hook, event, meets) && admits(hook));
  return hooks.length === plan.hooks.length ? plan : planOf(hooks);
}

function listener(firing: Firing, dropped: Map<Hook, readonly Notice[]>): Hear {
  const granted = (heard: Heard, event: HookEvent): Heard => {
    const { heard: left, notices } = grant(heard, event);
    if (notices.length > 0) dropped.set(heard.hook, notices);
    return left;
  };
  return (voice, event) => {
    const heard = hear(voice, event, { firing, interpret });
    return heard instanceof Promise ? heard.then((each) => granted(each, event)) : granted(heard, event);
  };
}

/** What a detached hook says has no effect; how it ended is told to whoever watches. */
async function runDetached(
  groups: readonly Group[],
  event: HookEvent,
  { engine, firing }: { readonly engine: FireContext; readonly firing: Firing },
): Promise<void> {
  await schedule(groups, event, async (voice, current) => {
    const heard = await hear(voice, current, { firing, interpret });
    engine.onDetached(heard, event);
    return { ...heard, outcome: NO_OPINION };
  });
  firing.end();
}

function skipped(groups: readonly Group[], event: HookEvent): Scheduled {
  const hooks = groups.flatMap(({ voices }) => voices.map(({ hook }) => hook));
  return { heard: hooks.map((hook) => unheard(hook, { kind: "skipped", why: "the call was denied before it" })), event, notices: [] };
}

function inConfiguredOrder({ hooks, inOrder }: Plan, first: readonly Heard[], second: readonly Heard[]): readonly Heard[] {
  if (inOrder) return second.length === 0 ? first : [...first, ...second];
  const byHook = new Map([...first, ...second].map((each) => [each.hook, each]));
  return hooks.map((hook) => byHook.get(hook) ?? unheard(hook, { kind: "detached" }));
}
