/** How records leave the log: one line each, in a format that others read. */
import { eventOf, hooksOf, verdictOf } from "./filter.ts";
import type { AuditRecord } from "./record.ts";

/** One format. */
export interface RecordFormat {
  readonly head: string;
  readonly line: (record: AuditRecord) => string;
  readonly mediaType: string;
}

/** How records are written, by format. */
export const FORMATS: { readonly [format: string]: RecordFormat } = {
  jsonl: { head: "", line: (record) => `${JSON.stringify(record)}\n`, mediaType: "application/jsonl" },
  csv: { head: "id,at,type,event,session,cwd,mode,tool,input,verdict,by,reason,hooks,durationMs\r\n", line: csvLine, mediaType: "text/csv; charset=utf-8" },
};

function csvLine(record: AuditRecord): string {
  const cells = [
    record.id,
    record.at,
    record.type,
    eventOf(record),
    record.session,
    record.cwd,
    record.mode,
    record.tool?.name,
    record.tool && JSON.stringify(record.tool.input),
    verdictOf(record),
    byText(record),
    record.type === "detached" ? undefined : record.reason,
    hooksOf(record)
      .map(({ name, verdict, fault, ended, durationMs }) => `${name}: ${fault ? `fault ${fault.kind}` : (verdict ?? ended)}, ${durationMs} ms`)
      .join("; "),
    record.type === "decision" ? record.durationMs : undefined,
  ];
  return `${cells.map((cell) => csvCell(cell === undefined ? "" : String(cell))).join(",")}\r\n`;
}

/** Who decided. */
function byText(record: AuditRecord): string {
  if (record.type === "approval") return `by ${record.approver}`;
  const [voice] = record.type === "decision" ? (record.by ?? []) : [];
  return voice ? [voice.kind, voice.name ?? ""].join(" ").trim() : "";
}

/** A cell that a table program would take for a formula begins with a quote mark. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
