/** The benchmark itself: what it prints has its shape, its goals are judged as they say, and its page is drawn from its numbers. No time is asked for. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judge } from "../bench/judge.ts";
import { charts, withTable } from "../bench/plot/page.ts";
import { isReport, type Report } from "../bench/report.ts";
import type { Measured } from "../bench/rounds.ts";
import { contendersOf, type Goal, type Row } from "../bench/row.ts";
import { ROWS, TABLE } from "../bench/rows/index.ts";
import { textTable } from "../bench/table.ts";
import { ROOT } from "./support/places.ts";

const LIMIT_MS = 120_000;

async function bench(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(ROOT, "scripts/bench.mjs"), "run", ...args], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });
}

describe("a run", () => {
  test(
    "prints one JSON document: the machine, and each row with its contenders, ratio, goal and result",
    async () => {
      const wanted = ["command", "burst-stall", "dispatch", "permission"];
      const { code, stdout, stderr } = await bench("--quick", "--no-peers", "--json", "--only", wanted.join(","));
      expect(code, stderr).toBe(0);
      const report: unknown = JSON.parse(stdout);
      if (!isReport(report)) throw new Error("this is no report");
      expect(report.machine).toMatchObject({ node: process.version, command: expect.stringMatching(/^npm run bench -- --quick/), load: expect.any(Number) });
      expect(report.rows.map(({ name }) => name)).toEqual(wanted);
      for (const row of report.rows) {
        const ours = row.contenders.find(({ role }) => role === "ours");
        expect(ours?.missing, row.name).toBeNull();
        expect(ours?.medians).toHaveLength(row.points?.at.length ?? 1);
        expect(ours?.medians?.every((time) => time >= 0)).toBe(true);
        expect(row.goal).not.toBe("");
      }
      expect(
        textTable(report)
          .split("\n")
          .some((line) => /^what +limit +peers +ours +ratio +goal +result$/.test(line)),
      ).toBe(true);
    },
    LIMIT_MS,
  );

  test("refuses a row that is not there, and names the one that was meant", async () => {
    const { code, stderr } = await bench("--only", "dispath");
    expect(code).toBe(64);
    expect(stderr).toContain('did you mean "dispatch"?');
  });
});

describe("the table", () => {
  test("every row has a goal, and a name of its own for each row and each contender", () => {
    expect(TABLE.filter(({ goals }) => goals.length === 0)).toEqual([]);
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
    for (const row of ROWS) {
      const names = contendersOf(row).map(({ contender }) => contender.name);
      expect(new Set(names).size, row.name).toBe(names.length);
    }
  });

  test("a goal that is a ratio names a contender of its row", () => {
    const lost = TABLE.flatMap((row) =>
      row.goals.flatMap((goal) => (goal.kind === "times" && !contendersOf(row).some(({ contender }) => contender.name === goal.of) ? [row.name] : [])),
    );
    expect(lost).toEqual([]);
  });
});

describe("a goal", () => {
  const open = async (): Promise<never> => Promise.reject(new Error("not opened here"));
  const contender = (name: string): { readonly name: string; readonly open: typeof open } => ({ name, open });
  const row = (...goals: readonly Goal[]): Row => ({
    name: "row",
    what: "row",
    limit: contender("limit"),
    peers: [contender("peer")],
    ours: contender("ours"),
    goals,
  });
  const took = (name: string, medians: readonly number[] | null): Measured => ({
    name,
    role: name === "peer" ? "peer" : name === "ours" ? "ours" : "limit",
    medians,
    minima: medians,
    missing: medians ? null : "gone",
  });
  const result = (goal: Goal, times: { readonly [name: string]: readonly number[] | null }): string =>
    judge(
      row(goal),
      Object.entries(times).map(([name, medians]) => took(name, medians)),
    ).result;

  test.each<readonly [Goal, { readonly [name: string]: readonly number[] | null }, string]>([
    [{ kind: "times", of: "limit", atMost: [1.5] }, { limit: [10], ours: [15] }, "pass"],
    [{ kind: "times", of: "limit", atMost: [1.5] }, { limit: [10], ours: [15.1] }, "short"],
    [{ kind: "times", of: "peer", atMost: [1] }, { limit: [1, 1], peer: [2, 3], ours: [2, 3.1] }, "short"],
    [{ kind: "times", of: "peer", atMost: [1] }, { limit: [1], peer: null, ours: [2] }, "missing"],
    [{ kind: "times", of: "peer", atMost: [1] }, { limit: [1], ours: [2] }, "missing"],
    [{ kind: "times", of: "limit", atMost: [1] }, { limit: [1], ours: null }, "missing"],
    [{ kind: "within", microseconds: [20] }, { limit: [40], ours: [20.1] }, "short"],
    [{ kind: "within", microseconds: [15, 20] }, { limit: [1, 1], ours: [15, 20] }, "pass"],
    [{ kind: "within", microseconds: [20], limitThen: [10] }, { limit: [15], ours: [30] }, "pass"],
    [{ kind: "within", microseconds: [20], limitThen: [10] }, { limit: [15], ours: [30.1] }, "short"],
    [{ kind: "within", microseconds: [20], limitThen: [10] }, { limit: [5], ours: [20] }, "pass"],
    [{ kind: "growth", atMost: 2 }, { limit: [1, 1, 1], ours: [1, 9, 2] }, "pass"],
    [{ kind: "growth", atMost: 2 }, { limit: [1, 1], ours: [1, 2.1] }, "short"],
  ])("%j, measured %j: %s", (goal, times, expected) => {
    expect(result(goal, times)).toBe(expected);
  });

  test("one that is missed makes the row short, whatever the others say", () => {
    const goals: readonly Goal[] = [
      { kind: "within", microseconds: [5] },
      { kind: "times", of: "limit", atMost: [1] },
    ];
    const judged = judge(row(...goals), [took("limit", [2]), took("ours", [4])]);
    expect(judged).toEqual({ ratios: [2], ratioTo: "limit", goal: "≤ 5 µs, ≤ 1 × limit", result: "short" });
  });
});

describe("docs/performance.md", () => {
  const report = (): Report => {
    const stored: unknown = JSON.parse(readFileSync(join(ROOT, "bench/result.json"), "utf8"));
    if (!isReport(stored)) throw new Error("bench/result.json is not the result of a run");
    return stored;
  };

  test("shows the table of bench/result.json; npm run bench:plots writes it", () => {
    const page = readFileSync(join(ROOT, "docs/performance.md"), "utf8");
    expect(withTable(page, report())).toBe(page);
  });

  test("its plots are drawn from the same numbers", () => {
    const drawn = charts(report());
    expect(drawn.size).toBe(5);
    for (const [name, svg] of drawn) expect(readFileSync(join(ROOT, "docs/images", name), "utf8"), name).toBe(svg);
  });
});
