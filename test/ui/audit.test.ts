/** The audit log of the page's server: much of it, and others served meanwhile. */
import { spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { LogReader } from "../../src/audit/reader.ts";
import { sleep } from "../../src/lib/time.ts";
import { tempFolder } from "../support/temp.ts";
import { layLines, layLog, layManyRecords } from "./support/scene.ts";
import { PASS, ask, listen, open, type Opened } from "./support/server.ts";

async function get(ui: Opened, path: string): Promise<unknown> {
  return JSON.parse((await ask(ui, `/api/audit${path}`, PASS)).text);
}

test(
  "100,000 records are indexed beside the server: who searches is told how far it is, and sessions are followed meanwhile",
  { timeout: 300_000 },
  async () => {
    let tell: ReturnType<typeof layLines> = () => {};
    const ui = await open(({ desk, auditDir }) => {
      layManyRecords(auditDir, 100_000);
      tell = layLines(desk, 1);
    });
    const order: string[] = [];
    const search = get(ui, "?text=push&verdict=ask&limit=5").then((found) => (order.push("found"), found));
    const shares: number[] = [];
    while (shares.length < 2 && order.length === 0) {
      const { share }: { share: number | null } = JSON.parse((await ask(ui, "/api/audit/progress", PASS)).text);
      if (share !== null && share !== shares.at(-1)) shares.push(share);
      await sleep(20);
    }
    const heard = listen(ui, 0, ({ data }) => data.includes("said while it is indexed")).then(() => void order.push("heard"));
    tell({ type: "notice", message: "said while it is indexed" });
    await heard;
    expect(await search).toMatchObject({ total: 12_500, records: Array.from({ length: 5 }, () => ({ tool: { input: { command: "git push origin main" } } })) });
    expect(order).toEqual(["heard", "found"]);
    expect(shares).toEqual(shares.toSorted((left, right) => left - right));
    expect(await get(ui, "/progress")).toEqual({ share: null });
    expect(await get(ui, "/stats")).toMatchObject({ stats: { records: 100_000, hooks: [{ runs: 100_000 }, { runs: 100_000 }] } });
  },
);

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
  await get(ui, "?limit=1");
  await ui.server.close();
  const left = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout;
  expect(left).not.toContain(ui.auditDir);
});
