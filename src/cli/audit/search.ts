/** `snaphook audit query`. */
import { query } from "../../audit/query.ts";
import type { Surface, Words } from "../command.ts";
import { countOf, filterOf } from "./filter-options.ts";
import { progressOn } from "./progress.ts";
import { shower } from "./tail.ts";

const LINES = 100;

/** The newest records that meet the question, and how many there are. */
export async function search(words: Words, surface: Surface, folder: string): Promise<number> {
  const progress = progressOn(surface);
  const started = performance.now();
  const { records, total, indexed } = await query(folder, filterOf(words, Date.now()), {
    limit: countOf(words, LINES),
    onProgress: progress.told,
    ...(words.flags["rebuild"] && { rebuild: true }),
  });
  progress.done();
  records.forEach(shower(words, surface));
  if (words.flags["json"]) return 0;
  const took = `${Math.round(performance.now() - started)} ms`;
  const all = total > records.length ? `, the newest ${numberText(records.length)} are shown (--lines N shows more)` : "";
  surface.stderr(`${numberText(total)} ${total === 1 ? "record" : "records"}${all}  ${took}${indexed ? "" : ", without an index: no SQLite here"}\n`);
  return 0;
}

/** `12,345`. */
export function numberText(number: number): string {
  return number.toLocaleString("en-US");
}
