/** A program of its own: `node reader-host.js FOLDER`. It makes the index of a log and answers questions to it, a line each, so that nobody else waits. */
import { writeSync } from "node:fs";
import { messageOf } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import { LineSplitter } from "../lib/line-splitter.ts";
import { trusted } from "../lib/trusted.ts";
import { query, recordById, stats, type QueryOptions } from "./query.ts";
import type { ReaderLine, ReaderQuestion, ReaderQuestions } from "./reader-words.ts";
import { series } from "./series.ts";

const [, , folder = ""] = process.argv;
const options: QueryOptions = { onProgress: ({ share }) => say({ progress: share }) };

const ANSWERS: ReaderQuestions = {
  index: async () => void (await query(folder, {}, { ...options, limit: 0 })),
  query: async ({ filter, limit, skip }) => query(folder, filter, { ...options, limit, skip }),
  numbers: async ({ filter }) => ({ stats: await stats(folder, filter, options), series: await series(folder, filter, options) }),
  record: async ({ id }) => recordById(folder, id, options),
};

// One after another, as they come: each first brings the index up to date.
let answering = Promise.resolve();
const lines = new LineSplitter((line) => void (answering = answering.then(async () => hear(line))));
process.stdin.on("data", (chunk: Buffer) => lines.write(chunk));
process.stdin.on("end", () => process.exit(0));

async function hear(line: string): Promise<void> {
  const { id, ask, words } = trusted<ReaderQuestion>(parseJson(line));
  try {
    const answer = trusted<(words: object) => Promise<unknown>>(ANSWERS[ask]);
    say({ id, value: await answer(words) });
  } catch (error) {
    say({ id, error: messageOf(error) });
  }
}

/** Written at once: progress is told from the middle of work that lets nothing else happen. */
function say(line: ReaderLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      // The pipe is full until somebody reads.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}
