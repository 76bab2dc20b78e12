/** A process that goes on with a transcript and says each line that was taken, until it is killed: `transcript-writer.ts FILE`. */
import { existsSync, writeSync } from "node:fs";
import { readTranscript, Transcript } from "../../src/session/transcript.ts";

const [file = ""] = process.argv.slice(2);
const before = existsSync(file) ? readTranscript(file).messages.length : 0;
const transcript = Transcript.open(file);
if (before === 0) transcript.append({ type: "session", id: "s-1", cwd: "/", at: new Date(0).toISOString() });
for (let round = 0; ; round++) {
  const text = `${process.pid}-${round} ${"é".repeat((round * 37) % 3_000)}`;
  transcript.append({ type: "message", message: { role: "user", text } });
  writeSync(1, `${process.pid}-${round}\n`);
}
