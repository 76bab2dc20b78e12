import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listRecords, recordFolder, writeRecord } from "../../src/trust/record.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";
import { bundled } from "../support/killing.ts";
import { torture, WRITER } from "./torture.ts";

describe("records of trust", () => {
  test("sixteen processes approve sixteen folders at once: all are there", async () => {
    const folder = tempFolder();
    const writer = await bundled(WRITER, folder);
    const [config, state] = [join(folder, "config"), join(folder, "state")];
    const names = Array.from({ length: 16 }, (_, index) => `p${index}`);
    const codes = await Promise.all(
      names.map(async (name) => {
        const child = spawn(process.execPath, [writer, config, state, name, "3"], { stdio: ["ignore", "ignore", "inherit"] });
        return new Promise<number | null>((resolve) => void child.on("close", resolve));
      }),
    );
    expect(codes).toEqual(names.map(() => 0));
    const { records, refused } = listRecords(config);
    expect(refused).toEqual([]);
    expect(records.map((record) => record.folder)).toEqual(names.flatMap((name) => [0, 1, 2].map((round) => `/folders/${name}-${round}`)).toSorted());
    expect(readdirSync(recordFolder(config)).filter((name) => name.startsWith("."))).toEqual([]);
  }, 120_000);

  test("writers that are killed lose no approval that they acknowledged, and leave nothing unreadable", async () => {
    const report = await torture({ folder: tempFolder(), kills: 12, writers: 4, seed: 11 });
    expect(report).toMatchObject({ kills: 12, lost: [], unreadable: [] });
    expect(report.acknowledged).toBeGreaterThanOrEqual(12);
  }, 240_000);

  test("drafts of writers that were killed are swept by the next", () => {
    const config = tempFolder();
    writeRecord(config, { version: 1, folder: "/a", at: "2026-01-01T00:00:00Z", entries: [] });
    // No process has the number 0x7FFFFFFF.
    writeFiles(recordFolder(config), { ".draft-2147483647-x": "half" });
    writeRecord(config, { version: 1, folder: "/b", at: "2026-01-01T00:00:00Z", entries: [] });
    expect(readdirSync(recordFolder(config))).toHaveLength(2);
    expect(listRecords(config).records.map(({ folder }) => folder)).toEqual(["/a", "/b"]);
  });
});
