/** `snaphook why ID`: a decision that was made, explained from the log. */
import { hooksOf, verdictOf } from "../../audit/filter.ts";
import { query, recordById } from "../../audit/query.ts";
import type { AuditRecord, RecordedHook } from "../../audit/record.ts";
import { SnaphookError } from "../../model/errors.ts";
import { sourceText } from "../../model/source.ts";
import { clockText, dayLine, lookOf, recordLine, subjectOf, type RecordLook } from "../audit/lines.ts";
import { logFolder } from "../audit.ts";
import type { Surface, Words } from "../command.ts";
import { shortPath, shortPaths } from "../render/paths.ts";
import { wrap } from "../render/text.ts";
import { rowLines } from "../repl/layout.ts";
import { cleanText } from "../repl/clean.ts";
import { shortName, wireNameOf, type Row } from "../repl/rows.ts";
import { VERDICT_LOOK } from "./words.ts";

const WHOLE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** The end of an id, as lists of records show it. It could be a command, too: then there is no such record. */
const SHORT_ID = /^[0-9a-f]{12}$/;

/** Explains a recorded decision; undefined where the word is a command. */
export async function whyRecorded(words: Words, surface: Surface): Promise<number | undefined> {
  const [word, ...more] = words.positionals;
  if (word === undefined || more.length > 0 || (!WHOLE_ID.test(word) && !SHORT_ID.test(word)) || words.values["tool"]) return undefined;
  const folder = logFolder(words, surface);
  const record = await recordById(folder, word);
  if (!record && SHORT_ID.test(word)) return undefined;
  if (!record)
    throw new SnaphookError("SNAP_USAGE", {
      message: `there is no decision ${word} in ${folder === "" ? "any log" : folder}; \`snaphook audit tail\` lists the newest`,
    });
  const story = await storyOf(folder, record);
  if (words.flags["json"]) surface.stdout(`${JSON.stringify({ record, story })}\n`);
  else surface.stdout(pageText(record, story, lookOf(surface)));
  return verdictOf(record) === "deny" ? DENIED : 0;
}

const DENIED = 2;
/** Records of one session that are looked through. */
const SESSION_RECORDS = 5_000;

/** Every record about the same call, in order. */
async function storyOf(folder: string, { id, session, tool }: AuditRecord): Promise<readonly AuditRecord[]> {
  if (session === undefined || tool?.useId === undefined) return [];
  const { records } = await query(folder, { session }, { limit: SESSION_RECORDS });
  const story = records.filter((record) => record.tool?.useId === tool.useId);
  return story.some((record) => record.id !== id) ? story : [];
}

function pageText(record: AuditRecord, story: readonly AuditRecord[], look: RecordLook): string {
  const { paint, columns, folders } = look;
  const verdict = verdictOf(record);
  const word = verdict?.toUpperCase() ?? "–";
  const head = `  ${paint("bold", verdict ? paint(VERDICT_LOOK[verdict].colour, word) : word)}${" ".repeat(Math.max(1, MARGIN - 2 - word.length))}`;
  const [first = "", ...rest] = wrap(subjectOf(record, folders) || whatHappened(record), columns - MARGIN);
  const scene = [
    `${dayLine(record.at)} ${clockText(record.at)}`,
    ...(record.session === undefined ? [] : [`session ${record.session}`]),
    ...(record.agent?.type === undefined ? [] : [`subagent ${record.agent.type}`]),
    ...(record.mode === undefined ? [] : [`mode ${record.mode}`]),
    ...(record.cwd === undefined ? [] : [cleanText(record.cwd)]),
  ].join("  ");
  const blocks = [
    [`${head}${first}`, ...rest.map(indented), ...wrap(`${whatHappened(record)}  ${scene}`, columns - MARGIN).map((line) => indented(paint("dim", line)))],
    reasonLines(record, look),
    record.type === "approval"
      ? []
      : rowsOf(record).flatMap((row) => rowLines({ ...row, says: shortPaths(row.says, folders), place: shortPath(row.place, folders) }, { columns, paint })),
    rewrittenLines(record, look),
    story.length === 0 ? [] : [paint("bold", "  What became of this call"), ...story.map((each) => `  ${recordLine(each, { ...look, columns: columns - 2 })}`)],
  ];
  return [
    "",
    ...blocks.flatMap((block) => (block.length > 0 ? [...block, ""] : [])),
    `  ${paint("dim", `record ${record.seq}, id ${record.id}`)}`,
    "",
    "",
  ].join("\n");
}

const MARGIN = 9;

function indented(line: string): string {
  return `${" ".repeat(MARGIN)}${line}`;
}

function whatHappened(record: AuditRecord): string {
  switch (record.type) {
    case "decision":
      return record.event;
    case "approval":
      return `answered "${record.answer}" by ${record.approver}`;
    case "detached":
      return `${record.event}, a hook that nobody waited for`;
  }
}

function reasonLines(record: AuditRecord, { columns, folders }: RecordLook): readonly string[] {
  const reason = record.type === "detached" ? undefined : record.reason;
  if (reason === undefined) return [];
  return cleanText(shortPaths(reason, folders))
    .split("\n")
    .flatMap((line) => wrap(line, columns - MARGIN).map(indented));
}

/** One row for each hook, and one for the gate. */
function rowsOf(record: Exclude<AuditRecord, { type: "approval" }>): readonly Row[] {
  const hooks = hooksOf(record).map((hook) => hookRow(hook, record.event));
  const gate = record.type === "decision" ? record.gate : undefined;
  if (!gate) return hooks;
  const { rule } = gate;
  const place = rule?.file === undefined ? "" : `${rule.file}:${rule.line}:${rule.column}`;
  const row = { word: gate.verdict, durationMs: null, place, says: rule || gate.step === "mode" ? "" : gate.because };
  return [...hooks, { ...row, who: rule ? "rule" : "mode", name: rule?.text ?? gate.mode }];
}

function hookRow({ name, dialect, ended, verdict, reason, fault, durationMs, source, hash }: RecordedHook, event: string): Row {
  const hasRun = ended !== "skipped" && ended !== "detached";
  return {
    who: wireNameOf(dialect, event),
    name: shortName(name),
    word: fault ? "fault" : (verdict ?? (hasRun ? "–" : ended)),
    durationMs: hasRun ? durationMs : null,
    place: source ? sourceText(source) : "built in",
    says: [fault?.message ?? reason ?? "", ...(hash === undefined ? [] : [`content ${hash.slice(0, HASH_SHOWN)}`])].filter((text) => text !== "").join("\n"),
  };
}

const HASH_SHOWN = 19;

function rewrittenLines({ tool }: AuditRecord, { columns, paint }: RecordLook): readonly string[] {
  if (tool?.originalInput === undefined) return [];
  const lines = (input: unknown): readonly string[] => wrap(cleanText(JSON.stringify(input)), columns - MARGIN - 2);
  return [
    paint("bold", "  Rewritten by a hook"),
    ...lines(tool.originalInput).map((line) => indented(paint("red", `- ${line}`))),
    ...lines(tool.input).map((line) => indented(paint("green", `+ ${line}`))),
  ];
}
