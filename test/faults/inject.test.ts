/** Every call to the system may fail: no fault lets a call through that is denied or asked without it. A sample; `npm run faults:inject` does all. */
import { describe, expect, test } from "vitest";
import { SCENARIOS } from "./inject/scenarios.ts";
import { sweepCli, sweepLibrary, WAYS } from "./inject/sweep.ts";

describe("a call of the library that fails", () => {
  test.concurrent.each(SCENARIOS)("$name: it is denied or asked all the same, nothing hangs or is left behind", async (scenario) => {
    const { problems, runs, calls } = await sweepLibrary(scenario, { step: 1, waysAt: (place) => [WAYS[place % WAYS.length] ?? "EIO"], processes: 1 });
    expect(problems).toEqual([]);
    expect(runs).toBe(calls);
  });
});

test("a call of the command line that fails: no exit 0 without a question or a denial", async () => {
  const [denies] = SCENARIOS;
  if (!denies) throw new Error("there is no scenario");
  const { problems, runs } = await sweepCli(denies, { step: 9, waysAt: (place) => [WAYS[place % WAYS.length] ?? "EIO"], processes: 2 });
  expect(problems).toEqual([]);
  expect(runs).toBeGreaterThan(3);
});
