/** Who takes down what happens: the audit log is one, traces are another. */
import type { JsonObject } from "../lib/json.ts";
import type { Decision, HookReport } from "./decision.ts";
import type { EveryEvent, HookEvent } from "./events.ts";
import type { Heard } from "./heard.ts";

/** What a decision is taken down with. */
export interface DecisionMoment {
  readonly event: HookEvent;
  /** How long it took from the event to the decision. */
  readonly durationMs: number;
  /** The content hash of a hook that took part, where it is known. */
  readonly hashOf: (hook: HookReport) => string | null;
}

/** Who answered a question about a call, and what. */
export interface ApprovalReport {
  readonly scene: EveryEvent;
  readonly tool: { readonly name: string; readonly input: JsonObject; readonly useId: string };
  /** Why it was asked. */
  readonly reason: string;
  readonly answer: string;
  /** Who answered: terminal, bridge, page, a file of answers, an earlier "always", nobody. */
  readonly approver: string;
  readonly text?: string;
}

/** Takes down what happens, as it happens. */
export interface Recorder {
  /** Takes a decision down before anybody acts on it, and gives back the one that holds: with its id, stricter where no record means no call. */
  decided(decision: Decision, moment: DecisionMoment): Decision;
  /** Takes down how a hook ended that nobody waited for. */
  detached(heard: Heard, event: HookEvent): void;
  /** Takes an answer down. Returns why the call must not run all the same, or null. */
  approved(approval: ApprovalReport): string | null;
}

/** Several recorders as one; each sees the decision as the one before it left it. */
export function joinRecorders(recorders: readonly Recorder[]): Recorder | undefined {
  const [first, ...others] = recorders;
  if (!first || others.length === 0) return first;
  return {
    decided: (decision, moment) => recorders.reduce((current, recorder) => recorder.decided(current, moment), decision),
    detached: (heard, event) => recorders.forEach((recorder) => recorder.detached(heard, event)),
    approved: (approval) => recorders.map((recorder) => recorder.approved(approval)).find((reason) => reason !== null) ?? null,
  };
}
