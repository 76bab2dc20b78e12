import { describe, expect, test } from "vitest";
import { findObjects } from "../../src/lib/json-scan.ts";
import * as fc from "fast-check";

const valuesIn = (text: string): readonly unknown[] => {
  const scan = findObjects(text);
  return scan.kind === "found" ? scan.objects.map(({ value }) => value) : [scan.kind];
};

describe("finds", () => {
  test.each<[string, string, readonly unknown[]]>([
    ["a whole text", '{"a":1}', [{ a: 1 }]],
    ["nothing in prose", "no braces here", []],
    ["nothing in an empty text", "", []],
    ["text before and after", 'x {"a":1} y', [{ a: 1 }]],
    ["two objects in order", '{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }]],
    ["braces inside strings", 'x {"a":"}{"} y', [{ a: "}{" }]],
    ["escaped quotes inside strings", 'x {"a":"\\"}"} y', [{ a: '"}' }]],
    ["an escaped backslash at the end of a string", 'x {"a":"\\\\"} y', [{ a: "\\" }]],
    ["an object inside braces that are no JSON", 'fn() { {"a":1} }', [{ a: 1 }]],
    ["the outer of nested objects, once", 'x {"a":{"b":{}}} y', [{ a: { b: {} } }]],
    ["an object after one that stays open", '{ "a": \n{"b":1}', [{ b: 1 }]],
    ["an object inside a list", '[{"a":1}]', [{ a: 1 }]],
    ["no list and no number by itself", "[1, 2] 3", []],
    ["__proto__ as an own key", 'x {"__proto__":{"a":1}}', [JSON.parse('{"__proto__":{"a":1}}')]],
  ])("%s", (_, text, values) => {
    expect(valuesIn(text)).toEqual(values);
  });

  test("where each object stood", () => {
    expect(findObjects('ab {"c":1} d')).toEqual({ kind: "found", objects: [{ value: { c: 1 }, start: 3, end: 10 }] });
  });
});

describe("bounds", () => {
  test.each([
    ["open braces", "{".repeat(500_000)],
    ["half objects", '{"a":'.repeat(200_000)],
    ["closed pairs that are no JSON", "{x}".repeat(300_000)],
    ["closed pairs that nearly are", '{"x"}'.repeat(200_000)],
    ["blanks after open braces", `{${" ".repeat(1_000)}`.repeat(1_000)],
    ["deep nesting", `x ${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
  ])("a text of %s ends soon", (_, text) => {
    const started = performance.now();
    findObjects(text);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  test("giving up is a result", () => {
    expect(findObjects('{"a":'.repeat(200_000))).toEqual({ kind: "too-much" });
  });
});

describe("properties", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
  const noise = fc.string({ unit: "binary" }).map((text) => text.replace(/[{}]/g, ""));

  test("an object in noise without braces is found, whatever it holds", () => {
    fc.assert(
      fc.property(objects, noise, noise, (object, before, after) => {
        const text = JSON.stringify(object);
        const [found] = valuesIn(`${before}${text}${after}`);
        expect(JSON.stringify(found)).toBe(text);
      }),
    );
  });

  test("several objects are found in order", () => {
    fc.assert(
      fc.property(fc.array(objects, { minLength: 1, maxLength: 5 }), noise, (all, between) => {
        const texts = all.map((object) => JSON.stringify(object));
        expect(valuesIn(texts.join(`\n${between}\n`)).map((value) => JSON.stringify(value))).toEqual(texts);
      }),
    );
  });
});
