import type { Decision } from "./decision.ts";

/** The decision as the specification writes it; what only a session needs stays out. */
export function decisionJson({ effects: _, id, result, gate, ...decision }: Decision): object {
  return { ...decision, ...(gate && { gate }), ...(result && { result }), ...(id !== undefined && { id }) };
}
