/** Rules and mode on a call: the engine's side of the permission gate. */
import { readingsOf } from "../dialects/readings.ts";
import { canonicalCall } from "../dialects/spelling.ts";
import type { GateReport } from "../model/decision.ts";
import type { HookEvent } from "../model/events.ts";
import { MODES, type Mode, type Rule } from "../model/rule.ts";
import { VERDICTS } from "../model/verdict.ts";
import { matchCondition } from "../permissions/condition.ts";
import { evaluate } from "../permissions/evaluate.ts";
import type { Judgement } from "../permissions/judgement.ts";
import { compilePolicy, extendPolicy, type Policy } from "../permissions/rules.ts";
import type { FileView, Platform, Scene } from "../permissions/scene.ts";

/** What a gate judges with. */
export interface GateOptions {
  readonly rules: readonly Rule[];
  readonly mode: Mode;
  readonly root: string;
  readonly home: string;
  readonly platform: Platform;
  readonly files: () => FileView;
}

/** The gate of one engine: its policy, and views of it with the rules that sessions add. */
export class Gate {
  readonly policy: Policy;
  readonly #options: GateOptions;
  readonly #extended = new WeakMap<readonly Rule[], Policy>();

  constructor(options: GateOptions) {
    this.#options = options;
    this.policy = compilePolicy(options.rules);
  }

  /** The judgement on an event's call, or null when it has none. `learned` are a session's own rules. */
  judge(event: HookEvent, learned: readonly Rule[] = NONE): Judgement | null {
    if (!event.tool) return null;
    const [first, ...others] = readingsOf(event.tool);
    const judgement = evaluate(first, this.#with(learned), this.#scene(event));
    return others.map((reading) => evaluate(reading, this.#with(learned), this.#scene(event))).reduce(stricter, judgement);
  }

  /** What the decision tells of the judgement. */
  report(event: HookEvent, learned: readonly Rule[] = NONE): GateReport | null {
    const judgement = this.judge(event, learned);
    if (!judgement) return null;
    const { verdict, because, step, mode, rule } = judgement;
    return rule ? { verdict, because, step, mode, rule } : { verdict, because, step, mode };
  }

  #with(learned: readonly Rule[]): Policy {
    if (learned.length === 0) return this.policy;
    const policy = this.#extended.get(learned) ?? extendPolicy(this.policy, learned);
    this.#extended.set(learned, policy);
    return policy;
  }

  /** Whether a call meets a hook's condition; what can't be known counts as met. */
  meets(condition: string, event: HookEvent): boolean {
    return event.tool !== undefined && matchCondition(condition, canonicalCall(event.tool), this.#scene(event)) !== "no";
  }

  #scene(event: HookEvent): Scene {
    const { root, home, platform, files, mode } = this.#options;
    return { mode: modeOf(event.permissionMode) ?? mode, cwd: event.cwd ?? root, root, home, platform, files: files(), now: workedMs };
  }
}

const NONE: readonly Rule[] = [];

/** Work done so far. Not the wall clock: on a busy machine a plain command must not run out of time. */
function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function stricter(left: Judgement, right: Judgement): Judgement {
  return VERDICTS.indexOf(right.verdict) > VERDICTS.indexOf(left.verdict) ? right : left;
}

function modeOf(word: string | undefined): Mode | undefined {
  return MODES.find((mode) => mode === word);
}
