/** Finds where a lane may go on, and repairs what a writer left unfinished that was killed. */
import { hash } from "node:crypto";
import { statSync, truncateSync } from "node:fs";
import { listLanes, segmentPath } from "./files.ts";
import { readHead, type Head } from "./head.ts";
import { LANE_START, replay, type Standing } from "./replay.ts";

/** What was found amiss when a lane was opened; a record of its own tells it. */
export interface Repair {
  /** A record that was never acknowledged was cut off. */
  readonly cut?: { readonly bytes: number; readonly sha256: string };
  /** Acknowledged records that are gone. */
  readonly lost?: number;
  /** The head was missing or unreadable. */
  readonly head?: "missing";
  /** A record that does not fit; it was left as it is. */
  readonly broken?: string;
}

/** Where a lane goes on. */
export interface Recovered {
  readonly standing: Standing;
  /** The next record begins a new file: behind what is broken nothing is appended. */
  readonly newSegment: boolean;
  /** The highest number of a file that exists. */
  readonly lastSegment: number;
  readonly repair: Repair | null;
}

/** Recovers a lane of a folder. The caller owns the lane. */
export function recover(folder: string, lane: number): Recovered {
  const segments = listLanes(folder).find((each) => each.lane === lane)?.segments ?? [];
  const lastSegment = segments.at(-1) ?? 0;
  const head = readHead(folder, lane);
  if (head && isBehind(folder, segments, head)) return goOn({ folder, lane, segments, from: { ...head, line: 0 }, extra: {} });
  if (head) {
    // Acknowledged records are gone. Their number and hash are known, so that the hole can be seen and the chain goes on behind it.
    const standing: Standing = { seq: head.seq, hash: head.hash, segment: head.segment, bytes: head.bytes, line: 0 };
    return { standing, newSegment: true, lastSegment: Math.max(lastSegment, head.segment), repair: { lost: lostRecords({ folder, lane, segments, head }) } };
  }
  return goOn({ folder, lane, segments, from: LANE_START, extra: segments.length > 0 ? { head: "missing" } : {} });
}

/** Whether the files hold at least what the head says. */
function isBehind(folder: string, segments: readonly number[], { lane, segment, seq, bytes }: Head): boolean {
  if (seq === 0) return true;
  return segments.includes(segment) && statSync(segmentPath(folder, lane, segment)).size >= bytes;
}

function lostRecords({ folder, lane, segments, head }: { folder: string; lane: number; segments: readonly number[]; head: Head }): number {
  return Math.max(1, head.seq - replay({ folder, lane, segments, from: LANE_START }).standing.seq);
}

interface Going {
  readonly folder: string;
  readonly lane: number;
  readonly segments: readonly number[];
  readonly from: Standing;
  readonly extra: Repair;
}

function goOn({ folder, lane, segments, from, extra }: Going): Recovered {
  const lastSegment = segments.at(-1) ?? 0;
  const { standing, rest } = replay({ folder, lane, segments, from });
  const amiss = Object.keys(extra).length > 0 ? extra : null;
  switch (rest.kind) {
    case "nothing":
      // A file that was made and has no record yet is where the next one goes.
      return { standing, newSegment: standing.segment < lastSegment, lastSegment: Math.max(standing.segment, lastSegment - 1), repair: amiss };
    case "torn": {
      const isHeader = standing.segment < lastSegment;
      truncateSync(segmentPath(folder, lane, lastSegment), isHeader ? 0 : standing.bytes);
      const cut = { bytes: rest.bytes.length, sha256: hash("sha256", rest.bytes, "hex") };
      return { standing, newSegment: isHeader, lastSegment: isHeader ? lastSegment - 1 : lastSegment, repair: { ...extra, cut } };
    }
    case "broken":
      return {
        standing,
        newSegment: true,
        lastSegment,
        repair: { ...extra, broken: `${rest.at.file}:${rest.at.line}: ${rest.at.message}` },
      };
  }
}
