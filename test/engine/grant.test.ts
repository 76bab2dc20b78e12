import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { grant } from "../../src/engine/grant.ts";
import { EVENTS, type EventName, type Power } from "../../src/model/events.ts";
import type { Effect } from "../../src/model/outcome.ts";
import { hookFor } from "../../src/testing/index.ts";
import { heard } from "../support/events.ts";

const EFFECTS: readonly Effect[] = [
  { kind: "context", text: "c" },
  { kind: "feedback", text: "f" },
  { kind: "input", value: { a: 1 } },
  { kind: "rule", allow: "Read" },
  { kind: "message", text: "m" },
  { kind: "interrupt" },
];
const eventNames = Object.keys(EVENTS).filter((name): name is EventName => Object.hasOwn(EVENTS, name));

describe("[F4] what an event does not permit is dropped, and said", () => {
  test.each(eventNames)("%s", (name) => {
    const powers: readonly Power[] = EVENTS[name].powers;
    const asked = heard(hookFor(DIALECTS.snaphook, name), { verdict: "deny", effects: EFFECTS });
    const { heard: granted, notices } = grant(asked, { name });
    expect(granted.outcome.verdict).toBe(powers.includes("verdict") ? "deny" : null);
    expect(granted.outcome.effects).toEqual(EFFECTS.filter((effect) => powers.includes(effect.kind)));
    const lost = [...(powers.includes("verdict") ? [] : ["verdict deny"]), ...EFFECTS.flatMap(({ kind }) => (powers.includes(kind) ? [] : [kind]))];
    const message = `hook asked for ${lost.join(", ")}, which ${name} does not permit; it was dropped`;
    expect(notices).toEqual(lost.length > 0 ? [{ kind: "power", message, hook: "hook" }] : []);
  });
});

test("what is permitted is left as it is", () => {
  const asked = heard(hookFor(DIALECTS.snaphook, "tool.before"), { verdict: "ask", effects: EFFECTS });
  expect(grant(asked, { name: "tool.before" })).toEqual({ heard: asked, notices: [] });
});

test("the notice points at the hook's place", () => {
  const source = { file: "/p/settings.json", line: 3, column: 5 };
  const asked = heard(hookFor(DIALECTS.lime, "SessionEnd", { source }), { verdict: "deny" });
  expect(grant(asked, { name: "session.end" }).notices).toMatchObject([{ kind: "power", ...source }]);
});
