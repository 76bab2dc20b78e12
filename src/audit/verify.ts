/** Checks a whole log: every record, every file, every head, and what the lanes say of each other. */
import { isObject, parseJson, type JsonObject } from "../lib/json.ts";
import { headName, listLanes, segmentName, type LaneFiles } from "./files.ts";
import { readHead, type Head } from "./head.ts";
import { LANE_START, nextPlace, replay, type Break, type Standing } from "./replay.ts";

/** A bad or missing record, with its place. */
export interface Problem extends Omit<Break, "kind"> {
  readonly lane: number;
  readonly kind: Break["kind"] | "missing-head" | "repair" | "after-close" | "other-lane";
}

/** What a check of a log found. */
export interface Verified {
  readonly ok: boolean;
  readonly records: number;
  readonly files: number;
  /** The first bad record of each lane that has one. */
  readonly problems: readonly Problem[];
  /** What is no fault: tails that a killed writer left, and what was repaired. */
  readonly remarks: readonly string[];
  /** How far each lane has come: keep these elsewhere, and a log that was written anew can't pass for this one. */
  readonly heads: readonly { readonly lane: number; readonly seq: number; readonly hash: string }[];
  /** Whether a hash that was kept elsewhere is in the log; null: none was asked for. */
  readonly holds: boolean | null;
}

/** Verifies a log. `expect` is the hash of a record that must be in it. */
export function verify(folder: string, { expect }: { readonly expect?: string } = {}): Verified {
  const lanes = listLanes(folder);
  const checked = lanes.map((lane) => checkLane(folder, lane, expect));
  const anchors = checked.flatMap((lane) => lane.anchors);
  const foreign = [...new Set(anchors.map((anchor) => anchor.lane))].flatMap((lane) => checkAnchors(folder, { lane, lanes, anchors }));
  const own = checked.flatMap(({ problem }) => (problem ? [problem] : []));
  const problems = [...own, ...foreign.filter((problem) => !own.some((each) => each.lane === problem.lane))];
  const holds = expect === undefined ? null : checked.some((lane) => lane.holds);
  return {
    ok: problems.length === 0 && holds !== false,
    records: checked.reduce((sum, { standing }) => sum + standing.seq, 0),
    files: lanes.reduce((sum, { segments }) => sum + segments.length, 0),
    problems,
    remarks: checked.flatMap(({ remarks }) => remarks),
    heads: checked.map(({ lane, standing }) => ({ lane, seq: standing.seq, hash: standing.hash })),
    holds,
  };
}

/** What one lane says of another at a checkpoint. */
interface Anchor {
  readonly lane: number;
  readonly seq: number;
  readonly hash: string;
  readonly said: string;
}

interface CheckedLane {
  readonly lane: number;
  readonly standing: Standing;
  readonly problem: Problem | null;
  readonly anchors: readonly Anchor[];
  readonly remarks: readonly string[];
  readonly holds: boolean;
}

/** A lane may be written while it is checked: where its head moved meanwhile, it is checked again. */
const ATTEMPTS = 3;

function checkLane(folder: string, files: LaneFiles, expect: string | undefined): CheckedLane {
  for (let attempt = 1; ; attempt++) {
    const head = readHead(folder, files.lane);
    const checked = checkOnce(folder, files, { head, expect });
    const after = readHead(folder, files.lane);
    if (!checked.problem || attempt === ATTEMPTS || JSON.stringify(head) === JSON.stringify(after)) return checked;
  }
}

function checkOnce(folder: string, { lane, segments }: LaneFiles, { head, expect }: { head: Head | null; expect: string | undefined }): CheckedLane {
  const anchors: Anchor[] = [];
  const remarks: string[] = [];
  let repaired: Problem | null = null;
  let atHead = head?.seq === 0 ? head.hash : null;
  let holds = false;
  const { standing, rest } = replay({
    folder,
    lane,
    segments,
    from: LANE_START,
    onRecord: ({ bytes }, now) => {
      if (now.seq === head?.seq) atHead = now.hash;
      if (now.hash === expect) holds = true;
      const keeper = keeperOf(bytes);
      if (!keeper) return;
      const place = `${segmentName(lane, now.segment)}:${now.line}`;
      anchors.push(...anchorsOf(keeper, place));
      if (keeper["type"] !== "repair") return;
      const harm = harmOf(keeper);
      if (harm === null) remarks.push(`${place}: a record that was not finished was cut off when the log was opened`);
      else repaired ??= { lane, file: segmentName(lane, now.segment), line: now.line, seq: now.seq, kind: "repair", message: harm };
    },
  });
  const problem = rest.kind === "broken" ? { lane, ...rest.at } : (repaired ?? headProblem({ lane, standing, head, atHead, isTorn: rest.kind === "torn" }));
  if (rest.kind === "torn" && problem === null)
    remarks.push(`${nextPlaceText(lane, standing)}: the last record is not finished: its writer was killed, or writes it now`);
  if (head && !head.closed && problem === null && rest.kind === "nothing" && standing.seq > head.seq)
    remarks.push(`${segmentName(lane, standing.segment)}: ${standing.seq - head.seq} records behind the head: their writer was killed, or is at work`);
  return { lane, standing, problem, anchors, remarks, holds };
}

function nextPlaceText(lane: number, standing: Standing): string {
  const { file, line } = nextPlace(lane, standing);
  return `${file}:${line}`;
}

interface HeadCheck {
  readonly lane: number;
  readonly standing: Standing;
  readonly head: Head | null;
  /** The hash that the lane has where the head says it stood. */
  readonly atHead: string | null;
  readonly isTorn: boolean;
}

function headProblem({ lane, standing, head, atHead, isTorn }: HeadCheck): Problem | null {
  // A writer that was killed when it made its first file leaves an empty head.
  if (!head && standing.seq === 0) return null;
  if (!head) {
    const message = "the head of this lane is missing or was altered: records at its end may be missing";
    return { lane, file: headName(lane), line: 1, seq: standing.seq + 1, kind: "missing-head", message };
  }
  if (standing.seq < head.seq) {
    const message = `records ${standing.seq + 1} to ${head.seq} are missing: the head of this lane counts ${head.seq}`;
    return { lane, ...missingPlace(lane, standing, head), seq: standing.seq + 1, kind: "missing-records", message };
  }
  if (atHead !== head.hash) {
    const message = `the head of this lane has another hash for record ${head.seq} than the lane`;
    return { lane, file: headName(lane), line: 1, seq: head.seq, kind: "missing-head", message };
  }
  if (head.closed && (standing.seq > head.seq || isTorn))
    return { lane, ...behind(lane, standing, head), kind: "after-close", message: "this stands behind the end of the lane, which was closed before it" };
  return null;
}

/** Records are missing at the end of the last file that is there, or with the files behind it. */
function missingPlace(lane: number, standing: Standing, head: Head): { readonly file: string; readonly line: number } {
  const isWhole = standing.segment < head.segment && standing.segment > 0;
  return isWhole ? { file: segmentName(lane, standing.segment + 1), line: 1 } : nextPlace(lane, standing);
}

/** The first record behind a closed head; several files may have been added. */
function behind(lane: number, standing: Standing, head: Head): Pick<Problem, "file" | "line" | "seq"> {
  const extra = standing.seq - head.seq;
  const line = standing.segment === head.segment ? standing.line - extra + 1 : 1;
  return { file: segmentName(lane, standing.segment === head.segment ? head.segment : head.segment + 1), line: Math.max(1, line), seq: head.seq + 1 };
}

/** Records that keep the log itself, by how they begin: most lines need not be parsed. */
function keeperOf(bytes: Buffer): JsonObject | undefined {
  const start = bytes.toString("latin1", 0, 48);
  if (!/^\{"seq":\d+,"type":"(?:checkpoint|repair)"/.test(start)) return undefined;
  const value = parseJson(bytes.toString("utf8"));
  return isObject(value) ? value : undefined;
}

function anchorsOf(record: JsonObject, said: string): readonly Anchor[] {
  const lanes = Array.isArray(record["lanes"]) ? record["lanes"].filter(isObject) : [];
  return lanes.flatMap(({ lane, seq, hash }) =>
    typeof lane === "number" && typeof seq === "number" && typeof hash === "string" ? [{ lane, seq, hash, said }] : [],
  );
}

/** What a repair says that must not happen; null where only a record was cut off that nobody was told of. */
function harmOf({ lost, head, broken }: JsonObject): string | null {
  if (typeof lost === "number") return `${lost} acknowledged records were missing when the log was opened here`;
  if (typeof broken === "string") return `the record before this was bad when the log was opened: ${broken}`;
  return head === undefined ? null : "the head of this lane was missing when the log was opened here: records before this may be missing";
}

/** What other lanes know of a lane must be in it. */
function checkAnchors(folder: string, { lane, lanes, anchors }: { lane: number; lanes: readonly LaneFiles[]; anchors: readonly Anchor[] }): readonly Problem[] {
  const segments = lanes.find((each) => each.lane === lane)?.segments ?? [];
  const wanted = new Map(anchors.filter((anchor) => anchor.lane === lane).map((anchor) => [anchor.seq, anchor]));
  let wrong: Problem | null = null;
  const { standing } = replay({
    folder,
    lane,
    segments,
    from: LANE_START,
    onRecord: (_, now) => {
      const anchor = wanted.get(now.seq);
      if (anchor && anchor.hash !== now.hash)
        wrong ??= {
          lane,
          file: segmentName(lane, now.segment),
          line: now.line,
          seq: now.seq,
          kind: "other-lane",
          message: `${anchor.said} knows another record ${now.seq} of this lane`,
        };
    },
  });
  const last = Math.max(...wanted.keys());
  const anchor = wanted.get(last);
  if (wrong) return [wrong];
  if (standing.seq >= last || !anchor) return [];
  const message = `records ${standing.seq + 1} to ${last} are missing: ${anchor.said} knows them`;
  return [{ lane, ...nextPlace(lane, standing), kind: "missing-records", message }];
}
