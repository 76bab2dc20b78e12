import * as fc from "fast-check";
import { expect, test } from "vitest";
import { copyOf } from "../../src/lib/copy.ts";

test("a copy is equal, and shares no object with the original", () => {
  const objects = (value: unknown): object[] => (typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(objects)] : []);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = copyOf(value);
      expect(copy).toEqual(value);
      const originals = new Set(objects(value));
      expect(objects(copy).filter((each) => originals.has(each))).toEqual([]);
    }),
  );
});

test("keys that mean something to objects are keys like any other", () => {
  const text = '{"__proto__":{"a":{"b":1}},"constructor":{"c":2},"toString":null}';
  const copy = copyOf(JSON.parse(text));
  expect(JSON.stringify(copy)).toBe(text);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test("what is no plain object is cloned as a whole", () => {
  const at = new Date(0);
  const copy = copyOf({ at, map: new Map([["a", [1]]]), bare: Object.assign(Object.create(null), { a: 1 }) });
  expect(copy).toEqual({ at: new Date(0), map: new Map([["a", [1]]]), bare: { a: 1 } });
  expect(Object(copy).at).not.toBe(at);
});
