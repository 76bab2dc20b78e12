/** Follows a lane record by record, and says where the chain ends or breaks. */
import { isObject, parseJson } from "../lib/json.ts";
import { checkLine, GENESIS, isChainFault, type ChainFault, type ChainState } from "./chain.ts";
import { segmentName, segmentPath } from "./files.ts";
import { segmentLines, type SegmentLine } from "./segment-lines.ts";

/** How far a lane was followed: the last good record, and the byte behind it. */
export interface Standing extends ChainState {
  readonly segment: number;
  readonly bytes: number;
  /** Lines of that segment up to here, counted from where the reading began. */
  readonly line: number;
}

/** A place where a record is bad or missing. */
export interface Break {
  readonly file: string;
  readonly line: number;
  readonly seq: number;
  readonly kind: ChainFault["kind"] | "missing-file" | "missing-records" | "wrong-file";
  readonly message: string;
}

/** How the following of a lane ended. */
export interface Replayed {
  readonly standing: Standing;
  /** What stands behind the last good record: nothing, a record that was not finished, or something that is no record of this chain. */
  readonly rest: { readonly kind: "nothing" } | { readonly kind: "torn"; readonly bytes: Buffer } | { readonly kind: "broken"; readonly at: Break };
}

/** Where a lane begins. */
export const LANE_START: Standing = { seq: 0, hash: GENESIS, segment: 0, bytes: 0, line: 0 };

/** What a replay follows. */
export interface Replay {
  readonly folder: string;
  readonly lane: number;
  readonly segments: readonly number[];
  readonly from: Standing;
  /** Sees each good record. The bytes hold until it returns. */
  readonly onRecord?: (line: SegmentLine, standing: Standing) => void;
}

/** Follows a lane from a standing to its end or its first break. */
export function replay({ folder, lane, segments, from, onRecord }: Replay): Replayed {
  let standing = from;
  const last = segments.at(-1) ?? 0;
  for (let segment = Math.max(from.segment, 1); segment <= last; segment++) {
    const isNew = segment !== from.segment;
    if (!segments.includes(segment)) return broken(standing, missingFile(lane, segment, standing));
    let line = isNew ? 0 : from.line;
    for (const each of segmentLines(segmentPath(folder, lane, segment), isNew ? 0 : from.bytes)) {
      line += 1;
      const where = { file: segmentName(lane, segment), line, seq: standing.seq + 1 };
      if (!each.whole) return segment === last ? { standing, rest: { kind: "torn", bytes: each.bytes } } : broken(standing, { ...where, ...TORN });
      const checked = checkLine(each.bytes, standing);
      if (isChainFault(checked))
        return broken(standing, each.offset === 0 ? firstLineBreak(each.bytes, checked, { where, lane, standing }) : breakOf(checked, where));
      if (each.offset === 0 && !isHeaderOf(each.bytes, lane, segment)) return broken(standing, { ...where, ...WRONG_FILE });
      standing = { ...checked, segment, bytes: each.end, line };
      onRecord?.(each, standing);
    }
    if (isNew && line === 0 && segment !== last) return broken(standing, { file: segmentName(lane, segment), line: 1, seq: standing.seq + 1, ...MISSING });
  }
  return { standing, rest: { kind: "nothing" } };
}

const TORN = { kind: "torn", message: "the file ends in the middle of this record, and others follow it" } as const;
const WRONG_FILE = { kind: "wrong-file", message: "the file begins with a record that belongs into another file" } as const;
const MISSING = { kind: "missing-records", message: "the records of this file are missing" } as const;

/** The place behind the last good record. */
export function nextPlace(lane: number, { segment, line, seq }: Standing): Pick<Break, "file" | "line" | "seq"> {
  return { file: segmentName(lane, Math.max(segment, 1)), line: line + 1, seq: seq + 1 };
}

function broken(standing: Standing, at: Break): Replayed {
  return { standing, rest: { kind: "broken", at } };
}

function missingFile(lane: number, segment: number, { seq }: Standing): Break {
  return { file: segmentName(lane, segment), line: 1, seq: seq + 1, kind: "missing-file", message: "this file is missing" };
}

/** The first line of a file shows what happened to the file before it. */
function firstLineBreak(
  bytes: Buffer,
  fault: ChainFault,
  { where, lane, standing }: { where: Pick<Break, "file" | "line" | "seq">; lane: number; standing: Standing },
): Break {
  const header = headerOf(bytes);
  const comesLater = fault.kind === "out-of-order" && fault.seq > where.seq && header?.["prev"] !== standing.hash;
  if (!comesLater || header?.["lane"] !== lane || header["segment"] !== standing.segment + 1) return breakOf(fault, where);
  return { ...nextPlace(lane, standing), kind: "missing-records", message: `records ${where.seq} to ${fault.seq - 1} are missing at the end of this file` };
}

function breakOf(fault: ChainFault, where: Pick<Break, "file" | "line" | "seq">): Break {
  switch (fault.kind) {
    case "altered":
      return { ...where, kind: "altered", message: "this record was altered: its hash does not fit its text and the record before it" };
    case "out-of-order":
      return {
        ...where,
        kind: "out-of-order",
        message: `record ${fault.seq} stands where record ${where.seq} should: records were removed, moved or repeated`,
      };
    case "torn":
      return { ...where, ...TORN };
    case "no-record":
      return { ...where, kind: "no-record", message: "this line is no whole record" };
  }
}

function headerOf(bytes: Buffer): { readonly [key: string]: unknown } | undefined {
  const header = parseJson(bytes.toString("utf8"));
  return isObject(header) && header["type"] === "segment" ? header : undefined;
}

function isHeaderOf(bytes: Buffer, lane: number, segment: number): boolean {
  const header = headerOf(bytes);
  return header?.["lane"] === lane && header["segment"] === segment;
}
