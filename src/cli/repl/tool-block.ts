/** The lines of one tool call: its head, and what came of it. */
import type { ToolUse } from "../../session/messages.ts";
import type { Folders } from "../render/paths.ts";
import { pad, shorten, widthOf } from "../render/text.ts";
import { cleanLine, cleanText } from "./clean.ts";
import type { DecisionView } from "./decision-view.ts";
import { belowLines, branch, closingLines, type Look } from "./layout.ts";
import { durationText } from "./numbers.ts";
import { rewriter } from "./rows.ts";
import { callSubject } from "./tool-text.ts";

/** Lines of a result that are shown. */
const RESULT_LINES = 3;
/** Characters of a result that are looked at. */
const RESULT_CHARACTERS = 20_000;

/** Whether hooks changed the input of a call. */
export function isRewritten({ input, originalInput }: DecisionView): boolean {
  return input !== null && originalInput !== null && JSON.stringify(input) !== JSON.stringify(originalInput);
}

/** `● Bash  npm run clean`, with what a hook rewrote it from. */
export function headLines(use: ToolUse, decision: DecisionView, { look, folders }: { readonly look: Look; readonly folders: Folders }): readonly string[] {
  const { columns, paint } = look;
  const input = decision.input ?? use.input;
  const name = cleanLine(use.name);
  const subject = callSubject({ name: use.name, input }, folders);
  const room = columns - widthOf(name) - 4;
  const head = `● ${paint("bold", name)}${subject === "" ? "" : `  ${shorten(subject, room)}`}`;
  if (!isRewritten(decision)) return [head];
  const original = callSubject({ name: use.name, input: decision.originalInput ?? use.input }, folders);
  const from = original === subject ? "" : ` from ${JSON.stringify(original)}`;
  const remark = `rewritten by ${rewriter(decision)}${from}`;
  if (widthOf(head) + widthOf(remark) + 4 <= columns) return [`${pad(head, columns - widthOf(remark))}${paint("cyan", remark)}`];
  return [head, `${branch("├", paint)}${paint("cyan", shorten(remark, columns - 4))}`];
}

/** The end of a call that was not run: what the model was told in place of a result, and what `snaphook why` takes. */
export function toldLines(output: string, look: Look, id?: string): readonly string[] {
  const why = id === undefined ? "" : `   ${look.paint("dim", `why ${id.slice(-12)}`)}`;
  return closingLines(`the model was told: ${shorten(cleanLine(output), (look.columns - 4) * 2)}${why}`, look);
}

/** The end of a call that was run: how long it took, how it ended, and its first lines. */
export function resultLines(
  { output, isError, durationMs, remark }: { readonly output: string; readonly isError: boolean; readonly durationMs: number; readonly remark: string },
  look: Look,
): readonly string[] {
  const { columns, paint } = look;
  const lines = cleanText(output.slice(0, RESULT_CHARACTERS))
    .replace(/\s+$/, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const [only = ""] = lines;
  const state = `${durationText(durationMs)}  ${isError ? paint("red", "failed") : paint("green", "ok")}`;
  const beside = lines.length === 1 && widthOf(only) + widthOf(state) + 7 <= columns;
  const close = [state, ...(beside ? [paint("dim", only)] : []), ...(remark === "" ? [] : [remark])].join("   ");
  if (lines.length === 0 || beside) return closingLines(close, look);
  const more = lines.length - RESULT_LINES;
  const shown = [...lines.slice(0, RESULT_LINES), ...(more > 0 ? [`… ${more} more ${more === 1 ? "line" : "lines"}`] : [])];
  return [...shown.flatMap((line) => belowLines(shorten(line, columns - 6), look)), ...closingLines(close, look)];
}
