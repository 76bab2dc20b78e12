import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonCopy } from "../../src/lib/json.ts";

const items = fc.oneof(
  fc.string(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom<unknown>(null, undefined, 7n, Symbol("s"), () => 1, [1], { deep: { er: 1 } }, new Date(0), [undefined]),
);
const keys = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "0"));

test("a flat object is copied as it would be inside another one", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, items)), (pairs) => {
      const value = Object.fromEntries(pairs);
      const alone = jsonCopy(value);
      const inside = jsonCopy([value]);
      expect([alone.value]).toEqual(inside.value);
      expect(alone.lost.map((path) => `0.${path}`)).toEqual(inside.lost);
      expect(Object.getPrototypeOf(alone.value)).toBe(Object.prototype);
    }),
  );
});

test.each([
  [
    "a class with toJSON",
    new (class {
      toJSON() {
        return { a: 1 };
      }
    })(),
    { a: 1 },
  ],
  ["an object with toJSON", { b: 2, toJSON: () => ({ a: 1 }) }, { a: 1 }],
  ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  [
    "a getter",
    {
      get a() {
        return 1;
      },
    },
    { a: 1 },
  ],
])("%s", (_, value, copy) => expect(jsonCopy(value)).toEqual({ value: copy, lost: [] }));
