/** A decision as a session line carries it, read back into words with types. */
import * as v from "valibot";
import { isObject } from "../../lib/json.ts";
import type { Decision, GrantedEffect } from "../../model/decision.ts";
import type { HookEvent } from "../../model/events.ts";
import { VERDICTS } from "../../model/verdict.ts";

const verdict = v.nullable(v.picklist(VERDICTS));
const texts = v.optional(v.array(v.string()), []);
const input = v.nullish(v.record(v.string(), v.unknown()), null);

const HookView = v.object({
  name: v.string(),
  dialect: v.string(),
  source: v.nullable(v.object({ file: v.string(), line: v.number() })),
  ended: v.string(),
  durationMs: v.number(),
  verdict,
  reason: v.nullable(v.string()),
  fault: v.nullable(v.object({ message: v.string() })),
});

const DecisionShape = v.object({
  id: v.optional(v.string()),
  verdict,
  reason: v.nullable(v.string()),
  input,
  originalInput: input,
  context: texts,
  feedback: texts,
  messages: texts,
  rules: texts,
  interrupt: v.optional(v.boolean(), false),
  gate: v.nullish(v.object({ verdict: v.picklist(VERDICTS), because: v.string(), step: v.string(), mode: v.string() }), null),
  hooks: v.optional(v.array(HookView), []),
  notices: v.optional(v.array(v.object({ kind: v.string(), message: v.string(), file: v.optional(v.string()), line: v.optional(v.number()) })), []),
});

/** What one hook did, as a line tells it. */
export type HookView = v.InferOutput<typeof HookView>;

/** A decision as a line tells it. */
export interface DecisionView extends v.InferOutput<typeof DecisionShape> {
  /** Which hook had which effect; null where only the line is known. */
  readonly effects: readonly GrantedEffect[] | null;
  /** How long the tool ran, where that is known. */
  readonly toolMs: number | null;
  /** What the tool itself printed, before hooks added to it; undefined where that is not known. */
  readonly toolOutput: unknown;
}

type Seen = Pick<DecisionView, "effects" | "toolMs" | "toolOutput">;

/** Reads decisions of lines, and knows whose the effects were for those it saw being made. */
export class DecisionReader {
  readonly #seen = new WeakMap<object, Seen>();

  /** Takes note of a decision before its line is said: the line shares its list of hooks. */
  saw({ hooks, effects }: Pick<Decision, "hooks" | "effects">, { tool }: Pick<HookEvent, "tool">): void {
    this.#seen.set(hooks, { effects, toolMs: tool?.durationMs ?? null, toolOutput: tool?.output });
  }

  /** Null: it is no decision. */
  read(decision: object): DecisionView | null {
    const parsed = v.safeParse(DecisionShape, decision);
    if (!parsed.success) return null;
    const hooks = isObject(decision) ? decision["hooks"] : undefined;
    return { ...parsed.output, effects: null, toolMs: null, toolOutput: undefined, ...(Array.isArray(hooks) && this.#seen.get(hooks)) };
  }
}
