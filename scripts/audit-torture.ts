// tsx scripts/audit-torture.ts [--kills N] [--failures N] [--mutations N] [--processes N] [--records N] [--queries N] [--seed S]: what an audit log has to survive.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleAudit } from "../test/audit/torture/bundle.ts";
import { failEvery, faultsAfter, killAt, runWriter } from "../test/audit/torture/kills.ts";
import { timeQueries, writeMany } from "../test/audit/torture/queries.ts";
import { mutate, sampleLog } from "../test/audit/torture/mutations.ts";
import { seeded } from "../test/permissions/second/random.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    failures: { type: "string", default: "200" },
    mutations: { type: "string", default: "10000" },
    processes: { type: "string", default: "8" },
    records: { type: "string", default: "10000" },
    queries: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "snaphook-torture-"));
let failed = false;
/** A question to a million records answers within this; judged by the processor's time, since others may use the machine. */
const QUERY_LIMIT_MS = 1_000;

async function step(
  name: string,
  amount: string | undefined,
  run: () => Promise<{ readonly text: string; readonly faults: readonly string[] }>,
): Promise<void> {
  if (Number(amount) === 0) return;
  const started = performance.now();
  const { text, faults } = await run();
  console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${name}: ${text}, ${faults.length} faults (${((performance.now() - started) / 1_000).toFixed(0)} s)`);
  for (const fault of faults.slice(0, 20)) console.log(`     ${fault}`);
  if (faults.length > 0) failed = true;
}

const bundle = await bundleAudit();
try {
  await step("kills", values.kills, async () => {
    const { killed, records, faults } = await killAt(bundle, { folderOf: (round) => join(folder, `kills-${round}`), kills: Number(values.kills) });
    return { text: `${killed} writers killed, ${records} records acknowledged`, faults };
  });
  await step("failures", values.failures, async () => {
    const { records, faults } = await failEvery(bundle, { folder: join(folder, "failures"), writers: Number(values.failures) });
    return { text: `${values.failures} writers whose file operations fail, ${records} records acknowledged`, faults };
  });
  await step("mutations", values.mutations, async () => {
    const sound = sampleLog(join(folder, "sound"));
    const faults = mutate(sound, { folder: join(folder, "mutated"), count: Number(values.mutations), random: seeded(Number(values.seed)) });
    return { text: `${values.mutations} changes of a log of ${sound.size} files, seed ${values.seed}`, faults };
  });
  await step("processes", values.processes, async () => {
    const log = join(folder, "shared");
    const names = Array.from({ length: Number(values.processes) }, (_, index) => `p${index}`);
    const order = { records: Number(values.records), segmentBytes: 1 << 20, checkpointEvery: 1_000, pad: 400 };
    const ends = await Promise.all(names.map(async (name) => runWriter(bundle, log, { name, ...order })));
    const acknowledged = ends.flatMap((end) => end.acknowledged);
    const unfinished = ends.filter((end) => !end.done).map((end) => `a writer failed: ${end.stderr}`);
    return { text: `${names.length} processes, ${acknowledged.length} records acknowledged`, faults: [...unfinished, ...faultsAfter(log, acknowledged)] };
  });
  await step("queries", values.queries, async () => {
    const log = join(folder, "large");
    writeMany(log, Number(values.queries));
    const [index, ...times] = await timeQueries(log);
    for (const { what, wallMs, cpuMs, total } of times)
      console.log(`     ${wallMs.toFixed(0).padStart(6)} ms (${cpuMs.toFixed(0)} of a processor)  ${what}: ${total}`);
    const slow = times.filter(({ cpuMs }) => cpuMs > QUERY_LIMIT_MS).map(({ what, cpuMs }) => `${what} took ${cpuMs.toFixed(0)} ms of a processor`);
    const made = `index made in ${((index?.wallMs ?? 0) / 1_000).toFixed(0)} s (${((index?.cpuMs ?? 0) / 1_000).toFixed(0)} of a processor)`;
    return { text: `${values.queries} records, ${made}, slowest question ${Math.max(...times.map(({ wallMs }) => wallMs)).toFixed(0)} ms`, faults: slow };
  });
} finally {
  bundle.remove();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
