/** What a decision does to the tool result, as the model will see it. Pure. */
import { dialectById } from "../dialects/index.ts";
import { asText } from "../dialects/payload.ts";
import type { Decision, ToolResult } from "../model/decision.ts";
import { EVENTS, type HookEvent } from "../model/events.ts";

/** The decision with its tool result, where the event has one. */
export function apply(decision: Decision, event: HookEvent): Decision {
  const { result } = EVENTS[decision.event];
  if (!event.tool || result === null) return decision;
  if (result === "of-ended") return { ...decision, result: endedResult(decision, event) };
  return decision.verdict === "deny" ? { ...decision, result: deniedResult(decision) } : decision;
}

/** The model is told why: the reason, or in a dialect that says so all messages of its hooks. */
function deniedResult(decision: Decision): ToolResult {
  const speaker = decision.hooks.find((hook) => hook.verdict === "deny" && speaksInMessages(hook.dialect))?.dialect;
  const messages = decision.effects.flatMap(({ dialect, effect }) => (dialect === speaker && effect.kind === "feedback" ? [effect.text] : []));
  return { output: messages.length > 0 ? messages.join("\n") : (decision.reason ?? "denied"), isError: true };
}

/** Tool output, then the hooks' feedback under its label, then context that belongs to the result. */
function endedResult(decision: Decision, { tool }: HookEvent): ToolResult {
  const denied = decision.verdict === "deny";
  const isError = denied || (tool?.isError ?? false);
  const saidElsewhere = decision.hooks.some((hook) => hook.verdict === "deny" && speaksInMessages(hook.dialect));
  const feedback = [...decision.feedback, ...(denied && !saidElsewhere && decision.reason !== null ? [decision.reason] : [])];
  const label = denied ? "Hook feedback (denied):" : "Hook feedback:";
  const before = tool?.earlier?.feedback ?? [];
  const additions = [...section("Hook feedback:", before), ...section(label, feedback), ...(tool?.earlier?.context ?? []), ...decision.context];
  if (additions.length === 0) return { output: tool?.output ?? "", isError };
  return { output: [asText(tool?.output ?? ""), ...additions].join("\n\n"), isError };
}

function section(label: string, lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? [`${label}\n${lines.join("\n")}`] : [];
}

function speaksInMessages(dialect: string): boolean {
  return dialectById(dialect)?.deniedResult === "messages";
}
