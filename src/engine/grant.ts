/** What an event lets a hook do. Anything else it asked for is dropped, and said so [F4]. Pure. */
import { EVENTS, type HookEvent, type Power } from "../model/events.ts";
import type { Heard } from "../model/heard.ts";
import type { Notice } from "../model/notice.ts";

/** What is left of an outcome, and what is to be said about the rest. */
export interface Granted {
  readonly heard: Heard;
  readonly notices: readonly Notice[];
}

const NONE: readonly Notice[] = [];

/** The outcome without what the event does not permit; itself when it permits everything. */
export function grant(heard: Heard, event: HookEvent): Granted {
  const powers: readonly Power[] = EVENTS[event.name].powers;
  const { hook, outcome } = heard;
  const mayJudge = outcome.verdict === null || powers.includes("verdict");
  if (mayJudge && outcome.effects.length === 0) return { heard, notices: NONE };
  const dropped = outcome.effects.filter((effect) => !powers.includes(effect.kind));
  if (dropped.length === 0 && mayJudge) return { heard, notices: NONE };
  const lost = [...new Set([...(mayJudge ? [] : [`verdict ${outcome.verdict}`]), ...dropped.map((effect) => effect.kind)])];
  const notice: Notice = {
    kind: "power",
    message: `${hook.name} asked for ${lost.join(", ")}, which ${event.name} does not permit; it was dropped`,
    hook: hook.name,
    ...hook.source,
  };
  const kept = { ...outcome, verdict: mayJudge ? outcome.verdict : null, effects: outcome.effects.filter((effect) => powers.includes(effect.kind)) };
  return { heard: { ...heard, outcome: kept }, notices: [notice] };
}
