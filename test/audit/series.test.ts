/** A log over time: the index and reading say the same. */
import { expect, test } from "vitest";
import { query } from "../../src/audit/query.ts";
import { series } from "../../src/audit/series.ts";
import { layLog } from "../ui/support/scene.ts";
import { tempFolder } from "../support/temp.ts";

test("verdicts and hook times in equal pieces, the same by index and by reading", async () => {
  const folder = tempFolder();
  layLog(folder, 400);
  const [indexed, read] = [await series(folder), await series(folder, {}, { sqlite: null })];
  expect(indexed).toEqual(read);
  const sum = (key: "allow" | "ask" | "deny"): number => read.points.reduce((all, point) => all + point[key], 0);
  expect([read.points.length <= 60, sum("allow"), sum("ask"), sum("deny")]).toEqual([true, 250, 50, 100]);
  expect(read.points.every(({ p50Ms, p95Ms }) => p50Ms !== null && p95Ms !== null && p50Ms <= p95Ms)).toBe(true);
  const denied = await series(folder, { verdict: "deny" });
  expect(denied).toEqual(await series(folder, { verdict: "deny" }, { sqlite: null }));
  expect(denied.points.every(({ allow, ask }) => allow + ask === 0)).toBe(true);
});

test("an empty log has no pieces", async () => {
  expect((await series(tempFolder())).points).toEqual([]);
});

test.each([undefined, null])("pages follow each other without a gap (sqlite %s)", async (sqlite) => {
  const folder = tempFolder();
  layLog(folder, 50);
  const options = sqlite === null ? { sqlite } : {};
  const all = (await query(folder, {}, { limit: 100, ...options })).records;
  const pages = await Promise.all([40, 20, 0].map(async (skip) => query(folder, {}, { limit: 20, skip, ...options })));
  expect(pages.flatMap(({ records }) => records.map(({ id }) => id))).toEqual(all.map(({ id }) => id));
  expect(pages.map(({ total }) => total)).toEqual([50, 50, 50]);
});
