/** Kills writers at every point of their work and looks at what they leave. */
import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { readLog } from "../../../src/audit/read.ts";
import { verify } from "../../../src/audit/verify.ts";
import type { AuditBundle } from "./bundle.ts";

/** What a writer is told. */
export interface WriterOrder {
  readonly name: string;
  readonly records: number;
  readonly opens?: number;
  readonly segmentBytes?: number;
  readonly checkpointEvery?: number;
  readonly pad?: number;
  /** Die at this file operation: before it, after it, or in the middle of what it writes. */
  readonly kill?: { readonly at: number; readonly how: "before" | "after" | "half" };
}

/** How a writer ended. */
export interface WriterEnd {
  readonly acknowledged: readonly string[];
  readonly done: boolean;
  readonly stderr: string;
}

/** Runs a writer to its end; with `afterMs` it is killed then. */
export async function runWriter({ path, writer }: AuditBundle, folder: string, order: WriterOrder, afterMs?: number): Promise<WriterEnd> {
  const child = spawn(process.execPath, [writer, path, folder, JSON.stringify(order)], { stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<void>((resolve) => void child.on("close", () => resolve()));
  if (afterMs !== undefined) {
    await Promise.race([ended, wait(afterMs)]);
    child.kill("SIGKILL");
  }
  await ended;
  const lines = stdout.split("\n").filter((line) => line !== "");
  return { acknowledged: lines.filter((line) => line !== "done"), done: lines.includes("done"), stderr };
}

/** What is wrong with a log after its writers were killed; nothing, as it should be. */
export function faultsAfter(folder: string, acknowledged: readonly string[]): readonly string[] {
  const { problems } = verify(folder);
  const ids = [...readLog(folder)].map(({ record }) => record.id);
  const found = new Set(ids);
  return [
    ...problems.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    ...acknowledged.filter((id) => !found.has(id)).map((id) => `lost: ${id}`),
    ...(found.size === ids.length ? [] : [`${ids.length - found.size} records stand in the log twice`]),
  ];
}

const WAYS = ["before", "after", "half"] as const;
/** File operations of one writer, about; beyond them it ends by itself. */
const OPERATIONS = 150;

/** Kills writers one after another, each at another point, most of them in a log that the one before left behind. */
export async function killAt(
  bundle: AuditBundle,
  { folderOf, kills }: { readonly folderOf: (round: number) => string; readonly kills: number },
): Promise<KillReport> {
  const faults: string[] = [];
  let acknowledged: string[] = [];
  let [killed, records, round] = [0, 0, 0];
  // Fewer kills than points are spread over all of them; never a multiple of the ways, or it would always be the same one.
  const step = Math.max(1, Math.floor((OPERATIONS * WAYS.length) / kills / WAYS.length) * WAYS.length + 1);
  let folder = folderOf(round);
  while (killed < kills) {
    const index = killed;
    // Every operation in each way first, then at random moments, two writers at once.
    const isEnumerated = index < OPERATIONS * WAYS.length;
    const point = index * step;
    const at = 1 + (Math.floor(point / WAYS.length) % OPERATIONS);
    const how = WAYS[point % WAYS.length] ?? "before";
    const orders: readonly WriterOrder[] = isEnumerated
      ? [{ name: `w${index}`, records: 12, opens: 2, kill: { at, how } }]
      : [0, 1].map((each) => ({ name: `w${index}.${each}`, records: 400, opens: 50 }));
    const ends = await Promise.all(orders.map(async (order) => runWriter(bundle, folder, order, isEnumerated ? undefined : 40 + ((index * 7_919) % 60))));
    killed += orders.length;
    for (const end of ends) {
      acknowledged.push(...end.acknowledged);
      records += end.acknowledged.length;
      if (end.stderr !== "") faults.push(end.stderr);
    }
    faults.push(...faultsAfter(folder, acknowledged).map((fault) => `after kill ${index} (${how} operation ${at}): ${fault}`));
    if (faults.length > 20) break;
    if (killed % 30 < orders.length) {
      folder = folderOf(++round);
      acknowledged = [];
    }
  }
  return { killed, records, faults };
}

/** What a run of kills found. */
export interface KillReport {
  readonly killed: number;
  /** Records that were acknowledged. */
  readonly records: number;
  readonly faults: readonly string[];
}
