/** The process that reads the audit log for the page. */
import { spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { LogReader } from "../../src/audit/reader.ts";
import { tempFolder } from "../support/temp.ts";
import { layLog } from "./support/scene.ts";
import { PASS, ask, open } from "./support/server.ts";

test("a reader that ended says so to those who wait, and the next question starts another", async () => {
  const folder = tempFolder();
  layLog(folder, 20);
  const reader = new LogReader(folder);
  onTestFinished(async () => reader.close());
  const asked = reader.query({ filter: {}, limit: 1, skip: 0 });
  const told = expect(asked).rejects.toThrow("ended; ask again");
  await reader.close();
  await told;
  expect(await reader.query({ filter: { verdict: "deny" }, limit: 1, skip: 0 })).toMatchObject({ total: 5, records: [{ verdict: "deny" }] });
  expect(await reader.record({ id: "nobody" })).toBe(null);
});

test("a server that closes leaves no reader behind", async () => {
  const ui = await open(({ auditDir }) => layLog(auditDir, 20));
  expect((await ask(ui, "/api/audit?limit=1", PASS)).status).toBe(200);
  await ui.server.close();
  const left = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout;
  expect(left).not.toContain(ui.auditDir);
});
