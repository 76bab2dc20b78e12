import type { Verdict } from "../../../src/model/verdict.ts";
import { evaluate } from "../../../src/permissions/evaluate.ts";
import type { Judgement } from "../../../src/permissions/judgement.ts";
import { compilePolicy } from "../../../src/permissions/rules.ts";
import { secondOpinion, type SecondOpinion } from "./evaluate.ts";
import { sceneOf, type Pair } from "./pairs.ts";

/** How two answers compare; the first three are unsafe. */
export type Kind = "allowed-denied" | "allowed-maybe" | "allowed-uncovered" | "asked-denied" | "unparsed" | "stricter" | "same";

export const UNSAFE: readonly Kind[] = ["allowed-denied", "allowed-maybe", "allowed-uncovered"];

/** Both answers to a pair. */
export interface Comparison {
  readonly kind: Kind;
  readonly first: Judgement;
  readonly second: SecondOpinion;
}

/** Asks both evaluators. */
export function compare(pair: Pair): Comparison {
  const scene = sceneOf(pair);
  const first = evaluate(pair.call, compilePolicy(pair.rules), scene);
  const second = secondOpinion(pair.call, pair.rules, scene);
  return { kind: kindOf(first, second), first, second };
}

function kindOf(first: Judgement, second: SecondOpinion): Kind {
  const order: readonly Verdict[] = ["allow", "ask", "deny"];
  if (first.verdict === second.verdict) return "same";
  if (order.indexOf(first.verdict) > order.indexOf(second.verdict)) return "stricter";
  if (second.reason === "unparsed") return "unparsed";
  if (first.verdict === "ask") return "asked-denied";
  if (second.reason === "deny") return "allowed-denied";
  return second.reason === "mode" ? "allowed-uncovered" : "allowed-maybe";
}

/** The smallest pair of the same kind that removing rules, words and characters reaches. */
export function shrink(pair: Pair, kind: Kind): Pair {
  let best = pair;
  for (let changed = true; changed;) {
    changed = false;
    for (const smaller of candidates(best)) {
      if (compare(smaller).kind !== kind) continue;
      best = smaller;
      changed = true;
      break;
    }
  }
  return best;
}

function* candidates(pair: Pair): Generator<Pair> {
  for (const index of pair.rules.keys()) yield { ...pair, rules: pair.rules.toSpliced(index, 1) };
  for (const key of Object.keys(pair.links)) yield { ...pair, links: Object.fromEntries(Object.entries(pair.links).filter(([from]) => from !== key)) };
  const command = pair.call.input["command"];
  if (typeof command !== "string") return;
  const tokens = command.match(/\s+|\w+|[^\w\s]/g) ?? [];
  for (const size of [8, 4, 2, 1]) {
    for (let at = 0; at + size <= tokens.length; at += 1) {
      yield { ...pair, call: { ...pair.call, input: { command: tokens.toSpliced(at, size).join("") } } };
    }
  }
}
