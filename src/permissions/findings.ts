import type { Rule } from "../model/rule.ts";
import type { CompiledRule } from "./policy-table.ts";
import type { Doubt, JudgedCommand } from "./judgement.ts";

/** What the rules said about a call, before steps and mode are applied. */
export interface Findings {
  /** Deny and ask rules with the surest match each had. */
  readonly deny: Voices;
  readonly ask: Voices;
  /** The first allow rule, when allows cover the whole call. */
  readonly allow: Rule | undefined;
  /** What a protected file that would be written configures. */
  readonly protects: string | undefined;
  readonly commands: readonly JudgedCommand[];
  readonly doubts: readonly Doubt[];
}

/** Rules that spoke, each with its surest match. */
export type Voices = ReadonlyMap<CompiledRule, "yes" | "maybe">;

/** Rules that spoke so far; undefined until the first one does, for mostly none does. */
export type Said = Map<CompiledRule, "yes" | "maybe"> | undefined;

/** Nobody spoke. */
export const SILENCE: Voices = new Map();

/** Notes a rule's match; a yes is never taken back. */
export function speak(said: Said, rule: CompiledRule, match: "yes" | "maybe"): NonNullable<Said> {
  const voices = said ?? new Map<CompiledRule, "yes" | "maybe">();
  if (voices.get(rule) !== "yes") voices.set(rule, match);
  return voices;
}

/** Rules that are named when any of many may apply: for the answer one is enough. */
export const VOICE_LIMIT = 64;

/** Notes that any of these rules may apply. */
export function speakAll(said: Said, rules: readonly CompiledRule[]): Said {
  let voices = said;
  for (const rule of rules.slice(0, VOICE_LIMIT)) voices = speak(voices, rule, "maybe");
  return voices;
}

/** The first rule in configured order that spoke this way. */
export function firstVoice(voices: Voices, match: "yes" | "maybe"): CompiledRule | undefined {
  if (voices.size === 0) return undefined;
  let first: CompiledRule | undefined;
  for (const [rule, said] of voices) if (said === match && (first === undefined || rule.order < first.order)) first = rule;
  return first;
}
