/** Kills writers of approvals at random moments, and looks at what they left: every approval that was acknowledged, and nothing unreadable. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { approvedText } from "../../src/trust/copies.ts";
import { listRecords, readRecord, recordFolder } from "../../src/trust/record.ts";
import { seeded } from "../permissions/second/random.ts";
import { bundled, runWriter } from "../support/killing.ts";

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

/** A process that approves folders in a loop. */
export const WRITER = fileURLToPath(new URL("./writer.ts", import.meta.url));
const KILL_WITHIN_MS = 40;

export async function torture({ folder, kills, writers, seed }: TortureOptions): Promise<TortureReport> {
  const [configDir, stateDir] = [join(folder, "config"), join(folder, "state")];
  const random = seeded(seed);
  const writer = await bundled(WRITER, folder);
  const acknowledged = new Map<string, string>();
  let count = 0;
  let drafts = 0;
  const lost: string[] = [];
  const unreadable: string[] = [];
  for (let killed = 0; killed < kills; killed += writers) {
    const group = Math.min(writers, kills - killed);
    const said = await Promise.all(
      Array.from({ length: group }, async (_, index) => runWriter([writer, configDir, stateDir, `w${index}`, "100000"], random.below(KILL_WITHIN_MS))),
    );
    for (const line of said.flatMap(({ lines }) => lines)) {
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
