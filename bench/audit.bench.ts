/** What a record costs, beside a plain write and an insert into SQLite (WAL), in interleaved rounds. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LaneWriter } from "../src/audit/lane-writer.ts";
import { openLog } from "../src/audit/log.ts";
import { findSqlite } from "../src/audit/sqlite.ts";

/** One row: microseconds of a record in the quickest of many short rounds, which other people's work does not lengthen, and the ratio to the floor. */
export interface AuditBenchRow {
  readonly what: string;
  readonly floor: string;
  readonly microseconds: number;
  readonly floorMicroseconds: number;
  readonly ratio: number;
}

const ROUNDS = 150;
const RECORDS = 200;

/** A decision as most are: one call, one rule, one hook. */
function details(index: number): object {
  return {
    session: "01a1df28-b893-7fa0-bbb0-e0368322072d",
    turn: "01a1df28-b8ed-7b05-9ec0-18a3017e1090",
    cwd: "/srv/project",
    mode: "default",
    event: "tool.before",
    verdict: "deny",
    reason: "rm -rf is blocked by hook",
    by: [{ kind: "hook", name: "./scripts/guard.sh" }],
    tool: { name: "Bash", input: { command: `rm -rf build/${index} && npm run build` }, useId: `toolu_${index}` },
    gate: { verdict: "ask", because: "The mode default says ask for shell commands, and no rule decided.", step: "mode", mode: "default" },
    hooks: [
      {
        name: "./scripts/guard.sh",
        dialect: "lime",
        type: "command",
        source: { file: "/srv/project/.lime/settings.json", line: 4, column: 22 },
        ended: "exited",
        exitCode: 2,
        durationMs: 3.81,
        verdict: "deny",
        reason: "rm -rf is blocked by hook",
      },
    ],
    durationMs: 4.5,
  };
}

/** Measures. `plain` writes the same record as a line, serialised in the same place; SQLite inserts that line as a row. */
export async function benchAudit(): Promise<readonly AuditBenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-audit-"));
  const frame = { type: "decision", id: "01a1df28-b9cd-7095-a26b-e6f7c7d29d03", at: "2026-11-15T10:00:00.000Z" } as const;
  const file = openSync(join(folder, "plain.jsonl"), "a");
  const log = openLog({ folder: join(folder, "log") });
  log.append(frame, {});
  const lane = new LaneWriter({ folder: join(folder, "log"), segmentBytes: 1 << 26, checkpointEvery: 1_000, fsync: false, now: () => new Date() });
  const open = await findSqlite();
  const database = open?.(join(folder, "peer.sqlite"));
  database?.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE records (id INTEGER PRIMARY KEY, text TEXT)");
  const insert = database?.prepare("INSERT INTO records (text) VALUES (?)");
  const line = `${JSON.stringify(details(1))}\n`;
  const object = line.slice(0, -1);
  const ways: { readonly [name: string]: (index: number) => unknown } = {
    plain: (index) => writeSync(file, `${JSON.stringify(details(index))}\n`),
    ...(insert && { sqlite: (index: number) => insert.run(JSON.stringify(details(index))) }),
    chained: (index) => lane.append("", JSON.stringify(details(index))),
    whole: (index) => log.append(frame, details(index)),
    plainBytes: () => writeSync(file, line),
    chainedBytes: () => lane.append("", object),
  };
  const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const started = performance.now();
      for (let index = 0; index < RECORDS; index++) way(round * RECORDS + index);
      times.get(name)?.push(((performance.now() - started) * 1_000) / RECORDS);
    }
  }
  lane.close();
  log.close();
  database?.close();
  closeSync(file);
  rmSync(folder, { recursive: true, force: true });
  const row = (what: string, name: string, floor: string): AuditBenchRow[] => {
    const [ours = [], base = []] = [times.get(name), times.get(floor)];
    if (ours.length === 0) return [];
    const [microseconds, floorMicroseconds] = [Math.min(...ours), Math.min(...base)];
    return [{ what, floor: FLOORS[floor] ?? floor, microseconds, floorMicroseconds, ratio: microseconds / floorMicroseconds }];
  };
  return [
    ...row("audit record, hash-chained", "chained", "plain"),
    ...row("audit record, hash-chained and redacted", "whole", "plain"),
    ...row("SQLite, WAL", "sqlite", "plain"),
    ...row("audit record, bytes made before", "chainedBytes", "plainBytes"),
  ];
}

const FLOORS: { readonly [name: string]: string } = { plain: "plain write of the record", plainBytes: "plain write of the bytes" };

if (process.argv[1]?.endsWith("audit.bench.ts")) {
  for (const { what, floor, microseconds, floorMicroseconds, ratio } of await benchAudit())
    console.log(`${what.padEnd(42)} ${microseconds.toFixed(2).padStart(8)} µs   ${ratio.toFixed(2)} × ${floor} (${floorMicroseconds.toFixed(2)} µs)`);
}
