/** Who takes down what happens: the audit log is one, traces are another. */
import type { JsonObject } from "../lib/json.ts";
import type { Decision, HookReport } from "./decision.ts";
import { EVENTS, type EveryEvent, type HookEvent } from "./events.ts";
import type { Heard } from "./heard.ts";
import type { Notice } from "./notice.ts";

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
  /** From now on nothing passes that is not on record; `by` says who wants it so. Absent: it keeps no record that could be asked for. */
  readonly demand?: (by: string) => void;
  /** Takes an answer down. Returns why the call must not run all the same, or null. */
  approved(approval: ApprovalReport): string | null;
}

/** A decision that is not on record says so; where it must be on record, it denies what it can. */
export function unrecorded(decision: Decision, { notice, denial }: { readonly notice: Notice; readonly denial: string | null }): Decision {
  const notices = [...decision.notices, notice];
  const { powers, result } = EVENTS[decision.event];
  if (denial === null || !powers.some((power) => power === "verdict")) return { ...decision, notices };
  return { ...decision, verdict: "deny", reason: denial, notices, ...(result === "of-denied" && { result: { output: denial, isError: true } }) };
}

/** A recorder for events that belong to no session: what is taken down says who tried them out. */
export function triedOutBy(who: string, recorder: Recorder): Recorder {
  const known = (event: HookEvent): HookEvent => (event.sessionId === undefined ? { ...event, sessionId: who } : event);
  return {
    ...recorder,
    decided: (decision, moment) => recorder.decided(decision, { ...moment, event: known(moment.event) }),
    detached: (heard, event) => recorder.detached(heard, known(event)),
  };
}

/** Several recorders as one; each sees the decision as the one before it left it. */
export function joinRecorders(recorders: readonly Recorder[]): Recorder | undefined {
  const [first, ...others] = recorders;
  if (!first || others.length === 0) return first;
  return {
    decided: (decision, moment) => recorders.reduce((current, recorder) => recorder.decided(current, moment), decision),
    ...(recorders.some(({ demand }) => demand) && { demand: (by: string) => recorders.forEach((recorder) => recorder.demand?.(by)) }),
    detached: (heard, event) => recorders.forEach((recorder) => recorder.detached(heard, event)),
    approved: (approval) => recorders.map((recorder) => recorder.approved(approval)).find((reason) => reason !== null) ?? null,
  };
}
