import { EVENTS } from "../../model/events.ts";
import { parseRule } from "../../permissions/rules.ts";
import type { Check } from "../check.ts";
import { noticeAbout } from "../check.ts";

/** Conditions (`if`) that decide nothing. */
export const conditions: Check = {
  finds: "`if` on an event without a tool call, or one that can't be read",
  run: ({ hooks }) =>
    hooks.flatMap(({ hook }) => {
      const { condition } = hook;
      if (condition === null) return [];
      if (!hook.events.some((event) => EVENTS[event].subject === "tool")) {
        const message = `if ${JSON.stringify(condition)} has no effect: ${hook.wireName} has no tool call, so this hook runs every time. Remove it`;
        return [noticeAbout(hook, { kind: "unsupported-option", message })];
      }
      const parsed = parseRule(condition);
      return parsed.kind === "problem"
        ? [noticeAbout(hook, { kind: "bad-rule", message: `if: ${parsed.message} Until then this hook runs for every call that its matcher lets through.` })]
        : [];
    }),
};
