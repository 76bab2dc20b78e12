/** Every call to the system may fail: no fault lets a call through that is denied or asked without it. A sample; `npm run faults:inject` does all. */
import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { CLIENT, DAEMON_WAYS, STDINS, sweepClient, sweepDaemon } from "./inject/daemon.ts";
import { SCENARIOS } from "./inject/scenarios.ts";
import { sweepCli, sweepLibrary } from "./inject/sweep.ts";

/** Every third call fails, each in another way. */
const SAMPLE = { step: 3, ways: "in turn", processes: 1 } as const;

describe("a call of the library that fails", () => {
  test.concurrent.each(SCENARIOS.filter(({ needs: program }) => program === undefined || !needs(program)))(
    "$name: it is denied or asked all the same, nothing hangs or is left behind",
    { timeout: 120_000 },
    async (scenario) => {
      const { problems, runs } = await sweepLibrary(scenario, SAMPLE);
      expect(problems).toEqual([]);
      expect(runs).toBeGreaterThan(10);
    },
  );
});

const [denies, asks] = SCENARIOS;
if (!denies || !asks) throw new Error("there is no scenario");

test("a call of the command line that fails: no exit 0 without a question or a denial", async () => {
  const { problems, runs } = await sweepCli(denies, { ...SAMPLE, step: 20 });
  expect(problems).toEqual([]);
  expect(runs).toBeGreaterThan(4);
});

describe.skipIf(process.platform !== "linux")("a call of the daemon or of its client that fails", () => {
  test.each(DAEMON_WAYS.flatMap((way) => STDINS.map((stdin) => ({ way, stdin, step: way === "that is just starting" ? 60 : 15 }))))(
    "a daemon $way, stdin a $stdin: no client gets more than without it, or waits for ever",
    { timeout: 240_000 },
    async ({ way, stdin, step }) => {
      const { problems, runs } = await sweepDaemon(denies, way, { ...SAMPLE, step, stdin });
      expect(problems).toEqual([]);
      expect(runs).toBeGreaterThan(6);
    },
  );

  test.skipIf(needs("strace")).each([
    { name: "a denial", scenario: denies, stdin: "socket" as const },
    { name: "a question", scenario: asks, stdin: "pipe" as const },
  ])("the shell that is the client, $name, stdin a $stdin: it exits with 2, or Node answers", { timeout: 240_000 }, async ({ scenario, stdin }) => {
    const { problems, runs } = await sweepClient(scenario, { ...SAMPLE, step: 24, stdin });
    expect(problems).toEqual([]);
    expect(runs).toBeGreaterThan(6);
  });

  test("the shell reads its script in one piece: half of one that ends early would let the call go on", () => {
    expect(statSync(CLIENT).size).toBeLessThan(8_192);
  });
});
