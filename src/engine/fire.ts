/** The way of an event: match → run → interpret → gate → merge → apply. One line a stage, one file a stage. */
import type { Decision, GateReport } from "../model/decision.ts";
import type { HookEvent } from "../model/events.ts";
import { effectiveVerdict, unheard, type Heard } from "../model/heard.ts";
import type { Hook } from "../model/hook.ts";
import type { Notice } from "../model/notice.ts";
import { NO_OPINION } from "../model/outcome.ts";
import type { RunContext } from "../runners/runner.ts";
import { apply } from "./apply.ts";
import { grant } from "./grant.ts";
import { hear } from "./hear.ts";
import { interpret } from "./interpret.ts";
import { match, type ConditionTest } from "./match.ts";
import { merge, type Floor } from "./merge.ts";
import { noticesOf } from "./notices.ts";
import type { Registry } from "./registry.ts";
import { schedule, type Hear, type Scheduled } from "./schedule.ts";
import { wordsOf } from "./words.ts";

/** What `fire` needs: everything that could differ between two engines. */
export interface FireContext {
  readonly registry: Registry;
  /** Rules and mode on the call as it stands; null where nothing is configured or the event has no call. */
  readonly judge: (event: HookEvent) => GateReport | null;
  readonly meets: ConditionTest;
  /** Whether a hook may run now; `once` hooks run once. */
  readonly admits: (hook: Hook) => boolean;
  readonly floors: (event: HookEvent, heard: readonly Heard[]) => readonly Floor[];
  readonly run: RunContext;
  /** Ends hooks that nobody waits for: the engine's end, not the caller's. */
  readonly lifetime: AbortSignal;
  /** Notices about the configuration that concern this event. */
  readonly notices: (event: HookEvent) => readonly Notice[];
  readonly onDetached: (heard: Heard, event: HookEvent) => void;
}

/** Fires one event. Rejects only when the caller cancels. */
export async function fire(given: HookEvent, engine: FireContext): Promise<Decision> {
  const dropped = new Map<Hook, readonly Notice[]>();
  const listen: Hear = async (hook, event) => {
    const granted = grant(await hear(hook, event, { context: engine.run, interpret }), event);
    dropped.set(hook, granted.notices);
    return granted.heard;
  };

  const matched = match(engine.registry, given, engine.meets).filter(engine.admits);
  const { early, late, detached } = partition(matched);
  for (const chain of detached) engine.run.background(runDetached(chain, given, engine));

  const first = await schedule(early, given, listen);
  const gate = engine.judge(first.event);
  const denied = gate?.verdict === "deny" || first.heard.some((each) => effectiveVerdict(each) === "deny");
  const second = denied ? skipped(late, first.event) : await schedule(late, first.event, listen);
  engine.run.signal.throwIfAborted();

  const heard = inConfiguredOrder(matched, [...first.heard, ...second.heard]);
  const odd = heard.flatMap((each) => [...(dropped.get(each.hook) ?? []), ...noticesOf(each)]);
  const notices = [...engine.notices(given), ...odd, ...first.notices, ...second.notices];
  const decision = merge({ given, event: second.event, heard, beforeGate: first.heard, gate, floors: engine.floors(given, heard), notices });
  return apply(decision, second.event);
}

interface Partition {
  /** Asked before the permission gate. */
  readonly early: readonly Hook[];
  /** Asked after it. */
  readonly late: readonly Hook[];
  /** Not waited for: one chain for each dialect. */
  readonly detached: readonly (readonly Hook[])[];
}

function partition(hooks: readonly Hook[]): Partition {
  const isDetached = (hook: Hook): boolean => hook.async || wordsOf(hook).row.pace === "detach";
  const awaited = hooks.filter((hook) => !isDetached(hook));
  const isLate = (hook: Hook): boolean => wordsOf(hook).dialect.gate === "permission-first";
  const chains = new Map<string, Hook[]>();
  for (const hook of hooks.filter(isDetached)) chains.set(hook.dialect, [...(chains.get(hook.dialect) ?? []), hook]);
  return { early: awaited.filter((hook) => !isLate(hook)), late: awaited.filter(isLate), detached: [...chains.values()] };
}

/** What a detached hook says has no effect; how it ended is told to whoever watches. */
async function runDetached(hooks: readonly Hook[], event: HookEvent, engine: FireContext): Promise<void> {
  await schedule(hooks, event, async (hook, current) => {
    const heard = await hear(hook, current, { context: { ...engine.run, signal: engine.lifetime }, interpret });
    engine.onDetached(heard, event);
    return { ...heard, outcome: NO_OPINION };
  });
}

function skipped(hooks: readonly Hook[], event: HookEvent): Scheduled {
  return { heard: hooks.map((hook) => unheard(hook, { kind: "skipped", why: "the call was denied before it" })), event, notices: [] };
}

function inConfiguredOrder(hooks: readonly Hook[], heard: readonly Heard[]): readonly Heard[] {
  const byHook = new Map(heard.map((each) => [each.hook, each]));
  return hooks.map((hook) => byHook.get(hook) ?? unheard(hook, { kind: "detached" }));
}
