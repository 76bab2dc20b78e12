/** Allow rules from a log of answered prompts. */
import { resolve } from "node:path";
import * as v from "valibot";
import { surroundings } from "../../config/locate.ts";
import { lookup, own, parseJson } from "../../lib/json.ts";
import { TOOLS } from "../../model/tools.ts";
import { canonicalTool, compilePolicy } from "../../permissions/rules.ts";
import { suggestRules, type AnsweredPrompt, type LeftPrompt, type OfferedRule, type Suggestions } from "../../permissions/suggest.ts";
import type { Surface, Words } from "../command.ts";
import { painter, type Paint } from "../render/colour.ts";
import { counted, oneLine, pad, shorten, wrap } from "../render/text.ts";
import { modeOf, sceneHere } from "../why/scene.ts";
import { linesOf } from "./lines.ts";
import { givenRules } from "./rules.ts";

/** A line of `snaphook run --json` that is an answered prompt; every other line is passed over. */
const ApprovalLine = v.object({
  type: v.literal("approval"),
  tool: v.string(),
  input: v.looseObject({}),
  answer: v.picklist(["allow", "always", "deny", "none"]),
});

/** Reads the log and prints rules to paste. */
export async function checkSuggest(log: string, words: Words, surface: Surface): Promise<number> {
  const cwd = resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? ".");
  const { home } = surroundings({ cwd, env: surface.env });
  const { rules, mode } = await givenRules(words, surface, cwd);
  const scene = sceneHere({ cwd, home, mode: modeOf(words) ?? mode ?? "default" });
  const { offers, ...suggested } = suggestRules(await readPrompts(log, surface), { existing: compilePolicy(rules), scene });
  const suggestions = { ...suggested, offers: words.flags["generalise"] ? offers : [] };
  const permissions = { allow: suggestions.rules.map(({ rule }) => rule) };
  if (words.flags["json"]) surface.stdout(`${JSON.stringify({ ...suggestions, permissions })}\n`);
  else surface.stdout(suggestionText(suggestions, { width: surface.terminal.columns, paint: painter(surface.terminal.colour) }));
  return 0;
}

async function readPrompts(log: string, surface: Surface): Promise<readonly AnsweredPrompt[]> {
  const prompts: AnsweredPrompt[] = [];
  for await (const line of linesOf(log, surface)) {
    // Most lines of a session are long and no answers.
    const parsed = line.includes('"approval"') ? v.safeParse(ApprovalLine, parseJson(line)) : undefined;
    if (parsed?.success) prompts.push(parsed.output);
  }
  return prompts;
}

interface Sheet {
  readonly width: number;
  readonly paint: Paint;
}

const MARGIN = "     ";
const NUMBER_WIDTH = 7;

function suggestionText(suggestions: Suggestions, sheet: Sheet): string {
  const { rules, offers, left, counts } = suggestions;
  const { paint, width } = sheet;
  const others = [
    counts.already > 0 ? `${counted(counts.already, "prompt")} allowed by rules already` : "",
    counts.denied > 0 ? `${counted(counts.denied, "prompt")} denied` : "",
    counts.unanswered > 0 ? `${counted(counts.unanswered, "prompt")} without an answer` : "",
  ].filter((text) => text !== "");
  const head = `${counted(rules.length, "rule")} would have saved ${counts.saved} of ${counted(counts.approved, "approved prompt")}`;
  const blocks = [
    wrap([paint("bold", head), ...others].join("; "), width - 2).map((line) => `  ${line}`),
    rules.map(({ rule, prompts, open }) => row(prompts, `${oneLine(rule)}${open === null ? "" : paint("dim", `  (${open})`)}`)),
    offerLines(offers, sheet),
    left.length === 0 ? [] : [`  ${paint("bold", "Left to a person")}`, ...left.flatMap((one) => leftLines(one, sheet))],
    rules.length === 0
      ? []
      : [
          `  ${paint("bold", "To paste into a settings file")}`,
          ...JSON.stringify({ permissions: { allow: rules.map(({ rule }) => rule) } }, null, 2)
            .split("\n")
            .map((line) => MARGIN + line),
        ],
  ];
  return ["", ...blocks.flatMap((block) => (block.length > 0 ? [...block, ""] : []))].join("\n");
}

function row(prompts: number, text: string): string {
  return `${pad("", Math.max(0, NUMBER_WIDTH - String(prompts).length))}${prompts}  ${text}`;
}

function offerLines(offers: readonly OfferedRule[], { paint, width }: Sheet): readonly string[] {
  if (offers.length === 0) return [];
  const lines = offers.flatMap(({ rule, prompts, calls }) => [
    row(prompts, paint("yellow", oneLine(rule))),
    `${" ".repeat(NUMBER_WIDTH + 2)}${shorten(`${counted(calls.length, "call")}: ${calls.map(oneLine).join(", ")}`, width - NUMBER_WIDTH - 2)}`,
  ]);
  return [`  ${paint("bold", "Wider than what was approved: add these only if you mean them")}`, ...lines];
}

function leftLines({ tool, input, prompts, why }: LeftPrompt, { width }: Sheet): readonly string[] {
  const argument = lookup(TOOLS, canonicalTool(tool))?.argument;
  const subject = argument === null || argument === undefined ? undefined : own(input, argument);
  const call = `${tool} ${typeof subject === "string" ? subject : JSON.stringify(input)}`;
  return [
    row(prompts, shorten(oneLine(call), width - NUMBER_WIDTH - 2)),
    ...wrap(oneLine(why), width - NUMBER_WIDTH - 2).map((line) => " ".repeat(NUMBER_WIDTH + 2) + line),
  ];
}
