import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { merge, type Merging } from "../../src/engine/merge.ts";
import type { GateReport } from "../../src/model/decision.ts";
import { EVENTS, type EventName } from "../../src/model/events.ts";
import type { Heard } from "../../src/model/heard.ts";
import { strictest, VERDICTS, type Verdict } from "../../src/model/verdict.ts";
import { callOf, guard, heard } from "../support/events.ts";

const gate = (verdict: Verdict, step = "mode"): GateReport => ({ verdict, because: `${step} says ${verdict}`, step, mode: "default" });

function merging(hooks: readonly Heard[], changes: Partial<Merging> = {}): Merging {
  const event = callOf("ls");
  return { given: event, event, heard: hooks, beforeGate: hooks, gate: null, floors: [], notices: [], ...changes };
}

const verdicts = fc.option(fc.constantFrom(...VERDICTS));
const voices = fc.array(verdicts, { maxLength: 8 });
const said = (all: readonly (Verdict | null)[]): Heard[] =>
  all.map((verdict, index) => heard(guard(`hook ${index}`), { verdict, reason: verdict && `because ${index}` }));

describe("the strictest verdict wins [P1]", () => {
  test("strictness is associative and does not depend on order", () => {
    fc.assert(
      fc.property(voices, voices, (left, right) => {
        const whole = strictest([...left, ...right]);
        expect(strictest([strictest(left), strictest(right)])).toBe(whole);
        expect(strictest([...right, ...left])).toBe(whole);
      }),
    );
  });

  test("the decision has the strictest verdict that any hook gave", () => {
    fc.assert(
      fc.property(voices, (all) => {
        expect(merge(merging(said(all))).verdict).toBe(strictest(all));
      }),
    );
  });

  test("a deny can't be undone by anything", () => {
    const gates = fc.option(fc.record({ verdict: fc.constantFrom(...VERDICTS), step: fc.constantFrom("mode", "allow", "ask", "deny") }));
    fc.assert(
      fc.property(voices, voices, gates, fc.nat(8), (before, after, asked, early) => {
        const hooks = said([...before, "deny", ...after]);
        const decision = merge(merging(hooks, { gate: asked && gate(asked.verdict, asked.step), beforeGate: hooks.slice(0, early) }));
        expect(decision.verdict).toBe("deny");
      }),
    );
  });

  test("no opinion at all is null, never allow [F8]", () => {
    expect(merge(merging(said([null, null])))).toMatchObject({ verdict: null, reason: null });
  });

  test("reasons of the winning verdict only, each once, in configured order", () => {
    const hooks = [
      heard(guard("a"), { verdict: "ask", reason: "weaker" }),
      heard(guard("b"), { verdict: "deny", reason: "one" }),
      heard(guard("c"), { verdict: "deny", reason: "two" }),
      heard(guard("d"), { verdict: "deny", reason: "one" }),
    ];
    expect(merge(merging(hooks)).reason).toBe("one\ntwo");
  });
});

describe("faults [F8]", () => {
  const broken = (onFault: Verdict): Heard => heard(guard("broken", undefined, { onFault }), { fault: { kind: "timeout", message: "no answer within 5 ms" } });

  test.each([
    ["allow", null, null],
    ["ask", "ask", "broken failed (no answer within 5 ms) and its onFault is ask"],
    ["deny", "deny", "broken failed (no answer within 5 ms) and its onFault is deny"],
  ] as const)("onFault %s decides %s", (onFault, verdict, reason) => {
    const decision = merge(merging([broken(onFault)]));
    expect(decision).toMatchObject({ verdict, reason, hooks: [{ verdict: null, fault: { kind: "timeout" } }] });
  });
});

describe("the gate", () => {
  test("[A6] a hook's allow answers the mode's question", () => {
    expect(merge(merging(said(["allow"]), { gate: gate("ask", "mode") })).verdict).toBe("allow");
  });

  test.each(["ask", "deny"])("[A6] a hook's allow does not answer a rule's %s", (step) => {
    const verdict = step === "ask" ? "ask" : "deny";
    expect(merge(merging(said(["allow"]), { gate: gate(verdict, step) })).verdict).toBe(verdict);
  });

  test("[A6] an allow that comes after the gate answers nothing", () => {
    expect(merge(merging(said(["allow"]), { gate: gate("ask", "mode"), beforeGate: [] })).verdict).toBe("ask");
  });

  test("a hook's ask is not softened by an allowing gate", () => {
    expect(merge(merging(said(["ask"]), { gate: gate("allow", "allow") })).verdict).toBe("ask");
  });

  test("[W9] the approval hook's question gives way to an allow of the gate or of another hook", () => {
    const approval = heard(guard("approval", undefined, { yields: true }), { verdict: "ask", reason: "an approver is asked" });
    expect(merge(merging([approval])).verdict).toBe("ask");
    expect(merge(merging([approval], { gate: gate("allow", "allow") })).verdict).toBe("allow");
    expect(merge(merging([approval, ...said(["allow"])])).verdict).toBe("allow");
    expect(merge(merging([approval, ...said(["deny"])])).verdict).toBe("deny");
  });

  test("floors hold whatever hooks and gate say [F6]", () => {
    const floors = [{ verdict: "ask", reason: "the input did not fit" }] as const;
    expect(merge(merging(said(["allow"]), { gate: gate("allow", "allow"), floors }))).toMatchObject({ verdict: "ask", reason: "the input did not fit" });
    expect(merge(merging(said(["deny"]), { floors })).verdict).toBe("deny");
  });
});

describe("effects", () => {
  test("[P2] keep configured order", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }), { maxLength: 6 }), (texts) => {
        const hooks = texts.map((all, index) => heard(guard(`h${index}`), { effects: all.map((text) => ({ kind: "context", text })) }));
        const decision = merge(merging(hooks));
        expect(decision.context).toEqual(texts.flat());
        expect(decision.hooks.map(({ name }) => name)).toEqual(hooks.map(({ hook }) => hook.name));
      }),
    );
  });

  test("each kind has its place, messages are said once", () => {
    const effects = [
      { kind: "feedback", text: "f" },
      { kind: "message", text: "m" },
      { kind: "message", text: "m" },
      { kind: "rule", allow: "Read" },
      { kind: "interrupt" },
    ] as const;
    expect(merge(merging([heard(guard("a"), { effects })]))).toMatchObject({ feedback: ["f"], messages: ["m"], rules: ["Read"], interrupt: true, context: [] });
  });

  test("[P4] the original input stays beside the rewritten one", () => {
    const decision = merge(merging([], { given: callOf("rm -rf /"), event: callOf("ls") }));
    expect(decision).toMatchObject({ input: { command: "ls" }, originalInput: { command: "rm -rf /" } });
  });
});

test("an event without the power of a verdict has none, whatever was said", () => {
  const isEvent = (name: string): name is EventName => Object.hasOwn(EVENTS, name);
  const powerless = Object.keys(EVENTS)
    .filter(isEvent)
    .filter((name) => !EVENTS[name].powers.some((power) => power === "verdict"));
  expect(powerless).toHaveLength(11);
  for (const name of powerless) expect(merge(merging(said(["deny"]), { event: { name }, given: { name } })).verdict).toBeNull();
});
