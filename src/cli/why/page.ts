/** The explanation as people read it: the answer, the reason, what to do next. */
import { canonicalCall } from "../../dialects/spelling.ts";
import { own } from "../../lib/json.ts";
import type { Rule } from "../../model/rule.ts";
import { sourceText, type Source } from "../../model/source.ts";
import { TOOLS } from "../../model/tools.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Doubt } from "../../permissions/judgement.ts";
import { kindOf } from "../../permissions/modes.ts";
import { painter, type Paint } from "../render/colour.ts";
import { shortPath, shortPaths, type Folders } from "../render/paths.ts";
import { oneLine, wrap } from "../render/text.ts";
import type { Surface } from "../command.ts";
import { hasRules, type ExplainedCommand, type Explanation } from "./explain.ts";
import { sections } from "./sections.ts";
import { drawMarked, visible, type Mark } from "./spans.ts";
import { layTable, type TableRow } from "./table.ts";
import { STEP_TEXT, VERDICT_LOOK, wholeModeText } from "./words.ts";

/** What a page is drawn with. */
export interface Page {
  readonly paint: Paint;
  readonly width: number;
  readonly folders: Folders;
}

/** Lines under the answer begin below the command; everything else has this margin. */
const ANSWER_MARGIN = 9;
const MARGIN = 5;
const LIMIT_ROWS = 24;
const LIMIT_COMMANDS = 40;
/** Prose and tables of a very wide terminal stay readable. */
const WIDEST = 160;
const NARROWEST = 48;

/** The whole page. */
export function pageText(explanation: Explanation, { terminal, folders }: { readonly terminal: Surface["terminal"]; readonly folders: Folders }): string {
  const page: Page = { paint: painter(terminal.colour), width: Math.min(Math.max(terminal.columns, NARROWEST), WIDEST), folders };
  const blocks = [answer(explanation, page), reasons(explanation, page), ...sections(explanation, page)];
  return ["", ...blocks.flatMap((block) => (block.length > 0 ? [...block, ""] : []))].join("\n");
}

/** The verdict, and the call with what it is made of underlined. */
function answer(explanation: Explanation, page: Page): readonly string[] {
  const { verdict } = explanation;
  const text = callText(explanation);
  const doubts = decidingDoubts(explanation);
  const marks = doubts.length > 0 ? doubts.map((doubt, index) => doubtMark(doubt, index, doubts.length, page)) : commandMarks(explanation, page);
  const drawn = drawMarked(text, isShell(explanation) ? marks : [], { width: page.width - ANSWER_MARGIN, limitRows: LIMIT_ROWS });
  const word = page.paint("bold", page.paint(VERDICT_LOOK[verdict].colour, verdict.toUpperCase()));
  const head = `  ${word}${" ".repeat(ANSWER_MARGIN - 2 - verdict.length)}`;
  const below = doubts.flatMap((doubt, index) => doubtText(doubt, doubts.length > 1 ? `${letter(index)}  ` : "", explanation, page));
  return [...drawn.map((line, index) => (index === 0 ? head + line : indent(line, ANSWER_MARGIN))), ...below.map((line) => indent(line, ANSWER_MARGIN))];
}

function isShell({ call }: Explanation): boolean {
  return kindOf(canonicalCall(call).name) === "shell";
}

/** A shell command as it stands; any other call as its tool and input. */
function callText({ call }: Explanation): string {
  const { name, input } = canonicalCall(call);
  const command = kindOf(name) === "shell" ? own(input, TOOLS.shell.argument) : undefined;
  return typeof command === "string" && command !== "" ? command : `${call.name} ${JSON.stringify(call.input)}`;
}

/** The doubts that made the call a question, rather than a rule or the mode. */
function decidingDoubts({ verdict, step, judgement, commands }: Explanation): readonly Doubt[] {
  if (verdict !== "ask") return [];
  const sure = judgement.spoke.some(({ rule, match }) => rule.verdict === "ask" && match === "yes");
  const covered = commands.length > 0 && commands.every((command) => command.verdict === "allow");
  const decide = step === "unresolved-deny" || (step === "ask-rule" && !sure) || (step === "mode" && covered);
  return decide ? judgement.doubts : [];
}

/** Commands with the same span share a line. */
function commandMarks({ commands }: Explanation, { paint }: Page): readonly Mark[] {
  const groups = new Map<string, { readonly number: number; readonly command: ExplainedCommand }[]>();
  for (const [index, command] of commands.entries()) {
    const key = `${command.start}-${command.end}`;
    groups.set(key, [...(groups.get(key) ?? []), { number: index + 1, command }]);
  }
  return [...groups.values()].flatMap((group) => {
    const strict = group.find(({ command }) => command.verdict === "deny") ?? group.find(({ command }) => command.verdict === "ask") ?? group[0];
    if (!strict) return [];
    const { start, end, verdict } = strict.command;
    const { colour, line } = VERDICT_LOOK[verdict];
    return [
      {
        start,
        end,
        line,
        label: group.map(({ number, command }) => `${number} ${command.verdict}`).join(", "),
        short: group.map(({ number }) => number).join(","),
        paint: (text: string) => paint(colour, text),
      },
    ];
  });
}

function doubtMark({ start, end }: Doubt, index: number, count: number, { paint }: Page): Mark {
  const label = count > 1 ? letter(index) : "";
  return { start, end, line: "^", label, short: label, paint: (text) => paint(VERDICT_LOOK.ask.colour, text) };
}

function letter(index: number): string {
  return index < 26 ? String.fromCodePoint(0x61 + index) : String(index + 1);
}

function doubtText({ construct, why, advice }: Doubt, label: string, { judgement }: Explanation, page: Page): readonly string[] {
  const width = page.width - ANSWER_MARGIN - label.length;
  const { rule } = judgement;
  const nearest =
    rule && rule.verdict !== "allow" ? [`nearest rule: ${rule.verdict} ${oneLine(rule.text)}${rule.source ? `  ${placeText(rule.source, page)}` : ""}`] : [];
  const lines = [`${oneLine(construct)}: ${why}`, ...nearest, `to make it known: ${advice}`].flatMap((text) => wrap(text, width));
  return lines.map((line, index) => (index === 0 ? label : " ".repeat(label.length)) + line);
}

/** Each command with its verdict and rule, the other rules that spoke, and the step that decided. */
function reasons(explanation: Explanation, page: Page): readonly string[] {
  const { judgement, commands } = explanation;
  const nearest = decidingDoubts(explanation).length > 0 ? [judgement.rule] : [];
  const told = new Set([...commands.map(({ rule }) => rule), ...nearest]);
  const others = judgement.spoke.filter(({ rule }) => !told.has(rule));
  const named = commands.map((command, index) => commandRow(command, index, explanation, page));
  const also = others.map(({ rule, match }): TableRow => ({
    cells: [verdictCell(match === "yes" ? rule.verdict : "ask", page), ruleCell(rule, match)],
    place: place(rule, page),
  }));
  const table =
    named.length > 0
      ? layTable([...named, ...also.map((row) => ({ ...row, cells: ["", "also", ...row.cells] }))], {
          width: page.width - 2,
          flexible: 1,
          under: 3,
          limitRows: LIMIT_COMMANDS,
        }).map((line) => indent(line, 2))
      : layTable(also, { width: page.width - MARGIN, flexible: 1, under: 1, limitRows: LIMIT_COMMANDS }).map((line) => indent(line, MARGIN));
  return [...table, ...stepLines(explanation, page)];
}

function commandRow(command: ExplainedCommand, index: number, { mode }: Explanation, page: Page): TableRow {
  const { rule, verdict, note, leftOut } = command;
  const plain = verdict === "allow" ? "needs no rule of its own" : `no rule, so mode ${mode}`;
  const ruled = rule ? ruleCell(rule, note === undefined ? "yes" : "maybe") : page.paint("dim", leftOut ? `${oneLine(leftOut.text)}, not trusted` : plain);
  const said = rule ?? leftOut;
  return { cells: [String(index + 1), visible(oneLine(command.text)), verdictCell(verdict, page), ruled], place: said ? place(said, page) : "" };
}

function verdictCell(verdict: Verdict, { paint }: Page): string {
  return paint(VERDICT_LOOK[verdict].colour, verdict);
}

function ruleCell({ text, verdict }: Rule, match: "yes" | "maybe"): string {
  return match === "yes" ? oneLine(text) : `${verdict} ${oneLine(text)} may match`;
}

/** Where a rule stands; that of managed settings says so, since no other can undo it. */
function place({ source, layer }: Rule, page: Page): string {
  return source ? page.paint("dim", `${placeText(source, page)}${layer === "managed" ? "  managed" : ""}`) : "";
}

function placeText(source: Source, { folders }: Page): string {
  return sourceText({ ...source, file: oneLine(shortPath(source.file, folders)) });
}

function stepLines(explanation: Explanation, page: Page): readonly string[] {
  const { step, mode, because, judgement, configuration, call, passes } = explanation;
  const kind = kindOf(canonicalCall(call).name);
  const said = STEP_TEXT[step]({ mode, kind, because: oneLine(shortPaths(because, page.folders)) });
  const first =
    !hasRules(configuration) && step === "mode"
      ? `no ${configuration.files.length === 0 ? "configuration was" : "rules were"} found here, so mode ${mode} decides: it ${wholeModeText(mode)}.`
      : said;
  const others = judgement.doubts.length > 0 && explanation.verdict === "ask" && decidingDoubts(explanation).length === 0;
  const unknown = others
    ? judgement.doubts.slice(0, 3).map(({ construct, why, advice }) => `no rule could be sure of ${oneLine(construct)}: ${why}; ${advice}.`)
    : [];
  const next =
    passes !== null && explanation.starter === null && explanation.ifTrusted !== "allow" ? [`a rule that lets it pass: allow ${visible(oneLine(passes))}`] : [];
  return [first, ...unknown, ...trustText(explanation), ...next].flatMap((text) => wrap(text, page.width - MARGIN)).map((line) => indent(line, MARGIN));
}

function trustText({ ifTrusted, verdict, commands }: Explanation): readonly string[] {
  const other = ifTrusted !== null && ifTrusted !== verdict;
  if (!other && commands.every(({ leftOut }) => leftOut === undefined)) return [];
  return [`allow rules that come with this folder do not count before it is trusted${other ? `; then the rules would say ${ifTrusted}` : ""}.`];
}

/** A line moved to the right; an empty one stays empty. */
export function indent(line: string, columns: number): string {
  return line === "" ? "" : " ".repeat(columns) + line;
}
