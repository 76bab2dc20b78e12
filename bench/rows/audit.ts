/** One record of the audit log. */
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "../../src/lib/json.ts";
import { ROOT } from "../places.ts";
import { Unavailable, type Contender, type Opened, type Row } from "../row.ts";
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

interface Log {
  append(frame: { readonly type: string; readonly id: string; readonly at: string }, details: object): void;
  close(): void;
}

const ours: Contender = {
  name: "ours",
  open: async () => {
    const module = join(ROOT, "dist/audit/index.js");
    if (!existsSync(module)) throw new Unavailable("the audit log is not built yet");
    const audit: unknown = await import(module);
    if (!hasLog(audit)) throw new Error("dist/audit exports no openLog");
    const { at, ...details } = RECORD;
    return inFolder(async (folder) => {
      const log = audit.openLog({ folder });
      return timed([called(() => log.append({ type: "decision", id: ID, at }, details))], () => log.close());
    });
  },
};

function hasLog(module: unknown): module is { openLog(options: { readonly folder: string }): Log } {
  return isObject(module) && typeof module["openLog"] === "function";
}

/** Appended and hash-chained, not synced to the disk. */
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
