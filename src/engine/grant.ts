/** What an event lets a hook do. Anything else it asked for is dropped, and said so [F4]. Pure. */
import { EVENTS, type HookEvent, type Power } from "../model/events.ts";
import type { Heard } from "../model/heard.ts";
import type { Notice } from "../model/notice.ts";

/** The outcome without what the event does not permit. */
export function grant(heard: Heard, event: HookEvent): { readonly heard: Heard; readonly notices: readonly Notice[] } {
  const powers: readonly Power[] = EVENTS[event.name].powers;
  const { hook, outcome } = heard;
  const dropped = outcome.effects.filter((effect) => !powers.includes(effect.kind));
  const mayJudge = powers.includes("verdict");
  if (dropped.length === 0 && (mayJudge || outcome.verdict === null)) return { heard, notices: [] };
  const lost = [...new Set([...(mayJudge || outcome.verdict === null ? [] : [`verdict ${outcome.verdict}`]), ...dropped.map((effect) => effect.kind)])];
  const notice: Notice = {
    kind: "power",
    message: `${hook.name} asked for ${lost.join(", ")}, which ${event.name} does not permit; it was dropped`,
    hook: hook.name,
    ...hook.source,
  };
  const kept = { ...outcome, verdict: mayJudge ? outcome.verdict : null, effects: outcome.effects.filter((effect) => powers.includes(effect.kind)) };
  return { heard: { ...heard, outcome: kept }, notices: [notice] };
}
