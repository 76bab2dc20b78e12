/** Where context of hooks goes in the conversation. Pure. */
import { dialectById } from "../dialects/index.ts";
import type { Decision } from "../model/decision.ts";

/** Context of one decision, by place. */
export interface PlacedContext {
  readonly reminder: readonly string[];
  readonly system: readonly string[];
  /** Text that replaces what the same slot held before. */
  readonly slots: ReadonlyMap<string, string>;
}

/** Sorts a decision's context by what each hook's dialect says of its place. */
export function placeContext(decision: Decision): PlacedContext {
  const reminder: string[] = [];
  const system: string[] = [];
  const slots = new Map<string, string>();
  for (const { dialect, effect } of decision.effects) {
    if (effect.kind !== "context") continue;
    if (effect.slot !== undefined) slots.set(effect.slot, [...(slots.has(effect.slot) ? [slots.get(effect.slot) ?? ""] : []), effect.text].join("\n"));
    else (dialectById(dialect)?.contextPlace === "system" ? system : reminder).push(effect.text);
  }
  return { reminder, system, slots };
}

/** Context given before a tool that goes into a message of its own; the rest belongs behind the result. */
export function placeToolContext(decision: Decision): { readonly result: readonly string[]; readonly message: readonly string[] } {
  const result: string[] = [];
  const message: string[] = [];
  for (const { dialect, effect } of decision.effects) {
    if (effect.kind === "context") (dialectById(dialect)?.toolContext === "message" ? message : result).push(effect.text);
  }
  return { result, message };
}

/** One block that the model reads as a reminder. A closing tag inside is escaped: a hook can't speak as the user. */
export function reminderBlock(texts: readonly string[]): string {
  const body = texts.map((text) => text.trim().replaceAll(/<(\/?)system-reminder>/g, "&lt;$1system-reminder&gt;"));
  return body.length > 0 ? `<system-reminder>\n${body.join("\n")}\n</system-reminder>` : "";
}

/** Blocks before the user's own words. */
export function withBlocks(blocks: readonly string[], prompt: string): string {
  return [...blocks.filter((block) => block !== ""), prompt].join("\n\n");
}
