import { describe, expect, test } from "vitest";
import { isRight, judge, readCorpus, type CorpusCase } from "./corpus.ts";

const CORPUS = readCorpus("./corpus/bypass.jsonl");
const SIBLINGS = readCorpus("./siblings.jsonl");

function wrong(cases: readonly CorpusCase[]): readonly string[] {
  return cases.flatMap((one) => {
    const judgement = judge(one);
    return isRight(one, judgement)
      ? []
      : [`${one.id}: ${JSON.stringify(one.input)} is ${judgement.verdict}, not ${one.expect.join("/")} (${judgement.because})`];
  });
}

describe("the corpus of bypasses", () => {
  test("[A1] tier 1 is answered safely without exception", () => {
    expect(wrong(CORPUS.filter(({ tier }) => tier === 1))).toEqual([]);
  });
  test("[A1] tier 2 and 3 are answered safely without exception", () => {
    expect(wrong(CORPUS.filter(({ tier }) => tier > 1))).toEqual([]);
  });
  test("[A1] no benign command is asked in vain", () => {
    expect(wrong(CORPUS.filter(({ kind }) => kind === "must_allow"))).toEqual([]);
  });
  test.each([...new Set(SIBLINGS.map(({ cat }) => cat))])("[A1] siblings of the kind %s are answered safely", (cat) => {
    expect(wrong(SIBLINGS.filter((one) => one.cat === cat))).toEqual([]);
  });
  test("[A10] every answer explains itself in one sentence", () => {
    const reasons = [...CORPUS, ...SIBLINGS].map((one) => judge(one).because);
    expect(reasons.filter((because) => !/^[A-Z].*\.$/s.test(because))).toEqual([]);
  });
});
