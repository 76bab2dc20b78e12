/** A hook call through the command line: as an agent makes one for each tool call. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BIN, ROOT } from "../places.ts";
import { Unavailable, type Contender, type Opened, type Row } from "../row.ts";
import { byC, type Program } from "../support/processes.ts";

const NOTHING: Program = { file: process.execPath, args: ["-e", "0"] };
const CLIENT = join(ROOT, "bin/snaphook-hook");
const NODE_RUNS = 2;
const SHELL_RUNS = 20;

const node: Contender = { name: "node -e 0", open: async () => byC(NOTHING, { runs: NODE_RUNS }) };
const shell: Contender = { name: "sh -c :", open: async () => byC({ file: "/bin/sh", args: ["-c", ":"] }, { runs: SHELL_RUNS }) };

/** The arguments of a call, with a configuration in a folder of its own. */
function call(folder: string): readonly string[] {
  const settings = join(folder, "settings.json");
  writeFileSync(settings, "{}");
  return ["fire", "tool.before", "--dialect", "lime", "--config", settings];
}

/** The whole of Node for each call. */
async function cold(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
  const { sample } = await byC({ file: process.execPath, args: [BIN, ...call(folder)] }, { runs: NODE_RUNS });
  return { sample, close: () => rmSync(folder, { recursive: true }) };
}

/** A daemon answers, and the client is a shell script. */
async function warm(): Promise<Opened> {
  if (process.platform !== "linux") throw new Unavailable("the daemon needs Linux");
  const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
  const env = { ...process.env, XDG_RUNTIME_DIR: folder };
  const daemon = (verb: string): string => execFileSync(process.execPath, [BIN, "daemon", verb], { env, encoding: "utf8" });
  daemon("start");
  const { sample } = await byC({ file: "/bin/sh", args: [CLIENT, ...call(folder)], env }, { runs: SHELL_RUNS });
  return {
    sample,
    close: () => {
      daemon("stop");
      rmSync(folder, { recursive: true });
    },
  };
}

/** Warm: something of ours already runs. Cold: nothing does. */
export const cliRows: readonly Row[] = [
  {
    name: "cli-warm",
    what: "a hook call through the CLI, warm",
    limit: shell,
    peers: [node],
    ours: { name: "ours", open: warm },
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
