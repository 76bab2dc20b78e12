/** The way of an event: match → run → interpret → gate → merge → apply. One line a stage, one file a stage. */
import { tellLater } from "../lib/later.ts";
import type { Decision, GateReport, HookReport } from "../model/decision.ts";
import type { HookEvent } from "../model/events.ts";
import { effectiveVerdict, unheard, type Heard } from "../model/heard.ts";
import type { Hook } from "../model/hook.ts";
import type { Notice } from "../model/notice.ts";
import { NO_OPINION } from "../model/outcome.ts";
import type { Rule } from "../model/rule.ts";
import { follow } from "../runners/callback.ts";
import { apply } from "./apply.ts";
import { Firing, type EngineLifetime, type EngineRun } from "./firing.ts";
import { grant } from "./grant.ts";
import { HeadStarter, NOBODY_CALLED, withLap, type HeadStart } from "./head-start.ts";
import { hear, hearOut, silent, type Hearing, type Run } from "./hear.ts";
import { interpret } from "./interpret.ts";
import { meetsCondition, type ConditionTest } from "./match.ts";
import { merge, mergeSilence } from "./merge.ts";
import { noticesOf } from "./notices.ts";
import { planOf, type Group, type Plan } from "./plan.ts";
import type { Plans } from "./plans.ts";
import { schedule, type Hear, type Scheduled } from "./schedule.ts";
import { spill, type SpillOptions } from "./spill.ts";
import type { Standing } from "./standing.ts";
import { tame } from "./tame.ts";
import type { Voice } from "./words.ts";

/** What `fire` needs: everything that could differ between two engines, made once for each. */
export interface FireContext {
  readonly plans: Plans;
  /** Rules and mode on the call as it stands; null where nothing is configured or the event has no call. */
  readonly judge: (event: HookEvent, learned: readonly Rule[] | undefined) => GateReport | null;
  readonly meets: ConditionTest;
  /** Whether a hook may run now; `once` hooks run once. */
  readonly admits: (hook: Hook) => boolean;
  /** What the configuration adds to every decision. */
  readonly standing: Pick<Standing, "guardMissing" | "floors" | "notices">;
  readonly run: EngineRun;
  /** Where context goes that is too large for a model; null: it is handed on whole. */
  readonly spill: SpillOptions | null;
  /** Ends all hooks, also those that nobody waits for. */
  readonly lifetime: EngineLifetime;
  readonly onDetached: (heard: Heard, event: HookEvent) => void;
  readonly onDecision: ((decision: Decision, event: HookEvent) => void) | null;
}

/** What one fire may bring along. */
export interface FireOptions {
  readonly signal?: AbortSignal;
  /** Rules that a session learned; keep the array to have it compiled once. */
  readonly learned?: readonly Rule[];
}

/** Fires one event. Rejects only when the caller cancels. What can be decided at once is not waited for. */
export function fire(given: HookEvent, engine: FireContext, options: FireOptions = NO_OPTIONS): Promise<Decision> {
  try {
    const plan = admitted(engine.plans.planFor(given), given, engine);
    const isQuiet = plan.hooks.length === 0 && !engine.standing.guardMissing(given);
    return isQuiet ? Promise.resolve(told(decideAlone(given, plan, NONE, engine, options), given, engine)) : ask(given, plan, engine, options);
  } catch (error) {
    return Promise.reject(error);
  }
}

function told(decision: Decision, given: HookEvent, { onDecision }: FireContext): Decision {
  onDecision?.(decision, given);
  return decision;
}

/** The short way: no hook has anything to say, and what the gate says is the decision. Only parameters, no objects: it is taken most often. */
function decideAlone(given: HookEvent, plan: Plan, reports: readonly HookReport[], engine: FireContext, { signal, learned }: FireOptions): Decision {
  const gate = engine.judge(given, learned);
  if (signal) signal.throwIfAborted();
  const decision = mergeSilence(given, gate, reports, engine.standing.notices(given));
  return plan.tellsResult || decision.verdict === "deny" ? apply(decision, given) : decision;
}

/** Where there are only functions, they are called first: when all of them have nothing to say, the way is short. One promise, however many wait. */
function ask(given: HookEvent, plan: Plan, engine: FireContext, options: FireOptions): Promise<Decision> {
  // Where the event has a time, each function gets what is left of it: that is looked at on the long way.
  const { runners, eventTimeoutMs } = engine.run;
  if (plan.functions === null || runners.callback || eventTimeoutMs !== null)
    return hearAll(given, NOBODY_CALLED, { plan, engine, firing: new Firing(engine, options.signal), options });
  if (plan.chain !== null && !engine.standing.guardMissing(given)) return askChain(plan.chain, given, plan, engine, options);
  const asking = new HeadStarter(plan.functions, given, engine, options.signal);
  const answer = asking.callOn();
  if (answer === undefined) return Promise.resolve(goOn(asking, given, plan, engine, options));
  return new Promise((resolve, reject) => {
    const { heard, failed } = earsOf(asking, (head) => goOn(head, given, plan, engine, options), { resolve, reject });
    follow(answer, heard, failed);
  });
}

/** The same for functions that see nothing and promise an answer: as long as they have none, all that is kept of them is a few variables. */
function askChain(chain: NonNullable<Plan["chain"]>, given: HookEvent, plan: Plan, engine: FireContext, options: FireOptions): Promise<Decision> {
  return new Promise((resolve, reject) => {
    let quiet = 0;
    let silentMs: number[] | null = null;
    let startedMs = engine.run.now();
    let ears: Ears | null = null;
    const goTheUsualWay = (): Ears => {
      waiter.over = true;
      if (ears !== null) return ears;
      const asking = new HeadStarter(plan.functions ?? NONE, given, engine, options.signal, startedMs);
      asking.silent = quiet;
      asking.silentMs = silentMs;
      return (ears = earsOf(asking, (head) => goOn(head, given, plan, engine, options), { resolve, reject }));
    };
    const waiter = { over: false, stillWaiting: (): void => void goTheUsualWay() };
    const heard = (value: unknown): void => {
      if (value !== undefined || ears !== null) return goTheUsualWay().heard(value);
      const endedMs = engine.run.now();
      silentMs = withLap(silentMs, quiet, endedMs - startedMs);
      startedMs = endedMs;
      quiet += 1;
      const next = chain[quiet];
      if (next !== undefined) return void next().then(heard, failed);
      waiter.over = true;
      let decision: Decision;
      try {
        engine.lifetime.throwIfAborted();
        decision = told(decideAlone(given, plan, plan.silence?.reports(silentMs) ?? NONE, engine, options), given, engine);
      } catch (error) {
        return reject(error);
      }
      resolve(decision);
    };
    const failed = (error: unknown): void => goTheUsualWay().failed(error);
    tellLater(waiter);
    void chain[0]?.().then(heard, failed);
  });
}

/** The two ends of a promise. */
interface Settling {
  readonly resolve: (decision: Decision | Promise<Decision>) => void;
  readonly reject: (error: unknown) => void;
}

/** Who hears the answer that is waited for. */
interface Ears {
  readonly heard: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** The same two for all functions of an event: only one is waited for at a time. */
function earsOf(asking: HeadStarter, go: (asking: HeadStarter) => Decision | Promise<Decision>, promise: Settling): Ears {
  const finish = (): void => {
    asking.over = true;
    try {
      promise.resolve(go(asking));
    } catch (error) {
      promise.reject(error);
    }
  };
  const heard = (value: unknown): void => {
    if (asking.over) return;
    const next = asking.heard(value);
    if (next !== undefined) follow(next, heard, failed);
    else finish();
  };
  const failed = (error: unknown): void => {
    if (asking.over) return;
    asking.failed(error);
    finish();
  };
  asking.wait(finish);
  return { heard, failed };
}

/** After the functions were called: the rest of the long way, or of the short one. Only parameters, as before. */
function goOn(asking: HeadStarter, given: HookEvent, plan: Plan, engine: FireContext, options: FireOptions): Decision | Promise<Decision> {
  if (!plan.silence || asking.silent < plan.hooks.length || engine.standing.guardMissing(given))
    return hearAll(given, asking, { plan, engine, firing: asking.firing, options });
  asking.end();
  return told(decideAlone(given, plan, plan.silence.reports(asking.silentMs), engine, options), given, engine);
}

interface Way {
  readonly plan: Plan;
  readonly engine: FireContext;
  readonly firing: Firing;
  readonly options: FireOptions;
}

/** The whole way, stage by stage. */
async function hearAll(given: HookEvent, head: HeadStart, { plan, engine, firing, options }: Way): Promise<Decision> {
  try {
    const listener = new Listener(firing, calledAlready(plan, head), engine.spill);
    for (const chain of plan.detached) engine.run.background(runDetached(chain, given, { engine, firing: firing.detached() }));

    const early = schedule(plan.early, given, listener);
    const first = early instanceof Promise ? await early : early;
    const gate = engine.judge(first.event, options.learned);
    const denied = gate?.verdict === "deny" || first.heard.some((each) => effectiveVerdict(each) === "deny");
    const late = denied ? skipped(plan.late, first.event) : schedule(plan.late, first.event, listener);
    const second = late instanceof Promise ? await late : late;
    firing.throwIfAborted();

    const heard = inConfiguredOrder(plan.hooks, first.heard, second.heard);
    const odd = heard.map((each) => joined(listener.dropped.get(each.hook) ?? NONE, noticesOf(each)));
    const notices = joined(engine.standing.notices(given), ...odd, first.notices, second.notices);
    const decision = merge({ given, event: second.event, heard, beforeGate: first.heard, gate, floors: engine.standing.floors(given, heard), notices });
    return told(apply(decision, second.event), given, engine);
  } finally {
    firing.end();
  }
}

const NO_OPTIONS: FireOptions = {};
const NONE: readonly never[] = Object.freeze([]);

/** Without the hooks whose condition this call does not meet, or that have run already. */
function admitted(plan: Plan, event: HookEvent, { meets, admits }: FireContext): Plan {
  if (!plan.choosy) return plan;
  const hooks = plan.hooks.filter((hook) => meetsCondition(hook, event, meets) && admits(hook));
  return hooks.length === plan.hooks.length ? plan : planOf(event.name, hooks);
}

/** Hears the hooks of one event, and remembers what it did not permit them. Those of the head start have been called already. */
class Listener implements Hear, Hearing {
  readonly firing: Firing;
  readonly interpret = interpret;
  readonly #called: ReadonlyMap<Hook, Heard | Run>;
  readonly #spill: SpillOptions | null;
  #dropped: Map<Hook, readonly Notice[]> | undefined;

  constructor(firing: Firing, called: ReadonlyMap<Hook, Heard | Run>, spilling: SpillOptions | null) {
    this.firing = firing;
    this.#called = called;
    this.#spill = spilling;
  }

  /** What hooks asked for and did not get. */
  get dropped(): ReadonlyMap<Hook, readonly Notice[]> {
    return this.#dropped ?? NOTHING_DROPPED;
  }

  hear(voice: Voice, event: HookEvent): Heard | Promise<Heard> {
    const called = this.#called.size === 0 ? undefined : this.#called.get(voice.hook);
    if (!called) return hear(voice, event, this);
    return "outcome" in called ? called : hearOut(called, voice, event, this);
  }

  /** Only what the event permits, in words that do no harm. */
  readonly take = (heard: Heard, event: HookEvent): Heard => {
    const granted = grant(tame(heard), event);
    if (granted.notices.length > 0) (this.#dropped ??= new Map()).set(heard.hook, granted.notices);
    return this.#spill ? spill(granted.heard, event, this.#spill) : granted.heard;
  };
}

const NOTHING_DROPPED: ReadonlyMap<Hook, readonly Notice[]> = new Map();
const NOBODY: ReadonlyMap<Hook, Heard | Run> = new Map();

/** The hooks of a head start: those that said nothing, and the one that did. */
function calledAlready({ hooks }: Plan, { silent: quiet, silentMs, next }: HeadStart): ReadonlyMap<Hook, Heard | Run> {
  if (quiet === 0 && next === null) return NOBODY;
  const called = new Map<Hook, Heard | Run>(hooks.slice(0, quiet).map((hook, index) => [hook, silent(hook, silentMs?.[index] ?? 0)]));
  const speaker = hooks[quiet];
  return next && speaker ? called.set(speaker, next) : called;
}

/** What a detached hook says has no effect; how it ended is told to whoever watches. */
async function runDetached(
  groups: readonly Group[],
  event: HookEvent,
  { engine, firing }: { readonly engine: FireContext; readonly firing: Firing },
): Promise<void> {
  const take = (heard: Heard): Heard => {
    engine.onDetached(tame(heard), event);
    return { ...heard, outcome: NO_OPINION };
  };
  const listener: Hear = { hear: (voice, current) => hear(voice, current, { firing, interpret, take }) };
  await schedule(groups, event, listener);
  firing.end();
}

function skipped(groups: readonly Group[], event: HookEvent): Scheduled {
  const hooks = groups.flatMap(({ voices }) => voices.map(({ hook }) => hook));
  return { heard: hooks.map((hook) => unheard(hook, { kind: "skipped", why: "the call was denied before it" })), event, notices: [] };
}

function inConfiguredOrder(hooks: readonly Hook[], first: readonly Heard[], second: readonly Heard[]): readonly Heard[] {
  if (second.length === 0 && first.length === hooks.length && first.every(({ hook }, index) => hook === hooks[index])) return first;
  const byHook = new Map([...first, ...second].map((each) => [each.hook, each]));
  return hooks.map((hook) => byHook.get(hook) ?? unheard(hook, { kind: "detached" }));
}

/** All of them in one list; the one that is not empty, where there is only one. */
function joined<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  const filled = lists.filter(({ length }) => length > 0);
  return filled.length > 1 ? filled.flat() : (filled[0] ?? NONE);
}
