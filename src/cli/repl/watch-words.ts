/** The words of the timeline, by the words of the lines. */

/** Notices that the rows or the session have told already. */
export const TOLD_ELSEWHERE = ["fault", "not-trusted"];

/** How a model call shows that is not an answer to the prompt. */
export const PURPOSES: { readonly [purpose: string]: string } = {
  compaction: "the conversation is replaced by a summary",
  summary: "the rounds are used up: the model is asked for a summary",
};

/** How answers to a question show, and whether they let the call run. */
export const ANSWERS: { readonly [answer: string]: { readonly who: string; readonly granted: boolean } } = {
  allow: { who: "approved", granted: true },
  always: { who: "approved for this session", granted: true },
  deny: { who: "denied", granted: false },
  none: { who: "nobody", granted: false },
};

/** How a turn ended, where that is worth a line. */
export const TURN_ENDS: { readonly [reason: string]: string } = {
  "max-rounds": "the rounds of this turn are used up",
  cancelled: "cancelled",
  interrupted: "a hook ended the turn",
  denied: "the prompt was denied",
  error: "the turn failed",
};
