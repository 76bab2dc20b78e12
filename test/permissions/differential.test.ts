import { describe, expect, test } from "vitest";
import { isRight, readCorpus } from "./corpus.ts";
import { compare, UNSAFE, type Kind } from "./second/compare.ts";
import { secondOpinion } from "./second/evaluate.ts";
import { judgeFinding, readFindings } from "./second/findings.ts";
import { randomPairs } from "./second/pairs.ts";
import { seeded } from "./second/random.ts";

/** Pairs in the suite; `npm run differential` for the long run. */
const PAIRS = 2_000;
/** Far above what it takes: a busy machine is no disagreement. */
const LIMIT_MS = 180_000;
const SETS = 4;
const FINDINGS = readFindings(new URL("findings.jsonl", import.meta.url));

/** What the second evaluator leaves to the first: programs it has no table for, and files that are protected. */
const KNOWN_TO_FIRST_ONLY = /carrier|path|wrapper|redirect|var|subst|rules|quote|compound/;

describe("the second evaluator", () => {
  test(
    `[A1] ${PAIRS} random questions: the first is nowhere looser than the second`,
    () => {
      const random = seeded(20_261_115);
      const unsafe: string[] = [];
      const counts = new Map<Kind, number>();
      for (let asked = 0; asked < PAIRS; asked += SETS) {
        for (const pair of randomPairs(random, SETS)) {
          const { kind, first, second } = compare(pair);
          counts.set(kind, (counts.get(kind) ?? 0) + 1);
          if (UNSAFE.includes(kind)) unsafe.push(`${kind}: ${JSON.stringify(pair)} first ${first.verdict}, second ${second.verdict} (${second.detail})`);
        }
      }
      expect(unsafe).toEqual([]);
      // Both must have an opinion on nearly everything, or agreement would mean nothing.
      expect(counts.get("same") ?? 0).toBeGreaterThan(PAIRS * 0.9);
      expect(counts.get("unparsed") ?? 0).toBeLessThan(PAIRS * 0.05);
    },
    LIMIT_MS,
  );
  test("[A1] it answers the corpus without the first one's tables", () => {
    const loose = readCorpus("./corpus/bypass.jsonl").filter(
      (one) =>
        one.tier === 1 &&
        one.kind !== "must_allow" &&
        !isRight(one, {
          ...secondOpinion({ name: one.tool, input: one.input }, one.rules, one.scene),
          because: "",
          step: "mode",
          mode: one.scene.mode,
          spoke: [],
          commands: [],
          doubts: [],
        }),
    );
    expect(loose.filter(({ cat }) => !KNOWN_TO_FIRST_ONLY.test(cat))).toEqual([]);
    expect(loose.length).toBeLessThanOrEqual(16);
  });
});

describe("findings", () => {
  test("[A1] every case that was once answered unsafely is kept safe", () => {
    expect(FINDINGS.length).toBeGreaterThan(0);
    const wrong = FINDINGS.flatMap((one) => {
      const { verdict } = judgeFinding(one);
      return one.unsafe.includes(verdict) ? [`${one.id}: ${JSON.stringify(one.input)} is ${verdict} (${one.why})`] : [];
    });
    expect(wrong).toEqual([]);
  });
});
