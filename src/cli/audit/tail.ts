/** `snaphook audit tail [-f]`. */
import { testOf } from "../../audit/filter.ts";
import { endOfLog, followLog, lastEntries } from "../../audit/read.ts";
import type { AuditRecord } from "../../audit/record.ts";
import type { Surface, Words } from "../command.ts";
import { countOf, filterOf } from "./filter-options.ts";
import { dayLine, lookOf, recordLine } from "./lines.ts";

const LINES = 20;

/** The newest records, and with -f those that come. */
export async function tail(words: Words, surface: Surface, folder: string): Promise<number> {
  const test = testOf(filterOf(words, Date.now()));
  const show = shower(words, surface);
  // The end is looked up first: what is written meanwhile is shown twice rather than not at all, and told apart by its id.
  const from = endOfLog(folder);
  const last = lastEntries(folder, countOf(words, LINES), test);
  last.forEach(({ record }) => show(record));
  if (last.length === 0 && !words.flags["json"])
    surface.stderr(`no records ${folder === "" ? "" : `in ${folder} `}yet: snaphook run, bridge and fire write them\n`);
  if (!words.flags["follow"]) return 0;
  const shown = new Set(last.map(({ record }) => record.id));
  surface.onInterrupt(() => false);
  for await (const { record } of followLog(folder, { from, signal: surface.signal })) if (test(record) && !shown.has(record.id)) show(record);
  return 0;
}

/** Shows records one by one; a new day has a line of its own. */
export function shower(words: Words, surface: Surface): (record: AuditRecord) => void {
  if (words.flags["json"]) return (record) => surface.stdout(`${JSON.stringify(record)}\n`);
  let day = "";
  return (record) => {
    const look = lookOf(surface);
    if (dayLine(record.at) !== day) {
      day = dayLine(record.at);
      surface.stdout(`${look.paint("bold", day)}\n`);
    }
    surface.stdout(`${recordLine(record, look)}\n`);
  };
}
