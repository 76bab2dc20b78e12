/** What a log has to survive, in small numbers; `npm run audit:torture` has the large ones. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seeded } from "../permissions/second/random.ts";
import { tempFolder } from "../support/temp.ts";
import { bundleAudit, type AuditBundle } from "./torture/bundle.ts";
import { faultsAfter, killAt, runWriter } from "./torture/kills.ts";
import { mutate, sampleLog } from "./torture/mutations.ts";

let bundle: AuditBundle;
beforeAll(async () => {
  bundle = await bundleAudit();
});
afterAll(() => bundle.remove());

describe("a writer killed at any point", () => {
  test("loses no acknowledged record and leaves a log that others go on with", { timeout: 120_000 }, async () => {
    const folder = tempFolder();
    const { killed, records, faults } = await killAt(bundle, { folderOf: (round) => join(folder, String(round)), kills: 30 });
    expect(faults).toEqual([]);
    expect([killed, records > 50]).toEqual([30, true]);
  });

  test("two at once, killed at any moment", { timeout: 120_000 }, async () => {
    const folder = tempFolder();
    const acknowledged: string[] = [];
    for (const round of [0, 1, 2, 3]) {
      const order = { records: 2_000, opens: 20, segmentBytes: 20_000, checkpointEvery: 50 };
      const ends = await Promise.all([0, 1].map(async (each) => runWriter(bundle, folder, { name: `w${round}.${each}`, ...order }, 150 + round * 40)));
      acknowledged.push(...ends.flatMap((end) => end.acknowledged));
      expect(ends.map((end) => end.stderr)).toEqual(["", ""]);
    }
    expect(faultsAfter(folder, acknowledged)).toEqual([]);
  });
});

test("several processes append at once: every record is there once, and every chain holds", { timeout: 120_000 }, async () => {
  const folder = tempFolder();
  const names = ["a", "b", "c", "d"];
  const ends = await Promise.all(names.map(async (name) => runWriter(bundle, folder, { name, records: 500, segmentBytes: 50_000, checkpointEvery: 100 })));
  expect(ends.map(({ done, stderr }) => [done, stderr])).toEqual(names.map(() => [true, ""]));
  const acknowledged = ends.flatMap((end) => end.acknowledged);
  expect([acknowledged.length, faultsAfter(folder, acknowledged)]).toEqual([2_000, []]);
});

test("verify names the first bad record of a log that was flipped, cut, reordered, swapped or forged", { timeout: 120_000 }, () => {
  const folder = tempFolder();
  const sound = sampleLog(join(folder, "sound"));
  expect(mutate(sound, { folder: join(folder, "changed"), count: 150, random: seeded(7) })).toEqual([]);
});
