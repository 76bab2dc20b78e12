import { expect, test } from "vitest";
import { fitsWildcards } from "../../src/lib/wildcards.ts";

test.each<[name: string, pattern: string, fits: boolean]>([
  ["a.sh", "*.sh", true],
  ["a.sh", "?.sh", true],
  ["a.sh", "[ab].sh", true],
  ["ab.sh", "?.sh", false],
  ["a.sh", "a.sh*", true],
  ["a.sh", "b*", false],
  ["", "*", true],
  ["xaby", "*a*b*", true],
  ["a".repeat(250), `${"a*".repeat(60)}b`, false],
])("%s fits %s: %s", (name, pattern, fits) => {
  expect(fitsWildcards(name, pattern)).toBe(fits);
});
