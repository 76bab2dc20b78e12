/** `npm run trust:torture -- --kills N [--writers N] [--seed N]`: kills writers of approvals and counts what was lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { torture } from "../test/trust/torture.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    writers: { type: "string", default: "4" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
  },
});
const folder = mkdtempSync(join(tmpdir(), "snaphook-torture-"));
try {
  const report = await torture({ folder, kills: Number(values.kills), writers: Number(values.writers), seed: Number(values.seed) });
  console.log(`seed ${values.seed}: ${report.kills} writers killed, ${report.acknowledged} approvals acknowledged, ${report.drafts} drafts left to be swept`);
  console.log(`${report.lost.length} acknowledged approvals lost, ${report.unreadable.length} unreadable records`);
  for (const line of [...report.lost, ...report.unreadable].slice(0, 20)) console.log(`  ${line}`);
  process.exitCode = report.lost.length + report.unreadable.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
