import { expect, test } from "vitest";
import { takesNothing } from "../../src/lib/function.ts";

test("only an arrow function without parameters can't see what it is called with", () => {
  const nothing = [() => 1, async () => 1, () => ({ a: (b: number) => b })];
  const something = [
    (a: unknown) => a,
    async (a: unknown) => a,
    (...all: unknown[]) => all,
    (a = 1) => a,
    ({ a }: { a?: number } = {}) => a,
    function () {},
    function () {
      return arguments; // oxlint-disable-line prefer-rest-params -- that is what is looked for
    },
    async function () {},
    (() => 1).bind(null), // oxlint-disable-line no-extra-bind -- a function that is bound does not show its parameters
    Math.random,
  ];
  expect(nothing.map(takesNothing)).toEqual(nothing.map(() => true));
  expect(something.map(takesNothing)).toEqual(something.map(() => false));
});
