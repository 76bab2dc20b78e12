/** Many outcomes, one decision: the strictest verdict wins, effects keep configured order. Pure. */
import type { Decision, GateReport, GrantedEffect, HookReport } from "../model/decision.ts";
import { EVENTS, type HookEvent } from "../model/events.ts";
import { verdictOnFault } from "../model/failure.ts";
import { effectiveVerdict, reportOf, type Heard } from "../model/heard.ts";
import type { Notice } from "../model/notice.ts";
import { strictest, type Verdict } from "../model/verdict.ts";

/** A verdict that no hook said and that holds all the same: an input that did not fit, a file that could not be read. */
export interface Floor {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** What a decision is made from. */
export interface Merging {
  /** The event as it was given, and as it stands after the last rewrite. */
  readonly given: HookEvent;
  readonly event: HookEvent;
  /** Every hook in configured order, with nothing left that the event does not permit. */
  readonly heard: readonly Heard[];
  /** Those of them that spoke before the gate: only their allow answers the mode's question. */
  readonly beforeGate: readonly Heard[];
  readonly gate: GateReport | null;
  readonly floors: readonly Floor[];
  readonly notices: readonly Notice[];
}

const NONE: readonly never[] = Object.freeze([]);

/** Events at which a verdict counts. */
const JUDGED: ReadonlySet<string> = new Set(
  Object.entries(EVENTS).flatMap(([name, { powers }]) => (powers.some((power) => power === "verdict") ? [name] : [])),
);

/** The same as `merge` where no hook had an opinion, asked for anything or failed: `hooks` are their reports. */
export function mergeSilence(given: HookEvent, gate: GateReport | null, hooks: readonly HookReport[], notices: readonly Notice[]): Decision {
  const weighed = gate && JUDGED.has(given.name) ? weigh(null, gate) : null;
  const input = given.tool ? given.tool.input : null;
  return {
    event: given.name,
    verdict: weighed ? weighed.verdict : null,
    reason: weighed?.reason || null,
    input,
    originalInput: input,
    context: NONE,
    feedback: NONE,
    messages: NONE,
    rules: NONE,
    interrupt: false,
    result: null,
    gate,
    hooks,
    notices,
    effects: NONE,
  };
}

/** Merges. The tool result is filled in by `apply`. */
export function merge({ given, event, heard, beforeGate, gate, floors, notices }: Merging): Decision {
  const granted = heard.flatMap(({ hook, outcome }, index): GrantedEffect[] =>
    outcome.effects.map((effect) => ({ hook: index, dialect: hook.dialect, effect })),
  );
  const mayJudge = JUDGED.has(event.name);
  const allowedEarly = beforeGate.some((each) => !each.hook.yields && effectiveVerdict(each) === "allow");
  const voices = heard.filter((each) => !(each.hook.yields && effectiveVerdict(each) === "ask" && (allowedEarly || gate?.verdict === "allow")));
  const weighed = gate && weigh(strictest(voices.filter((each) => beforeGate.includes(each)).map(effectiveVerdict)), gate);
  const said = voices.map(effectiveVerdict);
  const afterGate = weighed ? [weighed.verdict, ...said.filter((each) => each !== "allow")] : said;
  const verdict = mayJudge ? strictest([...afterGate, ...floors.map((floor) => floor.verdict)]) : null;
  const texts = (kind: "context" | "feedback" | "message"): string[] => granted.flatMap(({ effect }) => (effect.kind === kind ? [effect.text] : []));
  const reasons = [
    ...voices.filter((each) => effectiveVerdict(each) === verdict).flatMap(reasonOf),
    ...(weighed?.verdict === verdict && weighed?.reason ? [weighed.reason] : []),
    ...floors.filter((floor) => floor.verdict === verdict).map((floor) => floor.reason),
  ];
  return {
    event: event.name,
    verdict,
    reason: verdict !== null && reasons.length > 0 ? [...new Set(reasons)].join("\n") : null,
    input: event.tool?.input ?? null,
    originalInput: given.tool?.input ?? null,
    context: texts("context"),
    feedback: texts("feedback"),
    messages: [...new Set(texts("message"))],
    rules: granted.flatMap(({ effect }) => (effect.kind === "rule" ? [effect.allow] : [])),
    interrupt: granted.some(({ effect }) => effect.kind === "interrupt"),
    result: null,
    gate,
    hooks: heard.map(reportOf),
    notices,
    effects: granted,
  };
}

/** A hook's allow answers the mode's question, never a rule's deny or ask, nor plan mode's deny [A6]. */
function weigh(hooks: Verdict | null, gate: GateReport): { readonly verdict: Verdict; readonly reason: string | null } {
  if (gate.verdict === "ask" && gate.step === "mode" && hooks === "allow") return { verdict: "allow", reason: null };
  return { verdict: gate.verdict, reason: gate.because };
}

function reasonOf({ hook, outcome }: Heard): string[] {
  if (outcome.fault) return [`${hook.name} failed (${outcome.fault.message}) and its onFault is ${verdictOnFault(hook.onFault, outcome.fault)}`];
  return outcome.reason === null ? [] : [outcome.reason];
}
