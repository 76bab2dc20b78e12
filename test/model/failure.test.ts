/** What happens when a hook fails, by kind of failure. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completePolicy, FAILURE_KINDS, policyText, stricterPolicy, verdictOnFault, type FailureKind, type FaultPolicy } from "../../src/model/failure.ts";
import type { Fault } from "../../src/model/outcome.ts";
import { VERDICTS, type Verdict } from "../../src/model/verdict.ts";

const fault = (kind: Fault["kind"], failure?: FailureKind): Fault => ({ kind, message: "", ...(failure && { failure }) });

describe("a policy by kind of failure", () => {
  // prettier-ignore
  const rows: readonly (readonly [string, FaultPolicy, Fault, Verdict])[] = [
    ["one word is for every failure",                     "deny",                                                 fault("answer", "badJson"),       "deny"],
    ["the kind itself",                                   { timeout: "deny", default: "allow" },                  fault("timeout"),                 "deny"],
    ["a kind that is not named: the default",             { timeout: "deny", default: "allow" },                  fault("signal"),                  "allow"],
    ["the wider kind, where the narrow is not named",     { badOutput: "deny", default: "allow" },                fault("answer", "partialJson"),   "deny"],
    ["the narrow kind before the wider",                  { badOutput: "deny", badJson: "ask", default: "allow" }, fault("answer", "badJson"),      "ask"],
    ["a narrow word may also be looser",                  { notStarted: "deny", notFound: "allow", default: "ask" }, fault("not-started", "notFound"), "allow"],
    ["an answer that can't be read is bad output",        { badOutput: "deny", default: "allow" },                fault("answer"),                  "deny"],
    ["the event's time is a timeout",                     { timeout: "deny", default: "allow" },                  fault("timeout", "eventTimeout"), "deny"],
    ["exit 127 is not found",                             { notFound: "deny", default: "allow" },                 fault("exit", "notFound"),        "deny"],
    ["exit 127 is also an exit",                          { exit: "deny", default: "allow" },                     fault("exit", "notFound"),        "deny"],
    ["exit 127: of two words the stricter",               { exit: "deny", notFound: "allow", default: "allow" },  fault("exit", "notFound"),        "deny"],
    ["exit 127: one word alone is not overruled",         { notFound: "allow", default: "deny" },                 fault("exit", "notFound"),        "allow"],
    ["a callback that does not exist",                    { notFound: "deny", default: "allow" },                 fault("callback"),                "deny"],
    ["a server's status is a crash",                      { crash: "deny", default: "allow" },                    fault("http"),                    "deny"],
  ];
  test.each(rows)("%s", (_, policy, given, verdict) => {
    expect(verdictOnFault(policy, given)).toBe(verdict);
  });

  test("what its owner does not say is the dialect's default", () => {
    expect(completePolicy({ timeout: "deny" }, "ask")).toEqual({ timeout: "deny", default: "ask" });
    expect(completePolicy(null, "allow")).toBe("allow");
  });

  test("in words", () => {
    expect([policyText("ask"), policyText({ exit: "allow", timeout: "deny", default: "ask" })]).toEqual(["ask", "timeout deny, exit allow, else ask"]);
  });

  const verdicts = fc.constantFrom(...VERDICTS);
  const policies: fc.Arbitrary<FaultPolicy> = fc.oneof(
    verdicts,
    fc
      .record({ named: fc.dictionary(fc.constantFrom(...FAILURE_KINDS), verdicts), otherwise: verdicts })
      .map(({ named, otherwise }) => ({ ...named, default: otherwise })),
  );
  const faults = fc.constantFrom(
    ...(["exit", "signal", "timeout", "not-started", "oversized", "answer", "exception", "http", "callback"] as const).map((kind) => fault(kind)),
    fault("exit", "notFound"),
    fault("exit", "notExecutable"),
    fault("answer", "partialJson"),
    fault("timeout", "eventTimeout"),
    fault("not-started", "tooBig"),
    fault("not-started", "refused"),
  );

  test("of two policies for one hook neither is loosened [P6]", () => {
    fc.assert(
      fc.property(policies, policies, faults, (left, right, given) => {
        const both = VERDICTS.indexOf(verdictOnFault(stricterPolicy(left, right), given));
        expect(both).toBeGreaterThanOrEqual(Math.max(...[left, right].map((policy) => VERDICTS.indexOf(verdictOnFault(policy, given)))));
      }),
    );
  });
});
