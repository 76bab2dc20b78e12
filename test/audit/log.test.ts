/** The audit log as writers, readers and those who check it see it. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { endOfLog, followLog, lastEntries, openLog, readLog, verify, type AuditLog, type LogOptions } from "../../src/audit/index.ts";
import { tempFolder } from "../support/temp.ts";

function open(folder: string, options: Partial<LogOptions> = {}): AuditLog {
  const log = openLog({ folder, ...options });
  onTestFinished(() => log.close());
  return log;
}

function write(log: AuditLog, ...names: readonly string[]): void {
  for (const name of names) log.append({ type: "decision", id: name, at: "2026-11-15T10:00:00.000Z" }, { event: "tool.before" });
}

function idsIn(folder: string): readonly string[] {
  return [...readLog(folder)].map(({ record }) => record.id);
}

describe("a log", () => {
  test("makes nothing on disk before the first record, and what it makes is its owner's alone", () => {
    const folder = join(tempFolder(), "audit");
    const log = open(folder);
    expect(existsSync(folder)).toBe(false);
    write(log, "a");
    log.close();
    const modes = ["", ...readdirSync(folder)].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect([...new Set(modes)].toSorted()).toEqual([0o600, 0o700]);
  });

  test("is JSON lines that a reader of JSON understands, numbered, each with its hash", () => {
    const folder = tempFolder();
    const log = open(folder);
    write(log, "a", "b");
    log.close();
    const lines = readFileSync(join(folder, "lane-00-000001.jsonl"), "utf8").trimEnd().split("\n");
    const records = lines.map((line): { [key: string]: unknown } => JSON.parse(line));
    expect(records.map(({ seq, type, id }) => [seq, type, id])).toEqual([
      [1, "segment", undefined],
      [2, "decision", "a"],
      [3, "decision", "b"],
    ]);
    expect(new Set(records.map(({ hash }) => hash)).size).toBe(3);
  });

  test("goes on where the process before it left off", () => {
    const folder = tempFolder();
    for (const name of ["a", "b", "c"]) {
      const log = open(folder);
      write(log, name);
      log.close();
    }
    expect([idsIn(folder), verify(folder).ok, verify(folder).files]).toEqual([["a", "b", "c"], true, 1]);
  });

  test("has a file for each writer that is at work, and readers see one log", () => {
    const folder = tempFolder();
    const [first, second] = [open(folder), open(folder)];
    write(first, "a");
    write(second, "b");
    write(first, "c");
    expect([first.lane, second.lane]).toEqual([0, 1]);
    expect([...idsIn(folder)].toSorted()).toEqual(["a", "b", "c"]);
    first.close();
    second.close();
    const third = open(folder);
    write(third, "d");
    expect([third.lane, verify(folder).ok]).toEqual([0, true]);
  });

  test("begins another file when one is full, and a checkpoint stands at the end of each", () => {
    const folder = tempFolder();
    const log = open(folder, { segmentBytes: 2_000 });
    write(log, ...Array.from({ length: 40 }, (_, index) => `r${index}`));
    log.close();
    const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    expect(names.length).toBeGreaterThan(2);
    const lasts = names.slice(0, -1).map((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n").at(-1) ?? "");
    expect(lasts.every((line) => line.includes('"type":"checkpoint"'))).toBe(true);
    expect([idsIn(folder).length, verify(folder).ok]).toEqual([40, true]);
  });

  test("waits for the disk at checkpoints where that is asked for, and says the same", () => {
    const folder = tempFolder();
    const log = open(folder, { fsync: true, checkpointEvery: 2 });
    write(log, "a", "b", "c");
    log.close();
    expect([idsIn(folder), verify(folder).ok]).toEqual([["a", "b", "c"], true]);
  });

  test("a record that was not finished is cut off and told, and the log is whole again", () => {
    const folder = tempFolder();
    const killed = open(folder);
    write(killed, "a", "b");
    // As a killed process leaves it: no head for the last record, and half a line.
    const head = readFileSync(join(folder, "lane-00.head"));
    killed.close();
    writeFileSync(join(folder, "lane-00.head"), head);
    appendFileSync(join(folder, "lane-00-000001.jsonl"), '{"seq":4,"type":"deci');
    expect(verify(folder)).toMatchObject({ ok: true, remarks: [expect.stringContaining("lane-00-000001.jsonl:4: the last record is not finished")] });
    const log = open(folder);
    write(log, "c");
    expect(log.repair).toEqual({ cut: { bytes: 21, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    log.close();
    expect([idsIn(folder), verify(folder).ok]).toEqual([["a", "b", "c"], true]);
  });

  test("acknowledged records that are gone when it is opened stay missed for good", () => {
    const folder = tempFolder();
    const log = open(folder);
    write(log, "a", "b", "c");
    log.close();
    const path = join(folder, "lane-00-000001.jsonl");
    truncateSync(path, readFileSync(path, "utf8").indexOf('{"seq":4'));
    const next = open(folder);
    write(next, "d");
    expect(next.repair).toEqual({ lost: 1 });
    next.close();
    expect(verify(folder).problems).toEqual([
      { lane: 0, file: "lane-00-000001.jsonl", line: 4, seq: 4, kind: "missing-records", message: "records 4 to 4 are missing at the end of this file" },
    ]);
  });

  test("records of a lane that was removed with all its files are missed where another lane knows them", () => {
    const folder = tempFolder();
    const [first, second] = [open(folder, { checkpointEvery: 2 }), open(folder)];
    write(first, "a");
    write(second, "b");
    second.close();
    write(first, "c");
    first.close();
    for (const name of readdirSync(folder).filter((each) => each.startsWith("lane-01"))) rmSync(join(folder, name));
    expect(verify(folder)).toMatchObject({ ok: false, problems: [{ lane: 1, file: "lane-01-000001.jsonl", line: 1, kind: "missing-records" }] });
  });

  test("a log that was written anew does not hold a hash that was kept elsewhere", () => {
    const folder = tempFolder();
    const log = open(folder);
    write(log, "a", "b");
    log.close();
    const kept = verify(folder).heads[0]?.hash ?? "";
    expect(verify(folder, { expect: kept })).toMatchObject({ ok: true, holds: true });
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const forged = open(folder);
    write(forged, "a", "x");
    forged.close();
    expect(verify(folder)).toMatchObject({ ok: true });
    expect(verify(folder, { expect: kept })).toMatchObject({ ok: false, holds: false });
  });

  test("a folder that can't be written throws, and a later record is written when it can be", () => {
    const folder = join(tempFolder(), "audit");
    writeFileSync(folder, "in the way");
    const log = open(folder);
    expect(() => write(log, "a")).toThrow(/EEXIST|ENOTDIR/);
    rmSync(folder);
    write(log, "b");
    expect(idsIn(folder)).toEqual(["b"]);
  });

  test("a folder that is removed under a writer is made again", async () => {
    const folder = join(tempFolder(), "audit");
    const log = open(folder);
    write(log, "a");
    rmSync(folder, { recursive: true });
    let count = 0;
    await vi.waitFor(() => {
      write(log, `b${++count}`);
      expect(idsIn(folder)).toContain(`b${count}`);
    });
    expect(verify(folder).ok).toBe(true);
  });

  test("the claim of a process that is gone is taken over; one of another machine is left alone", () => {
    const folder = tempFolder();
    const log = open(folder);
    write(log, "a");
    log.close();
    const claims = (): readonly string[] => readdirSync(folder).filter((name) => /\.(owner|free)-/.test(name));
    const [free = ""] = claims();
    const owner: { [key: string]: unknown } = JSON.parse(readFileSync(join(folder, free), "utf8"));
    rmSync(join(folder, free));
    writeFileSync(join(folder, "lane-00.owner-000007"), JSON.stringify({ ...owner, pid: 4_194_999 }));
    const heir = open(folder);
    write(heir, "b");
    expect([heir.lane, claims()]).toEqual([0, ["lane-00.owner-000008"]]);
    heir.close();
    rmSync(join(folder, "lane-00.free-000008"));
    writeFileSync(join(folder, "lane-00.owner-000009"), JSON.stringify({ ...owner, host: "elsewhere" }));
    const other = open(folder);
    write(other, "c");
    expect(other.lane).toBe(1);
  });
});

describe("reading", () => {
  test("lanes are merged in order of time", () => {
    const folder = tempFolder();
    const logs = [open(folder), open(folder)];
    for (let index = 0; index < 20; index++)
      logs[index % 3 === 0 ? 1 : 0]?.append({ type: "decision", id: String(index), at: new Date(1_800_000_000_000 + index).toISOString() }, { event: "setup" });
    expect(idsIn(folder)).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
    expect(lastEntries(folder, 3).map(({ record }) => record.id)).toEqual(["17", "18", "19"]);
    expect(lastEntries(folder, 2, ({ id }) => id.startsWith("1")).map(({ record }) => record.id)).toEqual(["18", "19"]);
  });

  test("a follower sees what comes, from any lane, and not what was there", async () => {
    const folder = tempFolder();
    const first = open(folder);
    write(first, "old");
    const from = endOfLog(folder);
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const { record } of followLog(folder, { from, signal: stop.signal })) if (seen.push(record.id) === 3) stop.abort();
    })();
    write(first, "a");
    const second = open(folder);
    write(second, "b");
    write(first, "c");
    await following;
    expect(seen.toSorted()).toEqual(["a", "b", "c"]);
  });

  test("a log that is not there is empty", () => {
    const folder = join(tempFolder(), "none");
    expect([idsIn(folder), verify(folder)]).toEqual([[], { ok: true, records: 0, files: 0, problems: [], remarks: [], heads: [], holds: null }]);
  });

  test("files of strangers in the folder disturb nobody", () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "lane-00-000001"));
    writeFileSync(join(folder, "notes.txt"), "x");
    const log = open(folder);
    write(log, "a");
    chmodSync(join(folder, "notes.txt"), 0o000);
    log.close();
    expect([idsIn(folder), verify(folder).ok]).toEqual([["a"], true]);
  });
});
