import type { Decision } from "../../src/model/decision.ts";

/** A decision of which nothing is told but what is given. */
export function decisionWith(given: Partial<Decision>): Decision {
  return {
    event: "setup",
    verdict: null,
    reason: null,
    input: null,
    originalInput: given.input ?? null,
    context: [],
    feedback: [],
    messages: [],
    rules: [],
    interrupt: false,
    result: null,
    gate: null,
    hooks: [],
    notices: [],
    effects: [],
    ...given,
  };
}
