// tsx scripts/audit-torture.ts [--kills N] [--mutations N] [--processes N] [--records N] [--seed S]: what an audit log has to survive.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleAudit } from "../test/audit/torture/bundle.ts";
import { faultsAfter, killAt, runWriter } from "../test/audit/torture/kills.ts";
import { mutate, sampleLog } from "../test/audit/torture/mutations.ts";
import { seeded } from "../test/permissions/second/random.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    mutations: { type: "string", default: "10000" },
    processes: { type: "string", default: "8" },
    records: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "snaphook-torture-"));
let failed = false;

async function step(name: string, run: () => Promise<{ readonly text: string; readonly faults: readonly string[] }>): Promise<void> {
  const started = performance.now();
  const { text, faults } = await run();
  console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${name}: ${text}, ${faults.length} faults (${((performance.now() - started) / 1_000).toFixed(0)} s)`);
  for (const fault of faults.slice(0, 20)) console.log(`     ${fault}`);
  if (faults.length > 0) failed = true;
}

const bundle = await bundleAudit();
try {
  await step("kills", async () => {
    const { killed, records, faults } = await killAt(bundle, { folderOf: (round) => join(folder, `kills-${round}`), kills: Number(values.kills) });
    return { text: `${killed} writers killed, ${records} records acknowledged`, faults };
  });
  await step("mutations", async () => {
    const sound = sampleLog(join(folder, "sound"));
    const faults = mutate(sound, { folder: join(folder, "mutated"), count: Number(values.mutations), random: seeded(Number(values.seed)) });
    return { text: `${values.mutations} changes of a log of ${sound.size} files, seed ${values.seed}`, faults };
  });
  await step("processes", async () => {
    const log = join(folder, "shared");
    const names = Array.from({ length: Number(values.processes) }, (_, index) => `p${index}`);
    const order = { records: Number(values.records), segmentBytes: 1 << 20, checkpointEvery: 1_000, pad: 400 };
    const ends = await Promise.all(names.map(async (name) => runWriter(bundle, log, { name, ...order })));
    const acknowledged = ends.flatMap((end) => end.acknowledged);
    const unfinished = ends.filter((end) => !end.done).map((end) => `a writer failed: ${end.stderr}`);
    return { text: `${names.length} processes, ${acknowledged.length} records acknowledged`, faults: [...unfinished, ...faultsAfter(log, acknowledged)] };
  });
} finally {
  bundle.remove();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
