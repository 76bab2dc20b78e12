import type { Mode, Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";

/** The three answers of a match: what can't be known is maybe. */
export type Match = "yes" | "no" | "maybe";

/** The step of the evaluation that decided. */
export type Step = "deny-rule" | "unresolved-deny" | "protected" | "ask-rule" | "allow-rule" | "mode";

/** A rule that had something to say about the call. */
export interface SpokenRule {
  readonly rule: Rule;
  readonly match: "yes" | "maybe";
}

/** One command, redirection or file of the call with its own verdict; the span is in the original text. */
export interface JudgedCommand {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "command" | "nested" | "redirect" | "read" | "write";
  readonly verdict: Verdict;
  readonly rule?: Rule;
  readonly note?: string;
}

/** A construct that could not be resolved, in words a user can act on. */
export interface Doubt {
  readonly construct: string;
  readonly start: number;
  readonly end: number;
  readonly why: string;
  readonly advice: string;
}

/** The answer of the gate, with all that led to it. */
export interface Judgement {
  readonly verdict: Verdict;
  /** One sentence: the deciding rule with its place, or the mode, or the construct. */
  readonly because: string;
  readonly step: Step;
  readonly mode: Mode;
  readonly rule?: Rule;
  readonly spoke: readonly SpokenRule[];
  readonly commands: readonly JudgedCommand[];
  readonly doubts: readonly Doubt[];
}
