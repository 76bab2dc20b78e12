/** One scene as people read it: what happens, what each hook said, what came of it. Pure. */
import type { Decision } from "../../model/decision.ts";
import type { HookEvent } from "../../model/events.ts";
import { asText } from "../../dialects/payload.ts";
import { closingLines, noteLines, rowLines, type Look } from "./layout.ts";
import { rowsOf, type RowContext } from "./rows.ts";
import type { Scene } from "./script.ts";

/** The lines of one scene, with a blank line after it. */
export function sceneLines(
  { tell, event }: Scene,
  decision: Decision,
  { look, context }: { readonly look: Look; readonly context: RowContext },
): readonly string[] {
  const rows = rowsOf(decision, context).flatMap((row) => rowLines(row, look));
  const notes = decision.notices.filter(({ kind }) => kind === "answer" || kind === "rewrite").flatMap(({ message }) => noteLines(message, look));
  const outcome = closing(decision, event).replaceAll(`${context.root}/`, "");
  return [...headLines({ subject: subjectOf(event), tell: `${event.name}: ${tell}` }, look), ...rows, ...notes, ...closingLines(outcome, look), ""];
}

/** What is about to happen, on one line where it fits. */
function headLines({ subject, tell }: { readonly subject: string; readonly tell: string }, { columns, paint }: Look): readonly string[] {
  if (subject.length + 2 + tell.length <= columns) return [`${paint("bold", subject)}  ${paint("dim", tell)}`];
  return [paint("bold", subject), `  ${paint("dim", tell)}`];
}

/** The prompt or the call as a person would write it. */
function subjectOf({ tool, prompt }: HookEvent): string {
  if (prompt !== undefined) return `> ${prompt}`;
  if (!tool) return "● Session";
  const argument = tool.input["command"] ?? tool.input["file_path"] ?? tool.input["url"];
  return `● ${tool.name}  ${asText(argument ?? tool.input)}`;
}

/** What the model or the user gets to see in the end. */
function closing({ verdict, reason, input, originalInput, result, context, messages, hooks }: Decision, { tool }: HookEvent): string {
  const rewritten = JSON.stringify(input) === JSON.stringify(originalInput) ? "" : `, rewritten to: ${asText(input?.["command"] ?? input)}`;
  if (verdict === "deny" && result) return `denied; the model is told: ${asText(result.output)}`;
  if (verdict === "deny") return `denied: ${reason ?? "no reason given"}`;
  if (verdict === "ask") return `a person is asked${rewritten}: ${reason ?? "no reason given"}`;
  if (result) return `the model sees: ${asText(result.output)}`;
  if (context.length > 0) return `the model reads first: ${context.join(" · ")}`;
  if (messages.length > 0) return `the user reads: ${messages.join(" · ")}`;
  if (!tool) return "nothing to add";
  return `the call runs${rewritten}${hooks.some(({ fault }) => fault) ? ", as if the broken hook were not there" : ""}`;
}
