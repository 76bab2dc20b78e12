/** How the hooks of an inventory did of late, where a log tells. */
import { hookRuns } from "../../audit/hook-runs.ts";
import { listLanes } from "../../audit/files.ts";
import { messageOf } from "../../lib/errors.ts";
import type { InventoryRow } from "../../lint/inventory.ts";
import type { Surface } from "../command.ts";
import { auditPlace } from "./place.ts";
import { progressOn } from "./progress.ts";

/** The runs of one hook. */
export interface RecentRuns {
  readonly runs: number;
  readonly faults: number;
  /** Null where it did not run. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** The runs of a row's hook; null for what is no hook. */
export type RunsOf = (row: InventoryRow) => RecentRuns | null;

const RECENT_MS = 86_400_000;

/** The last 24 hours; null where there is no log. A log that can't be asked is told, and keeps nobody from the list. */
export async function recentRuns(surface: Surface, nowMs: number): Promise<RunsOf | null> {
  const { folder } = auditPlace(surface);
  try {
    if (folder === null || folder === "" || listLanes(folder).length === 0) return null;
    const progress = progressOn(surface);
    const found = await hookRuns(folder, nowMs - RECENT_MS, { onProgress: progress.told });
    progress.done();
    return ({ hook, source }) => {
      if (!hook) return null;
      const events: readonly string[] = hook.events;
      const own = found.filter(({ name, file, event }) => name === hook.name && file === (source?.file ?? null) && events.includes(event));
      const timesMs = own.flatMap((each) => each.timesMs).toSorted((left, right) => left - right);
      const at = (share: number): number | null => timesMs[Math.max(0, Math.ceil(share * timesMs.length) - 1)] ?? null;
      return { runs: timesMs.length, faults: own.reduce((sum, { faults }) => sum + faults, 0), p50Ms: at(0.5), p95Ms: at(0.95) };
    };
  } catch (error) {
    surface.stderr(`snaphook: the audit log can't be asked how hooks did: ${messageOf(error)}\n`);
    return null;
  }
}
