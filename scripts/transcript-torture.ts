// npm run transcript:torture -- [--kills N] [--seed N]: kills writers of transcripts, tears their ends, and counts what was lost.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tortureTranscripts } from "../test/session/transcript-torture.ts";

const { values } = parseArgs({ options: { kills: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } } });
const folder = mkdtempSync(join(tmpdir(), "snaphook-torture-"));
try {
  const { kills, acknowledged, torn, lost, unreadable } = await tortureTranscripts({ folder, kills: Number(values.kills), seed: Number(values.seed) });
  console.log(`seed ${values.seed}: ${kills} writers killed, ${torn} ends torn, ${acknowledged} lines acknowledged`);
  console.log(`${lost.length} acknowledged lines lost, ${unreadable.length} unreadable transcripts`);
  for (const line of [...lost, ...unreadable].slice(0, 20)) console.log(`  ${line}`);
  process.exitCode = lost.length + unreadable.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
