/** What is kept ready counts only while everything it was made from is as it was. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { candidatePaths, surroundings } from "../../src/config/locate.ts";
import { WarmEngines } from "../../src/daemon/warm-engines.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

test("managed settings that others may write since lose their authority", async () => {
  const root = tempFolder();
  const cwd = tempFolder();
  const env = { HOME: join(cwd, ".home"), PATH: process.env["PATH"] ?? "" };
  const managed = { root, owner: process.getuid?.() ?? 0 };
  const file = candidatePaths(surroundings({ cwd, env, root })).find((path) => path.startsWith(`${root}/`)) ?? "";
  writeFiles(root, { [file.slice(root.length + 1)]: { permissions: { deny: ["Bash(rm *)"] } } });
  const engines = new WarmEngines(4);
  const brokenNow = async (): Promise<readonly string[]> => (await engines.open({ cwd, env, managed })).configuration.broken;
  expect([await brokenNow(), engines.size]).toEqual([[], 1]);
  chmodSync(file, 0o666);
  expect(await brokenNow()).toEqual([file]);
  chmodSync(file, 0o644);
  expect(await brokenNow()).toEqual([]);
});

test("no more are kept than the limit", async () => {
  const engines = new WarmEngines(2);
  for (let index = 0; index < 5; index++) {
    const cwd = tempFolder();
    await engines.open({ cwd, env: { HOME: join(cwd, ".home") } });
  }
  expect(engines.size).toBe(2);
});
