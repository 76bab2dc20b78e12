/** `snaphook audit export`. */
import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { testOf } from "../../audit/filter.ts";
import { FORMATS } from "../../audit/formats.ts";
import { readLog } from "../../audit/read.ts";
import { messageOf } from "../../lib/errors.ts";
import { SnaphookError } from "../../model/errors.ts";
import type { Surface, Words } from "../command.ts";
import { filterOf } from "./filter-options.ts";

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
