import type { JsonObject } from "../lib/json.ts";
import type { EventName } from "./events.ts";
import type { Notice } from "./notice.ts";
import type { Effect, Fault } from "./outcome.ts";
import type { Rule } from "./rule.ts";
import type { Ended } from "./run.ts";
import type { Verdict } from "./verdict.ts";

/** What one hook did at one event. */
export interface HookReport {
  readonly name: string;
  readonly dialect: string;
  readonly type: string;
  readonly source: { readonly file: string; readonly line: number; readonly column: number } | null;
  readonly ended: Ended;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly verdict: Verdict | null;
  readonly reason: string | null;
  readonly fault: Fault | null;
}

/** An effect that was granted, with the hook that asked for it (an index into `hooks`). */
export interface GrantedEffect {
  readonly hook: number;
  readonly dialect: string;
  readonly effect: Effect;
}

/** The tool result as the model will see it. */
export interface ToolResult {
  readonly output: unknown;
  readonly isError: boolean;
}

/** What the permission gate said, where it was asked. */
export interface GateReport {
  readonly verdict: Verdict;
  readonly because: string;
  readonly step: string;
  readonly mode: string;
  /** The rule that decided, where one did. */
  readonly rule?: Rule;
}

/** The merged outcomes of one event. */
export interface Decision {
  /** Where it is on record; absent where nobody records. */
  readonly id?: string;
  readonly event: EventName;
  readonly verdict: Verdict | null;
  readonly reason: string | null;
  /** The tool input as it stands after the last rewrite; null at events without a tool. */
  readonly input: JsonObject | null;
  readonly originalInput: JsonObject | null;
  readonly context: readonly string[];
  readonly feedback: readonly string[];
  readonly messages: readonly string[];
  /** Allow rules that hold for the rest of the session. */
  readonly rules: readonly string[];
  readonly interrupt: boolean;
  readonly result: ToolResult | null;
  readonly gate: GateReport | null;
  readonly hooks: readonly HookReport[];
  readonly notices: readonly Notice[];
  /** Every granted effect in configured order, with its hook: what a session needs to place context. */
  readonly effects: readonly GrantedEffect[];
}
