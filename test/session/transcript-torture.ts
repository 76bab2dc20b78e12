/** Kills writers of a transcript, tears its end as a machine that stops would, and looks at what is left. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTranscript } from "../../src/session/transcript.ts";
import { seeded } from "../permissions/second/random.ts";
import { bundled, runWriter } from "../support/killing.ts";

const WRITER = fileURLToPath(new URL("transcript-writer.ts", import.meta.url));
const KILL_WITHIN_MS = 25;
/** A transcript is left alone after so many kills: reading it grows with its length. */
const KILLS_EACH = 25;

/** What became of the transcripts. */
export interface TranscriptReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly torn: number;
  /** Lines that were said to be taken and are not there, or not in their order. */
  readonly lost: readonly string[];
  readonly unreadable: readonly string[];
}

/** Kills so many writers, a few of them in a row on each transcript. */
export async function tortureTranscripts({
  folder,
  kills,
  seed,
}: {
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
}): Promise<TranscriptReport> {
  const random = seeded(seed);
  const writer = await bundled(WRITER, folder);
  const [lost, unreadable]: [string[], string[]] = [[], []];
  let [acknowledged, torn] = [0, 0];
  let said: string[] = [];
  for (let killed = 0; killed < kills; killed++) {
    const file = join(folder, `transcript-${Math.floor(killed / KILLS_EACH)}.jsonl`);
    if (killed % KILLS_EACH === 0) said = [];
    const { lines, stderr } = await runWriter([writer, file], random.below(KILL_WITHIN_MS));
    if (stderr !== "") unreadable.push(`kill ${killed}: ${stderr}`);
    said.push(...lines);
    acknowledged += lines.length;
    // What a kill alone does not do and a power cut does: the last line stops anywhere, also within a character.
    if (random.chance(40)) {
      const line = Buffer.from(`${JSON.stringify({ type: "message", message: { role: "user", text: `torn ${"é".repeat(40)}` } })}\n`);
      appendFileSync(file, line.subarray(0, 1 + random.below(line.length - 2)));
      torn++;
    }
    const { id, messages } = readTranscript(file);
    if (id !== "s-1") unreadable.push(`kill ${killed}: the transcript has no id`);
    lost.push(
      ...missing(
        said,
        messages.flatMap((message) => (message.role === "user" ? [message.text.split(" ")[0] ?? ""] : [])),
      ).map((line) => `kill ${killed}: ${line}`),
    );
    if (readFileSync(file).length === 0) unreadable.push(`kill ${killed}: the transcript is empty`);
  }
  return { kills, acknowledged, torn, lost, unreadable };
}

/** What is not there in its order. A line that was written and not yet said may stand between. */
function missing(said: readonly string[], found: readonly string[]): readonly string[] {
  let place = 0;
  return said.filter((line) => {
    const at = found.indexOf(line, place);
    if (at >= 0) place = at + 1;
    return at < 0;
  });
}
