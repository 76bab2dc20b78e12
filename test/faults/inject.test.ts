/** Every call to the system may fail: no fault lets a call through that is denied or asked without it. A sample; `npm run faults:inject` does all. */
import { describe, expect, test } from "vitest";
import { SCENARIOS } from "./inject/scenarios.ts";
import { sweepCli, sweepLibrary } from "./inject/sweep.ts";

/** Every third call fails, each in another way. */
const SAMPLE = { step: 3, ways: "in turn", processes: 1 } as const;

describe("a call of the library that fails", () => {
  test.concurrent.each(SCENARIOS)("$name: it is denied or asked all the same, nothing hangs or is left behind", { timeout: 120_000 }, async (scenario) => {
    const { problems, runs } = await sweepLibrary(scenario, SAMPLE);
    expect(problems).toEqual([]);
    expect(runs).toBeGreaterThan(10);
  });
});

test("a call of the command line that fails: no exit 0 without a question or a denial", async () => {
  const [denies] = SCENARIOS;
  if (!denies) throw new Error("there is no scenario");
  const { problems, runs } = await sweepCli(denies, { ...SAMPLE, step: 20 });
  expect(problems).toEqual([]);
  expect(runs).toBeGreaterThan(4);
});
