/** Kills writers at every point of their work and looks at what they leave. */
import { readLog } from "../../../src/audit/read.ts";
import { verify } from "../../../src/audit/verify.ts";
import { runWriter as runProcess } from "../../support/killing.ts";
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
  /** Every so many file operations fail with this code, or write only half of what they should. */
  readonly fail?: { readonly every: number; readonly how: string };
}

/** How a writer ended. */
export interface WriterEnd {
  readonly acknowledged: readonly string[];
  readonly done: boolean;
  readonly stderr: string;
}

/** Runs a writer to its end; with `afterMs` it is killed so long after its first acknowledged record. */
export async function runWriter({ path, writer }: AuditBundle, folder: string, order: WriterOrder, afterMs?: number): Promise<WriterEnd> {
  const { lines, stderr } = await runProcess([writer, path, folder, JSON.stringify(order)], afterMs);
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
    const ends = await Promise.all(orders.map(async (order) => runWriter(bundle, folder, order, isEnumerated ? undefined : (index * 7_919) % 25)));
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

const FAILURES = ["ENOSPC", "EIO", "EMFILE", "EACCES", "short"];

/** Lets file operations of writers fail, each writer's in another rhythm, in one log. */
export async function failEvery(bundle: AuditBundle, { folder, writers }: { readonly folder: string; readonly writers: number }): Promise<KillReport> {
  const faults: string[] = [];
  const acknowledged: string[] = [];
  for (let index = 0; index < writers && faults.length < 20; index++) {
    const fail = { every: 2 + ((index * 7) % 41), how: FAILURES[index % FAILURES.length] ?? "EIO" };
    const end = await runWriter(bundle, folder, { name: `f${index}`, records: 40, opens: 2, fail });
    acknowledged.push(...end.acknowledged);
    const left = [...(end.done ? [] : ["it did not end by itself"]), ...(end.stderr === "" ? [] : [end.stderr]), ...faultsAfter(folder, acknowledged)];
    faults.push(...left.map((fault) => `${fail.how} at every ${fail.every}. operation: ${fault}`));
  }
  return { killed: writers, records: acknowledged.length, faults };
}

/** What a run of kills found. */
export interface KillReport {
  readonly killed: number;
  /** Records that were acknowledged. */
  readonly records: number;
  readonly faults: readonly string[];
}
