import type { JsonObject } from "../lib/json.ts";
import type { FailureKind } from "./failure.ts";
import type { Verdict } from "./verdict.ts";

/** Something a hook asks for besides a verdict. */
export type Effect =
  /** Text for the model; a later effect in the same slot replaces the earlier of another turn. */
  | { readonly kind: "context"; readonly text: string; readonly slot?: string }
  | { readonly kind: "feedback"; readonly text: string }
  | { readonly kind: "input"; readonly value: JsonObject }
  | { readonly kind: "rule"; readonly allow: string }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "interrupt"; readonly reason?: string };

/** A hook's own failures, by name. */
export const FAULTS = {
  exit: "it ended with an exit code that is neither success nor a denial",
  signal: "it was ended by a signal",
  timeout: "it did not answer in time and was killed",
  "not-started": "it could not be started",
  oversized: "it printed more than the output limit",
  answer: "its answer could not be read",
  exception: "its callback threw or rejected",
  http: "its server could not be reached or refused",
  callback: "its callback does not exist",
  unsupported: "it needs something that is not here: a session, or the sandbox that it must run in",
  changed: "a file that its approval covers changed while it ran",
  cancelled: "the caller cancelled it",
} as const satisfies Record<string, string>;

export type FaultKind = keyof typeof FAULTS;

/** Why a hook's own failure was not a verdict. Never thrown: it is part of the outcome. */
export interface Fault {
  readonly kind: FaultKind;
  readonly message: string;
  /** The name that `onFault` has for it, where that is finer than the kind. */
  readonly failure?: FailureKind;
}

/** What one run means: a verdict, a reason and effects, or a fault. */
export interface Outcome {
  readonly verdict: Verdict | null;
  readonly reason: string | null;
  readonly effects: readonly Effect[];
  readonly fault: Fault | null;
  /** What was odd about the answer, for the decision's notices. */
  readonly remarks: readonly string[];
}

/** No verdict, no effects, no fault. */
export const NO_OPINION: Outcome = { verdict: null, reason: null, effects: [], fault: null, remarks: [] };
