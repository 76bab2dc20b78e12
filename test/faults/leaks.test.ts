/** A small part of `npm run leaks` and `npm run soak`: many hooks at once, many of them broken, leave nothing behind. */
import { expect, test } from "vitest";
import { soak, type SoakOptions } from "./soak.ts";

test.each([
  ["processes", "spawn", 70],
  ["processes", "zygote", 70],
  ["everything", "auto", 150],
] as const)("%s by %s: %i hook runs, 64 at once, leave no process, descriptor or file", { timeout: 90_000 }, async (mix, launcher, runs) => {
  const options: SoakOptions = { mix, launcher, atOnce: 64, seed: 3, goesOn: (events) => events < runs, lookMs: Infinity, onLook: () => {} };
  await soak({ ...options, goesOn: (events) => events < 8 }); // what this process opens once, for itself
  const { problems, events, looks } = await soak(options);
  expect(problems).toEqual([]);
  expect(events).toBeGreaterThanOrEqual(runs);
  expect(looks.at(-1)).toMatchObject({ processes: 0, files: 0 });
});
