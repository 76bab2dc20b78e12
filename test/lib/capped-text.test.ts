import { expect, test } from "vitest";
import { CappedText } from "../../src/lib/capped-text.ts";
import * as fc from "fast-check";

test("[F2] a character split over two chunks comes out whole, wherever it is cut", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), fc.array(fc.nat(120), { maxLength: 6 }), (text, cuts) => {
      const bytes = Buffer.from(text);
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((left, right) => left - right), bytes.length];
      const collected = new CappedText(1_000);
      for (const [index, start] of places.entries()) collected.write(bytes.subarray(start, places[index + 1] ?? bytes.length));
      expect(collected.end()).toBe(text);
    }),
  );
});

test("[F7] exactly the limit is kept, one byte more is over", () => {
  const exact = new CappedText(4);
  exact.write(Buffer.from("abcd"));
  expect([exact.end(), exact.over, exact.bytes]).toEqual(["abcd", false, 4]);
  exact.write(Buffer.from("e"));
  expect([exact.end(), exact.over, exact.bytes]).toEqual(["abcd", true, 5]);
});

test("half a character at the end is a replacement character", () => {
  const cut = new CappedText(10);
  cut.write(Buffer.from("é").subarray(0, 1));
  expect(cut.end()).toBe("\uFFFD");
});
