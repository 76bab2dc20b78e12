// tsx scripts/differential.ts [--pairs N] [--seed S] [--minutes M] [--keep]: two evaluators, random questions, no unsafe disagreement.
import { appendFileSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { compare, shrink, UNSAFE, type Kind } from "../test/permissions/second/compare.ts";
import { toFinding } from "../test/permissions/second/findings.ts";
import { randomPairs, type Pair } from "../test/permissions/second/pairs.ts";
import { seeded } from "../test/permissions/second/random.ts";

const FINDINGS = new URL("../test/permissions/findings.jsonl", import.meta.url);
/** Sets of rules asked for one call: parsing is what costs time here. */
const SETS = 4;
/** Findings shown and kept in one run. */
const SHOWN = 40;

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "600" },
    keep: { type: "boolean", default: false },
  },
});
const wanted = Number(values.pairs);
const random = seeded(Number(values.seed));
const started = performance.now();
const counts = new Map<Kind, number>();
const seen = new Set<string>();
let asked = 0;

while (asked < wanted && performance.now() - started < Number(values.minutes) * 60_000) {
  for (const pair of randomPairs(random, SETS)) {
    const { kind } = compare(pair);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    asked += 1;
    if (UNSAFE.includes(kind) && seen.size < SHOWN) report(pair, kind);
  }
}

const seconds = (performance.now() - started) / 1_000;
const unsafe = UNSAFE.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
console.log(`${asked} pairs, seed ${values.seed}, ${seconds.toFixed(0)} s (${Math.round(asked / seconds)} a second): ${unsafe} unsafe`);
for (const [kind, count] of [...counts].toSorted(([, left], [, right]) => right - left)) console.log(`  ${kind.padEnd(18)} ${count}`);
process.exitCode = unsafe === 0 ? 0 : 1;

function report(pair: Pair, kind: Kind): void {
  const small = shrink(pair, kind);
  const { first, second } = compare(small);
  const finding = toFinding(small, { kind, first, second });
  const key = JSON.stringify([finding.rules, finding.mode, finding.input, finding.fs]);
  if (seen.has(key)) return;
  seen.add(key);
  console.log(
    `${kind}: ${JSON.stringify(finding.rules)} ${finding.mode} ${JSON.stringify(finding.input)} ${JSON.stringify(small.links)}\n    first ${first.verdict} (${first.step}), second ${second.verdict} (${second.reason}: ${second.detail})`,
  );
  if (values.keep && !readFileSync(FINDINGS, "utf8").includes(JSON.stringify(finding.input))) appendFileSync(FINDINGS, `${JSON.stringify(finding)}\n`);
}
