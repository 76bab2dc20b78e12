/** Questions to a log: the index and the reading of the log give the same answers. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openLog, query, recordById, stats, type AuditFilter } from "../../src/audit/index.ts";
import { findSqlite } from "../../src/audit/sqlite.ts";
import { tempFolder } from "../support/temp.ts";

const START = Date.parse("2026-11-15T10:00:00.000Z");

/** A log of three sessions, two tools, a hook that fails now and then, and an answer. */
function sample(folder: string, { from = 0, count = 60 }: { readonly from?: number; readonly count?: number } = {}): void {
  const log = openLog({ folder });
  onTestFinished(() => log.close());
  for (let index = from; index < from + count; index++) {
    const frame = {
      type: "decision",
      id: `01a1df16-762b-7ccb-bbaa-${String(index).padStart(12, "0")}`,
      at: new Date(START + index * 60_000).toISOString(),
    } as const;
    const verdict = (["allow", "ask", "deny", undefined] as const)[index % 4];
    const hook = {
      name: index % 2 === 0 ? "./guard.sh" : "log.sh",
      dialect: "lime",
      type: "command",
      ended: "exited",
      exitCode: 0,
      durationMs: index,
      ...(index % 10 === 0 && { fault: { kind: "exit", message: "it ended with 1" } }),
    };
    const tool = { name: index % 3 === 0 ? "Bash" : "run_shell", input: { command: `npm run task-${index} Größe` } };
    log.append(frame, {
      session: `s${index % 3}`,
      event: "tool.before",
      ...(verdict && { verdict }),
      tool,
      ...(verdict && { gate: { verdict, because: "x", step: "mode", mode: "default" } }),
      hooks: [hook],
    });
  }
  const at = new Date(START + (from + count) * 60_000).toISOString();
  log.append(
    { type: "approval", id: `01a1df16-762b-7ccb-bbaa-a${String(from + count).padStart(11, "0")}`, at },
    { session: "s1", tool: { name: "Write", input: {} }, answer: "allow", approver: "terminal" },
  );
  log.close();
}

const FILTERS: readonly AuditFilter[] = [
  {},
  { sinceMs: START + 30 * 60_000 },
  { sinceMs: START + 10 * 60_000, untilMs: START + 20 * 60_000 },
  { session: "s1" },
  { session: "s" },
  { tool: "bash" },
  { tool: "Bash", verdict: "deny" },
  { tool: "Write" },
  { verdict: "none" },
  { event: "tool.before", verdict: "ask" },
  { event: "tool.after" },
  { hook: "GUARD" },
  { hook: "nobody" },
  { text: "task-1" },
  { text: "npm größe" },
  { text: "ask" },
  { text: "nowhere" },
  { type: "approval" },
  { session: "s2", tool: "shell", verdict: "allow", hook: "guard", text: "run", sinceMs: START },
];

describe("an SQLite is found here", () => {
  test("from Node or from libsql", async () => {
    expect(await findSqlite()).not.toBeNull();
  });
});

describe("query", () => {
  test.for(FILTERS)("%j", async (filter) => {
    const folder = tempFolder();
    sample(folder);
    const indexed = await query(folder, filter, { limit: 7 });
    const read = await query(folder, filter, { limit: 7, sqlite: null });
    expect(indexed).toEqual({ ...read, indexed: true });
    expect(await stats(folder, filter)).toEqual(await stats(folder, filter, { sqlite: null }));
  });

  test("finds what it should", async () => {
    const folder = tempFolder();
    sample(folder);
    const found = await query(folder, { verdict: "deny", session: "s0", tool: "developer__shell" });
    expect(found.records.map(({ id }) => Number(id.slice(-12)))).toEqual([6, 18, 30, 42, 54]);
    expect([found.total, found.indexed]).toEqual([5, true]);
  });

  test("the index follows the log, and is made anew when it is asked for, lost, broken, or of another log", async () => {
    const folder = tempFolder();
    const total = async (rebuild = false): Promise<number> => (await query(folder, {}, { rebuild })).total;
    sample(folder, { count: 5 });
    expect(await total()).toBe(6);
    sample(folder, { from: 10, count: 5 });
    expect([await total(), await total(), await total(true)]).toEqual([12, 12, 12]);
    const path = join(folder, "index.sqlite");
    rmSync(path);
    expect([await total(), existsSync(path)]).toEqual([12, true]);
    for (const ending of ["-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
    writeFileSync(path, "no database at all, but long enough to be looked at".repeat(100));
    expect(await total()).toBe(12);
    for (const name of ["lane-00-000001.jsonl", "lane-00.head"]) rmSync(join(folder, name));
    sample(folder, { from: 50, count: 3 });
    expect(await total()).toBe(4);
  });

  test("two that ask at once agree", async () => {
    const folder = tempFolder();
    sample(folder);
    const answers = await Promise.all([1, 2, 3].map(async () => (await query(folder, {})).total));
    expect(answers).toEqual([61, 61, 61]);
  });

  test("where there is no log there is no answer and no index", async () => {
    const folder = join(tempFolder(), "none");
    expect(await query(folder, {})).toEqual({ records: [], total: 0, indexed: false });
    expect([(await stats(folder)).records, existsSync(folder)]).toEqual([0, false]);
  });
});

describe("stats", () => {
  test("count verdicts, tools, answers, and rank hooks by p95", async () => {
    const folder = tempFolder();
    sample(folder, { count: 20 });
    expect(await stats(folder)).toEqual({
      records: 21,
      sessions: 3,
      firstAt: "2026-11-15T10:00:00.000Z",
      lastAt: "2026-11-15T10:20:00.000Z",
      verdicts: { allow: 5, ask: 5, deny: 5, none: 5 },
      tools: [
        { tool: "run_shell", allow: 3, ask: 4, deny: 3, none: 0 },
        { tool: "shell", allow: 2, ask: 1, deny: 2, none: 0 },
      ],
      approvals: [{ approver: "terminal", verdict: "allow", count: 1 }],
      hooks: [
        { name: "log.sh", runs: 10, faults: 0, denies: 0, p50Ms: 9, p95Ms: 19, maxMs: 19 },
        { name: "./guard.sh", runs: 10, faults: 2, denies: 0, p50Ms: 8, p95Ms: 18, maxMs: 18 },
      ],
    });
  });
});

describe("a record by its id", () => {
  test("whole, or by its end; old ones through the index", async () => {
    const folder = tempFolder();
    sample(folder, { count: 300 });
    const old = await recordById(folder, "000000000003");
    expect(old?.id).toBe("01a1df16-762b-7ccb-bbaa-000000000003");
    expect((await recordById(folder, old?.id ?? ""))?.seq).toBe(old?.seq);
    expect((await recordById(folder, "01a1df16-762b-7ccb-bbaa-000000000299", { sqlite: null }))?.session).toBe("s2");
    expect(await recordById(folder, "ffffffffffff")).toBeNull();
  });
});
