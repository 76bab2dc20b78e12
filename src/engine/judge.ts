/** Rules and mode on a call: the engine's side of the permission gate. */
import { canonicalCall } from "../dialects/spelling.ts";
import type { GateReport } from "../model/decision.ts";
import type { HookEvent } from "../model/events.ts";
import { MODES, type Mode, type Rule } from "../model/rule.ts";
import { matchCondition } from "../permissions/condition.ts";
import { evaluate } from "../permissions/evaluate.ts";
import type { Judgement } from "../permissions/judgement.ts";
import { compilePolicy, extendPolicy, type Policy } from "../permissions/rules.ts";
import type { FileView, Platform, Scene } from "../permissions/scene.ts";

export interface GateOptions {
  readonly rules: readonly Rule[];
  readonly mode: Mode;
  readonly root: string;
  readonly home: string;
  readonly platform: Platform;
  readonly files: () => FileView;
}

/** The gate of one engine: its policy, and the rules that a session adds to it. */
export class Gate {
  #policy: Policy;
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#policy = compilePolicy(options.rules);
  }

  get policy(): Policy {
    return this.#policy;
  }

  /** Adds rules that hold from now on. */
  learn(rules: readonly Rule[]): void {
    this.#policy = extendPolicy(this.#policy, rules);
  }

  /** The judgement on an event's call, or null when there is none. */
  judge(event: HookEvent): Judgement | null {
    if (!event.tool) return null;
    return evaluate(canonicalCall(event.tool), this.#policy, this.#scene(event));
  }

  /** What the decision tells of the judgement. */
  report(event: HookEvent): GateReport | null {
    const judgement = this.judge(event);
    return judgement && { verdict: judgement.verdict, because: judgement.because, step: judgement.step, mode: judgement.mode };
  }

  /** Whether a call meets a hook's condition; what can't be known counts as met. */
  meets(condition: string, event: HookEvent): boolean {
    return event.tool !== undefined && matchCondition(condition, canonicalCall(event.tool), this.#scene(event)) !== "no";
  }

  #scene(event: HookEvent): Scene {
    const { root, home, platform, files, mode } = this.#options;
    return { mode: modeOf(event.permissionMode) ?? mode, cwd: event.cwd ?? root, root, home, platform, files: files() };
  }
}

function modeOf(word: string | undefined): Mode | undefined {
  return MODES.find((mode) => mode === word);
}
