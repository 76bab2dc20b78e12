/** Texts beyond single commands that a rule may name: pipelines, and keywords with what follows them. */
import { HOLE, SPLIT_HOLE } from "../holes.ts";
import type { Assign, Token, Unit } from "./tree.ts";
import type { Collector, Frame } from "./walk-scope.ts";

/** The direct commands of a pipeline as one text. */
export function pipelineText(units: readonly Unit[], depth: number): string {
  const direct = units.filter((unit) => unit.depth === depth);
  return direct.map((unit) => unit.tokens.map((token) => token.value).join(" ")).join(" | ");
}

/** `time x`, `! x` and `coproc x` as written: a rule may name the keyword, though it is no command. */
export function keyword(
  node: { readonly pos: number; readonly end: number },
  first: { readonly pos: number } | undefined,
  unit: Unit | undefined,
  frame: Frame,
  out: Collector,
): void {
  const { source } = frame.scope.entry.origin;
  out.pipelines.push(() => source.slice(node.pos, node.end));
  if (first === undefined || unit === undefined) return;
  const words = source.slice(node.pos, first.pos).trim();
  out.pipelines.push(
    () => `${words} ${unit.raw}`,
    () => [words, ...unit.assigns.map(({ raw }) => raw), unit.raw].join(" "),
    () => words + unit.assigns.map(assigned).join("") + unit.tokens.map(looseWord).join(""),
  );
}

/** Behind a blank, unquoted, with the sign as written: `A+=x` is not `A=x`. */
function assigned({ raw, value }: Assign): string {
  return ` ${raw.slice(0, raw.indexOf("=") + 1)}${value?.value ?? HOLE}`;
}

/** A word behind a blank, which vanishes with a word that may. */
function looseWord({ splits, value }: Token): string {
  return splits ? SPLIT_HOLE : ` ${value}`;
}

/** The first command of this text itself that was found since; those of substitutions in its words come before it. */
export function unitFrom(place: number, frame: Frame, out: Collector): Unit | undefined {
  for (let at = place; at < out.units.length; at += 1) if (out.units[at]?.depth === frame.scope.entry.depth) return out.units[at];
  return undefined;
}
