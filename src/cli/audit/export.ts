/** `snaphook audit export`. */
import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { eventOf, hooksOf, testOf, verdictOf } from "../../audit/filter.ts";
import { readLog } from "../../audit/read.ts";
import type { AuditRecord } from "../../audit/record.ts";
import { messageOf } from "../../lib/errors.ts";
import { SnaphookError } from "../../model/errors.ts";
import type { Surface, Words } from "../command.ts";
import { byText } from "./lines.ts";
import { filterOf } from "./filter-options.ts";

/** How records are written, by format. */
const FORMATS: { readonly [format: string]: { readonly head: string; readonly line: (record: AuditRecord) => string } } = {
  jsonl: { head: "", line: (record) => `${JSON.stringify(record)}\n` },
  csv: { head: "id,at,type,event,session,cwd,mode,tool,input,verdict,by,reason,hooks,durationMs\r\n", line: csvLine },
};

/** All records that meet the question, in order of time. */
export async function exportRecords(words: Words, surface: Surface, folder: string): Promise<number> {
  const name = words.values["format"]?.at(-1) ?? "jsonl";
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (!format) throw new SnaphookError("SNAP_USAGE", { message: `--format ${JSON.stringify(name)} is not one of ${Object.keys(FORMATS).join(", ")}` });
  const test = testOf(filterOf(words, Date.now()));
  const output = words.values["output"]?.at(-1);
  const path = output === undefined ? undefined : resolve(surface.cwd, output);
  const out = path === undefined ? { write: surface.stdout, close: () => {} } : fileOutput(path);
  let count = 0;
  if (format.head !== "") out.write(format.head);
  for (const { record } of readLog(folder)) {
    if (!test(record)) continue;
    out.write(format.line(record));
    count += 1;
  }
  out.close();
  if (path !== undefined) surface.stdout(words.flags["json"] ? `${JSON.stringify({ file: path, records: count })}\n` : `${count} records written to ${path}\n`);
  return 0;
}

/** A record may hold what only its owner should read. */
const FILE_MODE = 0o600;

function fileOutput(path: string): { readonly write: (text: string) => void; readonly close: () => void } {
  try {
    const file = openSync(path, "w", FILE_MODE);
    return { write: (text) => void writeSync(file, text), close: () => closeSync(file) };
  } catch (error) {
    throw new SnaphookError("SNAP_USAGE", { message: `${path} can't be written: ${messageOf(error)}` });
  }
}

const NOWHERE = { cwd: "", home: "" };

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
    byText(record, NOWHERE),
    record.type === "detached" ? undefined : record.reason,
    hooksOf(record)
      .map(({ name, verdict, fault, ended, durationMs }) => `${name}: ${fault ? `fault ${fault.kind}` : (verdict ?? ended)}, ${durationMs} ms`)
      .join("; "),
    record.type === "decision" ? record.durationMs : undefined,
  ];
  return `${cells.map((cell) => csvCell(cell === undefined ? "" : String(cell))).join(",")}\r\n`;
}

/** A cell that a table program would take for a formula begins with a quote mark. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
