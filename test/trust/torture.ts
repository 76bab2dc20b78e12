/** Kills writers of approvals at random moments, and looks at what they left: every approval that was acknowledged, and nothing unreadable. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { approvedText } from "../../src/trust/copies.ts";
import { listRecords, readRecord, recordFolder } from "../../src/trust/record.ts";

export interface TortureOptions {
  readonly folder: string;
  readonly kills: number;
  /** Writers at work at the same time. */
  readonly writers: number;
  readonly seed: number;
}

export interface TortureReport {
  readonly kills: number;
  readonly acknowledged: number;
  /** Approvals that were said to be done and are not there. */
  readonly lost: readonly string[];
  readonly unreadable: readonly string[];
  /** Drafts that killed writers left and the next ones swept. */
  readonly drafts: number;
}

const WRITER = fileURLToPath(new URL("./writer.ts", import.meta.url));
const KILL_WITHIN_MS = 40;

export async function torture({ folder, kills, writers, seed }: TortureOptions): Promise<TortureReport> {
  const [configDir, stateDir] = [join(folder, "config"), join(folder, "state")];
  const random = randomFrom(seed);
  const writer = await bundledWriter(folder);
  const acknowledged = new Map<string, string>();
  let count = 0;
  let drafts = 0;
  const lost: string[] = [];
  const unreadable: string[] = [];
  for (let killed = 0; killed < kills; killed += writers) {
    const group = Math.min(writers, kills - killed);
    const said = await Promise.all(
      Array.from({ length: group }, async (_, index) => killedWriter({ writer, configDir, stateDir, name: `w${index}`, afterMs: random() * KILL_WITHIN_MS })),
    );
    for (const line of said.flat()) {
      const [path = "", at = ""] = line.split(" ");
      acknowledged.set(path, at);
      count += 1;
    }
    drafts += readdirSync(recordFolder(configDir)).filter((name) => name.startsWith(".draft-")).length;
    unreadable.push(...listRecords(configDir).refused);
    for (const [path, at] of acknowledged) {
      const read = readRecord(configDir, path);
      if (read.kind !== "record" || read.record.at < at) lost.push(`${path} of ${at}`);
      else if (read.record.entries.some(({ files }) => files.some(({ sha256 }) => approvedText(sha256, stateDir) === undefined)))
        lost.push(`the copy of ${path}`);
    }
  }
  return { kills, acknowledged: count, lost, unreadable, drafts };
}

/** The writer as one file of plain JavaScript: it starts in a fraction of the time. */
export async function bundledWriter(folder: string): Promise<string> {
  const bundle = await rolldown({ input: WRITER, platform: "node" });
  const file = join(folder, "writer.mjs");
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  return file;
}

interface Writing {
  readonly writer: string;
  readonly configDir: string;
  readonly stateDir: string;
  readonly name: string;
  readonly afterMs: number;
}

/** Starts a writer and kills it a while after its first approval; what it acknowledged in whole lines. */
async function killedWriter({ writer, configDir, stateDir, name, afterMs }: Writing): Promise<readonly string[]> {
  const child = spawn(process.execPath, [writer, configDir, stateDir, name, "100000"], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (out === "") setTimeout(() => child.kill("SIGKILL"), afterMs);
    out += text;
  });
  await new Promise<void>((resolve) => void child.on("close", () => resolve()));
  return out.split("\n").slice(0, -1);
}

/** Numbers from 0 to 1 that follow from a seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
