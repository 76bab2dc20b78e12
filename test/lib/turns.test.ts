import { expect, test } from "vitest";
import { turn } from "../../src/lib/turns.ts";

function busy(milliseconds: number): void {
  for (const started = performance.now(); performance.now() - started < milliseconds;);
}

const settled = async (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

test("one alone begins at once", async () => {
  await settled();
  expect(turn()).toBe(undefined);
  await settled();
  expect(turn()).toBe(undefined);
});

test("a crowd begins in its order, and the event loop turns meanwhile", async () => {
  await settled();
  const begun: number[] = [];
  let turns = 0;
  let watching = true;
  const watch = (): void => {
    turns += 1;
    if (watching) setImmediate(watch);
  };
  setImmediate(watch);
  const begin = (index: number): void => {
    begun.push(index);
    busy(0.6);
  };
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const mine = turn();
      if (mine) await mine;
      begin(index);
    }),
  );
  watching = false;
  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(turns).toBeGreaterThan(5);
});
