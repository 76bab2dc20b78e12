/** Records as lines: one each, the answer first, then what it was about, who decided and where that stands. */
import { hooksOf, verdictOf } from "../../audit/filter.ts";
import type { AuditRecord } from "../../audit/record.ts";
import { isObject } from "../../lib/json.ts";
import { sourceText } from "../../model/source.ts";
import type { Surface } from "../command.ts";
import { painter, type Paint } from "../render/colour.ts";
import { shortPath, type Folders } from "../render/paths.ts";
import { pad, shorten, widthOf } from "../render/text.ts";
import { cleanLine } from "../repl/clean.ts";
import { callSubject } from "../repl/tool-text.ts";
import { VERDICT_LOOK } from "../why/words.ts";

/** What records are shown with. */
export interface RecordLook {
  readonly paint: Paint;
  readonly columns: number;
  readonly folders: Folders;
}

/** The look of a surface. */
export function lookOf({ terminal, cwd, env }: Surface): RecordLook {
  const columns = terminal.isTerminal ? Math.min(Math.max(terminal.columns || USUAL, LEAST), MOST) : MOST;
  return { paint: painter(terminal.colour), columns, folders: { cwd, home: env["HOME"] ?? "" } };
}

const USUAL = 80;
const LEAST = 60;
const MOST = 160;
const WIDTHS = { verdict: 5, what: 18, narrowWhat: 12, id: 12 } as const;
/** Above this width whole names of events have room. */
const WIDE = 110;

/** One record on one line. The id at the end is what `snaphook why` takes. */
export function recordLine(record: AuditRecord, { paint, columns, folders }: RecordLook): string {
  const verdict = verdictOf(record);
  const word = pad(verdict ?? "–", WIDTHS.verdict);
  const what = columns > WIDE ? WIDTHS.what : WIDTHS.narrowWhat;
  const head = `${paint("dim", clockText(record.at))}  ${verdict ? paint(VERDICT_LOOK[verdict].colour, word) : word}  ${pad(shorten(whatOf(record), what), what)}`;
  const id = record.id.slice(-WIDTHS.id);
  const room = columns - widthOf(head) - WIDTHS.id - 4;
  const by = shorten(byText(record, folders), Math.max(16, Math.floor(room * 0.45)));
  const subject = shorten(subjectOf(record, folders), Math.max(12, room - widthOf(by) - 2));
  return `${head}  ${pad(subject, Math.max(0, room - widthOf(by) - 2))}  ${paint("dim", by)}  ${paint("dim", id)}`;
}

/** A line above records of another day. */
export function dayLine(at: string): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `14:03:22`, here. */
export function clockText(at: string): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** What kind of moment it was. */
export function whatOf(record: AuditRecord): string {
  return record.type === "approval" ? "answer" : record.event;
}

/** What it was about, on one line. */
export function subjectOf(record: AuditRecord, folders: Folders): string {
  if (record.tool) {
    const { name, input } = record.tool;
    return `${cleanLine(name)}  ${callSubject({ name, input: isObject(input) ? input : {} }, folders)}`.trimEnd();
  }
  const fields = record.type === "decision" ? (record.fields ?? {}) : {};
  return cleanLine(
    Object.values(fields)
      .filter((value) => typeof value === "string")
      .join("  "),
  );
}

/** Who decided, with the place of the rule or hook. */
export function byText(record: AuditRecord, folders: Folders): string {
  if (record.type === "approval") return `by ${cleanLine(record.approver)}`;
  const { rule } = (record.type === "decision" && record.gate) || {};
  const [voice] = record.type === "decision" ? (record.by ?? []) : [];
  const hook = hooksOf(record).find(({ name }) => name === voice?.name) ?? (record.type === "detached" ? record.hooks[0] : undefined);
  switch (voice?.kind) {
    case "rule":
      return `rule ${cleanLine(voice.name ?? "")}${rule?.file === undefined ? "" : `  ${shortPath(rule.file, folders)}:${rule.line}:${rule.column}`}`;
    case "mode":
      return `mode ${voice.name ?? ""}`;
    case "hook":
      return `hook ${cleanLine(voice.name ?? "")}${hook?.source ? `  ${sourceText({ ...hook.source, file: shortPath(hook.source.file, folders) })}` : ""}`;
    case "floor":
    case "audit":
      return voice.kind;
    case undefined:
      return hook ? `${cleanLine(hook.name)} ${hook.fault ? `fault ${hook.fault.kind}` : hook.ended}` : "";
  }
}
