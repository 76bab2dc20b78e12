/** Who writes a lane: at most one process, and nobody has to wait for another. */
import { closeSync, openSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { codeOf } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import { isRunning } from "../lib/running.ts";
import { FILE_MODE, laneName, namesIn } from "./files.ts";

/** A lane that this process may write. */
export interface OwnedLane {
  readonly lane: number;
  /** Lets others have it. */
  release(): void;
}

/** Lanes of one log; as many writers at once. */
export const LANE_LIMIT = 1_000;

/**
 * Takes the first lane that nobody writes, or a new one.
 *
 * A claim is a file whose name carries the next number, made with O_EXCL: of two that take the same number one fails. The highest
 * number counts, and it is never removed before there is a higher one, so that a latecomer who makes an old number again sees that
 * he lost. A writer that was killed leaves its claim behind; whoever sees that its process is gone takes the next number.
 */
export function takeLane(folder: string): OwnedLane {
  const claims = claimsIn(folder);
  for (let lane = 0; lane < LANE_LIMIT; lane++) {
    const last = claims.get(lane);
    if (last && !last.free && isAlive(folder, last.name)) continue;
    const taken = claim(folder, lane, (last?.number ?? 0) + 1);
    if (taken) return taken;
  }
  throw new Error(`${LANE_LIMIT} processes write to ${folder} already`);
}

interface Claim {
  readonly name: string;
  readonly number: number;
  readonly free: boolean;
}

/** The claim with the highest number of each lane. */
function claimsIn(folder: string): ReadonlyMap<number, Claim> {
  const claims = new Map<number, Claim>();
  for (const name of namesIn(folder)) {
    const found = /^lane-(\d{2,6})\.(owner|free)-(\d{6,15})$/.exec(name);
    if (!found) continue;
    const lane = Number(found[1]);
    const number = Number(found[3]);
    if (number >= (claims.get(lane)?.number ?? 0)) claims.set(lane, { name, number, free: found[2] === "free" });
  }
  return claims;
}

function claim(folder: string, lane: number, number: number): OwnedLane | undefined {
  const path = join(folder, claimName(lane, "owner", number));
  try {
    const file = openSync(path, "wx", FILE_MODE);
    writeSync(file, `${JSON.stringify(self())}\n`);
    closeSync(file);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
  if (claimsIn(folder).get(lane)?.number !== number) {
    rmSync(path, { force: true });
    return undefined;
  }
  removeOlder(folder, lane, number);
  return { lane, release: () => release(path, join(folder, claimName(lane, "free", number))) };
}

/** A claim that can't be released is let go when its process ends. */
function release(path: string, free: string): void {
  try {
    renameSync(path, free);
  } catch {
    // Its folder was removed.
  }
}

function claimName(lane: number, word: "owner" | "free", number: number): string {
  return `${laneName(lane)}.${word}-${String(number).padStart(6, "0")}`;
}

function removeOlder(folder: string, lane: number, number: number): void {
  const older = namesIn(folder).filter((name) => name.startsWith(`${laneName(lane)}.`) && Number(/\.(?:owner|free)-(\d+)$/.exec(name)?.[1] ?? number) < number);
  for (const name of older) rmSync(join(folder, name), { force: true });
}

const Owner = v.object({ pid: v.number(), start: v.nullable(v.string()), boot: v.nullable(v.string()), space: v.nullable(v.string()), host: v.string() });

/** A writer that can't be looked up (another machine, another container) counts as alive for this long after it last wrote. */
const UNKNOWN_AGE_MS = 7 * 24 * 3_600_000;
/** A claim without words is being written, unless it is older than this. */
const EMPTY_AGE_MS = 10_000;

function isAlive(folder: string, name: string): boolean {
  const text = readText(join(folder, name));
  if (text === undefined) return true; // somebody took the lane while we looked: leave it to them
  const ageMs = Date.now() - Math.max(changedMs(join(folder, name)), changedMs(join(folder, name.replace(/\..*$/, ".head"))));
  const owner = v.safeParse(Owner, parseJson(text));
  if (!owner.success) return ageMs < EMPTY_AGE_MS;
  const { pid, start, boot, space, host } = owner.output;
  const here = self();
  if (host !== here.host) return ageMs < UNKNOWN_AGE_MS;
  if (boot !== here.boot) return false; // this machine was started anew since
  if (space !== here.space) return ageMs < UNKNOWN_AGE_MS;
  if (!isRunning(pid)) return false;
  return start === null || startOf(pid) === start;
}

function changedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

let known: v.InferOutput<typeof Owner> | undefined;

function self(): v.InferOutput<typeof Owner> {
  known ??= {
    pid: process.pid,
    start: startOf(process.pid) ?? null,
    boot: readText("/proc/sys/kernel/random/boot_id")?.trim() ?? null,
    space: readSpace(),
    host: hostname(),
  };
  return known;
}

/** The namespace in which process ids mean something. */
function readSpace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}

/** When a process started, so that a number used again is not taken for the old process; undefined for one that has ended. */
function startOf(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  const [state, ...rest] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return state === "Z" || state === "X" ? undefined : rest[18];
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
