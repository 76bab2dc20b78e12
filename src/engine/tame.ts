/** What a hook says is untrusted text: nothing in it acts on a terminal, hides from a reader or speaks as somebody else. Pure. */
import { tameText } from "../lib/tame-text.ts";
import type { Heard } from "../model/heard.ts";
import type { Effect, Outcome } from "../model/outcome.ts";

/** What was heard, with its texts tamed and a remark where that changed something; itself where it did not. */
export function tame(heard: Heard): Heard {
  const { outcome, run } = heard;
  if (outcome.reason === null && outcome.effects.length === 0 && outcome.fault === null && outcome.remarks.length === 0 && run.remarks.length === 0)
    return heard;
  const tamed = tameOutcome(outcome);
  const remarks = tameAll(run.remarks);
  if (tamed === outcome && remarks === run.remarks) return heard;
  return { ...heard, run: { ...run, remarks: [...remarks, REMARK] }, outcome: tamed };
}

const REMARK = "control or invisible characters, or marks of a session, in what it said were neutralised";

function tameOutcome(outcome: Outcome): Outcome {
  const reason = outcome.reason === null ? null : tameText(outcome.reason);
  const effects = outcome.effects.map(tameEffect);
  const message = outcome.fault === null ? null : tameText(outcome.fault.message);
  const remarks = tameAll(outcome.remarks);
  const same =
    reason === outcome.reason &&
    message === (outcome.fault?.message ?? null) &&
    remarks === outcome.remarks &&
    effects.every((effect, index) => effect === outcome.effects[index]);
  if (same) return outcome;
  return { ...outcome, reason, effects, fault: outcome.fault && { ...outcome.fault, message: message ?? "" }, remarks };
}

/** Inputs and rules are no text for a reader: they are judged as they stand. */
function tameEffect(effect: Effect): Effect {
  switch (effect.kind) {
    case "context":
    case "feedback":
    case "message": {
      const text = tameText(effect.text);
      return text === effect.text ? effect : { ...effect, text };
    }
    case "interrupt": {
      const reason = effect.reason === undefined ? undefined : tameText(effect.reason);
      return reason === undefined || reason === effect.reason ? effect : { ...effect, reason };
    }
    case "input":
    case "rule":
      return effect;
  }
}

function tameAll(texts: readonly string[]): readonly string[] {
  const tamed = texts.map(tameText);
  return tamed.every((text, index) => text === texts[index]) ? texts : tamed;
}
