/** A hook call through the command line: as an agent makes one for each tool call. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BIN } from "../places.ts";
import type { Contender, Opened, Row } from "../row.ts";
import { byC, type Program } from "../support/processes.ts";

const NOTHING: Program = { file: process.execPath, args: ["-e", "0"] };
const NODE_RUNS = 2;

const node: Contender = { name: "node -e 0", open: async () => byC(NOTHING, { runs: NODE_RUNS }) };
const shell: Contender = { name: "sh -c :", open: async () => byC({ file: "/bin/sh", args: ["-c", ":"] }, { runs: 20 }) };

/** The whole of Node for each call. */
async function cold(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
  const settings = join(folder, "settings.json");
  writeFileSync(settings, "{}");
  const { sample } = await byC({ file: process.execPath, args: [BIN, "fire", "tool.before", "--dialect", "lime", "--config", settings] }, { runs: NODE_RUNS });
  return { sample, close: () => rmSync(folder, { recursive: true }) };
}

/** Warm: something of ours already runs. Cold: nothing does. */
export const cliRows: readonly Row[] = [
  {
    name: "cli-warm",
    what: "a hook call through the CLI, warm",
    limit: shell,
    peers: [node],
    ours: { name: "ours", open: cold },
    goals: [{ kind: "within", microseconds: [4_000], limitThen: [740] }],
  },
  {
    name: "cli-cold",
    what: "CLI cold",
    limit: node,
    peers: [],
    ours: { name: "ours", open: cold },
    goals: [{ kind: "times", of: node.name, atMost: [1.2] }],
  },
];
