/** One record of the audit log. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contender, Opened, Row } from "../row.ts";
import { openPeer } from "../support/peers.ts";
import { called, timed } from "../support/timed.ts";

const ID = "0199e0a0-0000-7000-8000-000000000001";
/** A record of the usual size. */
const RECORD = {
  at: "2026-11-15T10:00:00.000Z",
  event: "tool.before",
  sessionId: "0199e0a0-0000-7000-8000-000000000000",
  tool: { name: "shell", input: { command: "git log --format='%h %s' | head -n 5" } },
  verdict: "allow",
  gate: { verdict: "allow", because: "Bash(git log *)", step: "allow", mode: "default" },
  hooks: [{ name: "./guard.sh", dialect: "claude-code", ended: "exited", exitCode: 0, durationMs: 1.2, verdict: null }],
};

async function inFolder(open: (folder: string) => Promise<Opened>): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
  const { sample, close } = await open(folder);
  return {
    sample,
    close: async () => {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}

const plain: Contender = {
  name: "plain write",
  open: async () =>
    inFolder(async (folder) => {
      const file = openSync(join(folder, "log.jsonl"), "a");
      return timed([called(() => writeSync(file, `${JSON.stringify(RECORD)}\n`))], () => closeSync(file));
    }),
};

const sqlite: Contender = {
  name: "SQLite WAL",
  open: async () =>
    inFolder(async (folder) => {
      const insert = await openPeer("packages.mjs", "sqliteRecord", { file: join(folder, "log.db"), record: JSON.stringify(RECORD) });
      return timed([called(insert)]);
    }),
};

const ours: Contender = {
  name: "ours",
  open: async () => {
    const { openLog } = await import("../../src/audit/index.ts");
    const { at, ...details } = RECORD;
    return inFolder(async (folder) => {
      const log = openLog({ folder });
      return timed([called(() => log.append({ type: "decision", id: ID, at }, details))], () => log.close());
    });
  },
};

/** Redacted, hash-chained and appended, not synced to the disk. */
export const auditRows: readonly Row[] = [
  {
    name: "audit",
    what: "audit record, hash-chained",
    limit: plain,
    peers: [sqlite],
    ours,
    goals: [{ kind: "times", of: plain.name, atMost: [2] }],
  },
];
