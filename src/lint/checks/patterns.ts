import { looksExponential } from "../../lib/pattern.ts";
import type { Check } from "../check.ts";
import { noticeAbout } from "../check.ts";

/** Patterns that a backtracking engine may never finish. */
export const patterns: Check = {
  finds: "patterns that can take exponential time",
  run: ({ hooks }) =>
    hooks.flatMap(({ hook, matcherAt }) => {
      if (hook.matcher.kind !== "pattern" || !looksExponential(hook.matcher.text)) return [];
      const message = `${JSON.stringify(hook.matcher.text)} repeats a group that repeats: in an agent that backtracks it can take exponential time. Write it without the outer repetition`;
      return [noticeAbout(hook, { kind: "slow-pattern", message }, matcherAt)];
    }),
};
