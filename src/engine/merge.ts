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
export function merge(merging: Merging): Decision {
  const { given, event, heard, gate, floors, notices } = merging;
  if (event === given && floors.length === 0 && heard.every(isSilent)) return mergeSilence(given, gate, heard.map(reportOf), notices);
  const granted = grantedEffects(heard);
  const texts = (kind: "context" | "feedback" | "message"): readonly string[] =>
    granted.length === 0 ? NONE : granted.flatMap(({ effect }) => (effect.kind === kind ? [effect.text] : []));
  const { verdict, reason } = judged(merging);
  return {
    event: event.name,
    verdict,
    reason,
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

function isSilent({ outcome }: Heard): boolean {
  return outcome.verdict === null && outcome.fault === null && outcome.effects.length === 0;
}

function grantedEffects(heard: readonly Heard[]): readonly GrantedEffect[] {
  if (heard.every(({ outcome }) => outcome.effects.length === 0)) return NONE;
  return heard.flatMap(({ hook, outcome }, index) => outcome.effects.map((effect) => ({ hook: index, dialect: hook.dialect, effect })));
}

/** The strictest of what hooks, gate and floors say, and why. */
function judged({ event, heard, beforeGate, gate, floors }: Merging): Pick<Decision, "verdict" | "reason"> {
  if (!JUDGED.has(event.name)) return { verdict: null, reason: null };
  const allowedEarly = beforeGate.some((each) => !each.hook.yields && effectiveVerdict(each) === "allow");
  const mayYield = allowedEarly || gate?.verdict === "allow";
  const voices = mayYield ? heard.filter((each) => !(each.hook.yields && effectiveVerdict(each) === "ask")) : heard;
  const early = beforeGate === voices ? voices : voices.filter((each) => beforeGate.includes(each));
  const weighed = gate && weigh(strictest(early.map(effectiveVerdict)), gate);
  const said = voices.map(effectiveVerdict);
  const verdict = strictest([...(weighed ? [weighed.verdict, ...said.filter((each) => each !== "allow")] : said), ...floors.map((floor) => floor.verdict)]);
  if (verdict === null) return { verdict, reason: null };
  const reasons = [
    ...voices.flatMap((each, index) => (said[index] === verdict ? reasonOf(each) : NONE)),
    ...(weighed?.verdict === verdict && weighed.reason ? [weighed.reason] : NONE),
    ...floors.filter((floor) => floor.verdict === verdict).map((floor) => floor.reason),
  ];
  return { verdict, reason: reasons.length > 0 ? [...new Set(reasons)].join("\n") : null };
}

/** A hook's allow answers the mode's question, never a rule's deny or ask, nor plan mode's deny [A6]. */
function weigh(hooks: Verdict | null, gate: GateReport): { readonly verdict: Verdict; readonly reason: string | null } {
  if (gate.verdict === "ask" && gate.step === "mode" && hooks === "allow") return { verdict: "allow", reason: null };
  return { verdict: gate.verdict, reason: gate.because };
}

function reasonOf({ hook, outcome }: Heard): readonly string[] {
  if (outcome.fault) return [`${hook.name} failed (${outcome.fault.message}) and its onFault is ${verdictOnFault(hook.onFault, outcome.fault)}`];
  return outcome.reason === null ? NONE : [outcome.reason];
}
