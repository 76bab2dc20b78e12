/** The compiled registry: the same hooks as `match` finds, worked out once for each subject. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DIALECT_LIST, DIALECTS } from "../../src/dialects/index.ts";
import { match } from "../../src/engine/match.ts";
import { Plans } from "../../src/engine/plans.ts";
import { buildRegistry } from "../../src/engine/registry.ts";
import type { HookEvent } from "../../src/model/events.ts";
import type { Hook, Matcher } from "../../src/model/hook.ts";
import { hookFor } from "../../src/testing/index.ts";
import { guard } from "../support/events.ts";

const { goose, lime, mains, snaphook } = DIALECTS;
const plansOf = (...hooks: Hook[]): Plans => new Plans(buildRegistry(hooks));
const calling = (name: string, input = {}): HookEvent => ({ name: "tool.before", tool: { name, input } });

/** A matcher that counts how often it is asked. */
function counting(): { readonly matcher: Matcher; readonly asked: string[] } {
  const asked: string[] = [];
  return { matcher: { kind: "pattern", text: ".", test: (subject) => asked.push(subject) > 0 }, asked };
}

describe("a matcher is asked once for each subject", () => {
  test("however often the tool is called", () => {
    const { matcher, asked } = counting();
    const plans = plansOf(guard("h", snaphook, { matcher }));
    for (let round = 0; round < 3; round++) for (const tool of ["a", "b"]) expect(plans.planFor(calling(tool)).hooks).toHaveLength(1);
    expect(asked).toEqual(["a", "b"]);
  });

  test("also where the subject is no tool", () => {
    const { matcher, asked } = counting();
    const plans = plansOf(hookFor(snaphook, "session.start", { matcher }));
    for (const source of ["startup", "resume", "startup"]) plans.planFor({ name: "session.start", source });
    expect(asked).toEqual(["startup", "resume"]);
  });

  test("but not for ever: what is remembered is bounded, and a very long subject is not kept at all", () => {
    const { matcher, asked } = counting();
    const plans = plansOf(guard("h", snaphook, { matcher }));
    for (let index = 0; index < 501; index++) plans.planFor(calling(`tool${index}`));
    plans.planFor(calling("tool0"));
    expect(asked.filter((subject) => subject === "tool0")).toHaveLength(2);
    const long = "x".repeat(201);
    plans.planFor(calling(long));
    plans.planFor(calling(long));
    expect(asked.filter((subject) => subject === long)).toHaveLength(2);
  });
});

test("one name for several tools has a plan for each", () => {
  const plans = plansOf(
    guard("reads", snaphook, { matcher: { kind: "names", names: ["read"] } }),
    guard("writes", snaphook, { matcher: { kind: "names", names: ["write"] } }),
  );
  const names = (command: string): string[] => plans.planFor(calling("developer__text_editor", { command, path: "/a" })).hooks.map(({ name }) => name);
  expect([names("view"), names("write"), names("view")]).toEqual([["reads"], ["writes"], ["reads"]]);
});

test("hooks are sorted: before the gate, after it, not waited for; neighbours of one dialect together", () => {
  const hooks = [guard("a", lime), guard("b", goose), guard("c", lime), guard("d", mains), guard("e", snaphook, { async: true })];
  const { early, late, detached, functions } = plansOf(...hooks).planFor(calling("shell"));
  const names = (groups: typeof early): string[][] => groups.map(({ voices }) => voices.map(({ hook }) => hook.name));
  expect([names(early), names(late), detached.map(names), functions]).toEqual([[["a", "c"], ["d"]], [["b"]], [[["e"]]], null]);
});

test("the plan has the hooks that `match` finds, for any hooks and any event", () => {
  const matchers = fc.oneof(
    fc.constant<Matcher>({ kind: "all" }),
    fc.subarray(["Bash", "read", "developer__shell", "mcp__a__b", "resume"], { minLength: 1 }).map((names): Matcher => ({ kind: "names", names })),
    fc.constantFrom("^B", "shell$", "mcp__.*", "e").map((text): Matcher => ({ kind: "pattern", text, test: (subject) => new RegExp(text, "u").test(subject) })),
  );
  const hooks = fc.array(fc.record({ dialect: fc.constantFrom(...DIALECT_LIST), matcher: matchers }), { maxLength: 8 });
  const tools = fc.constantFrom("Bash", "shell", "Read", "developer__shell", "developer__text_editor", "mcp__a__b", "constructor", "");
  const events: fc.Arbitrary<HookEvent> = fc.oneof(
    fc.record({
      name: fc.constantFrom("tool.before" as const, "tool.after" as const),
      tool: fc.record({ name: tools, input: fc.constantFrom({}, { command: "view" }, { command: "write" }) }),
    }),
    fc.constantFrom<HookEvent>({ name: "tool.before" }, { name: "session.start" }, { name: "session.start", source: "resume" }, { name: "turn.stop" }),
  );
  fc.assert(
    fc.property(hooks, fc.array(events, { maxLength: 12 }), (all, fired) => {
      const registry = buildRegistry(
        all.flatMap(({ dialect, matcher }, index) => Object.keys(dialect.events).map((wire) => hookFor(dialect, wire, { name: `${index}`, matcher }))),
      );
      const plans = new Plans(registry);
      for (const event of fired) expect(plans.planFor(event).hooks).toEqual(match(registry, event, () => true));
    }),
  );
});
