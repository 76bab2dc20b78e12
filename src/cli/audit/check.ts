/** `snaphook audit verify`. */
import { verify, type Problem, type Verified } from "../../audit/verify.ts";
import { SnaphookError } from "../../model/errors.ts";
import type { Surface, Words } from "../command.ts";
import { painter } from "../render/colour.ts";
import { shortPath } from "../render/paths.ts";
import { alignColumns } from "../render/columns.ts";
import { counted } from "../render/text.ts";
import { numberText } from "./search.ts";

/** A log that is not what was written ends with 1. */
const BROKEN = 1;

/** Checks the whole log and names the first bad record of each lane. */
export async function check(words: Words, surface: Surface, folder: string): Promise<number> {
  const expect = words.values["expect"]?.at(-1);
  if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect))
    throw new SnaphookError("SNAP_USAGE", { message: `--expect ${JSON.stringify(expect)} is no hash: 64 digits of 0-9 and a-f, as verify prints them` });
  const verified = verify(folder, { ...(expect !== undefined && { expect }) });
  if (words.flags["json"]) surface.stdout(`${JSON.stringify({ folder, ...verified })}\n`);
  else surface.stdout(pageText(verified, surface, { folder, expect }));
  return verified.ok ? 0 : BROKEN;
}

function pageText(verified: Verified, surface: Surface, { folder, expect }: { folder: string; expect: string | undefined }): string {
  const { ok, records, files, problems, remarks, heads, holds } = verified;
  const paint = painter(surface.terminal.colour);
  const where = shortPath(folder, { cwd: surface.cwd, home: surface.env["HOME"] ?? "" });
  const lead = `${numberText(records)} ${records === 1 ? "record" : "records"} in ${counted(files, "file")}`;
  const answer = ok
    ? `  ${paint("bold", paint("green", "OK"))}     ${lead}: every record is as it was written  ${paint("dim", where)}`
    : `  ${paint("bold", paint("red", "BAD"))}    ${where}`;
  const missing = holds === false ? [`         no record has the hash ${expect}: this is not the log that it was taken from`] : [];
  const lanes = alignColumns(heads.map(({ lane, seq, hash }) => [`         lane ${lane}`, `record ${numberText(seq)}`, paint("dim", hash)]));
  return [
    "",
    answer,
    ...problems.map((problem) => `         ${problemText(problem)}`),
    ...missing,
    ...remarks.map((remark) => `         ${paint("dim", remark)}`),
    ...(ok && heads.length > 0 ? ["", "         Kept elsewhere, these hashes show later that nothing was written anew (--expect HASH):", ...lanes] : []),
    "",
    "",
  ].join("\n");
}

function problemText({ file, line, seq, message }: Problem): string {
  return `${file}:${line}  record ${seq}: ${message}`;
}
