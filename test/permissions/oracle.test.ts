import { describe, expect, test } from "vitest";
import { bypasses, FILE_WATCHES, watchesFor } from "./oracle/bypass.ts";
import { runInJail, whyNoJail } from "./oracle/jail.ts";
import { FILE_SEEDS, mutate, SEEDS } from "./oracle/mutate.ts";
import { seeded } from "./second/random.ts";

/** Mutants in the suite; `npm run oracle` for the long run. */
const MUTANTS = 150;
const reason = whyNoJail();

describe("the execution oracle", () => {
  test.runIf(process.env["CI"] === "true")("a jail can be made where it must be", () => {
    expect(reason).toBeUndefined();
  });
  test.skipIf(reason !== undefined)(
    `[A2] ${MUTANTS} mutated commands in a real bash: nothing denied runs with the gate's consent${reason === undefined ? "" : ` (${reason})`}`,
    () => {
      const random = seeded(20_261_115);
      const mutants = Array.from({ length: MUTANTS }, () => {
        const seed = random.pick([...SEEDS, ...SEEDS, ...FILE_SEEDS]);
        return { text: mutate(seed, random), watches: seed.denies.length === 0 ? FILE_WATCHES : watchesFor(seed) };
      });
      const traces = runInJail(mutants.map(({ text }) => text));
      const ran = traces.filter((trace) => trace.ran.length > 0 || trace.leaked || trace.written);
      // Mutations of mutations often break the command; a jail in which nothing runs would show nothing.
      expect(ran.length).toBeGreaterThan(MUTANTS / 3);
      const found = mutants.flatMap(({ text, watches }, index) => bypasses(text, watches, traces[index] ?? { ran: [], leaked: false, written: false }));
      expect(found.map(({ text, watch }) => ({ text, rules: watch.rules.slice(0, 3) }))).toEqual([]);
    },
    120_000,
  );
});
