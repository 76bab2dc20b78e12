/** Changes a log in every way that matters, and looks whether the check names the first bad record. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLog } from "../../../src/audit/log.ts";
import { verify } from "../../../src/audit/verify.ts";
import type { Random } from "../../permissions/second/random.ts";

/** The files of a log by name. */
export type LogFiles = Map<string, Buffer>;

/** One change: the files after it, and what must be named. */
interface Mutation {
  readonly what: string;
  readonly files: LogFiles;
  /** The lane and place of the first bad record. */
  readonly expected: readonly { readonly lane: number; readonly file: string; readonly line: number }[];
}

/** Writes a log of two lanes with several files each, in good order. */
export function sampleLog(folder: string): LogFiles {
  const options = { folder, segmentBytes: 6_000, checkpointEvery: 10 };
  const logs = [openLog(options), openLog(options)];
  for (let index = 0; index < 160; index++) {
    const log = logs[index % 3 === 0 ? 1 : 0];
    const id = `01a1df16-762b-7ccb-bbaa-${String(index).padStart(12, "0")}`;
    log?.append({ type: "decision", id, at: new Date(1_800_000_000_000 + index).toISOString() }, { event: "tool.before", text: `é${"x".repeat(index % 50)}` });
  }
  logs.forEach((log) => log.close());
  return readFiles(folder);
}

/** Reads what belongs to the chain. */
export function readFiles(folder: string): LogFiles {
  const names = readdirSync(folder).filter((name) => /\.(?:jsonl|head)$/.test(name));
  return new Map(names.toSorted().map((name) => [name, readFileSync(join(folder, name))]));
}

/** Changes a log so many times, each time from the sound one; returns what was not named rightly. */
export function mutate(
  sound: LogFiles,
  { folder, count, random }: { readonly folder: string; readonly count: number; readonly random: Random },
): readonly string[] {
  const faults: string[] = [];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeAll(folder, new Map(), sound);
  for (let index = 0; index < count && faults.length < 50; index++) {
    const { what, files, expected } = mutation(sound, random);
    writeAll(folder, sound, files);
    const { ok, problems } = verify(folder);
    const named = problems.map(({ lane, file, line }) => ({ lane, file, line }));
    if (ok || JSON.stringify(named) !== JSON.stringify(expected)) faults.push(`${what}: wanted ${JSON.stringify(expected)}, named ${JSON.stringify(problems)}`);
    writeAll(folder, files, sound);
  }
  return faults;
}

function writeAll(folder: string, before: LogFiles, after: LogFiles): void {
  for (const name of before.keys()) if (!after.has(name)) rmSync(join(folder, name));
  for (const [name, bytes] of after) if (before.get(name) !== bytes) writeFileSync(join(folder, name), bytes);
}

function mutation(sound: LogFiles, random: Random): Mutation {
  for (;;) {
    const made = random.pick(WAYS)(sound, random);
    // Two lines or files may be the same text; a change that changes nothing is none.
    const isChange = made !== null && (made.files.size !== sound.size || [...made.files].some(([name, bytes]) => !sound.get(name)?.equals(bytes)));
    if (isChange) return made;
  }
}

type Way = (sound: LogFiles, random: Random) => Mutation | null;

const WAYS: readonly Way[] = [
  flip,
  flip,
  flip,
  flipHead,
  drop,
  drop,
  repeat,
  reorder,
  reorder,
  move,
  truncate,
  truncate,
  removeFile,
  removeHead,
  swapFiles,
  dropCheckpoint,
  forge,
];

function segments(sound: LogFiles): readonly string[] {
  return [...sound.keys()].filter((name) => name.endsWith(".jsonl"));
}

function laneOf(name: string): number {
  return Number(/^lane-(\d+)/.exec(name)?.[1]);
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString("latin1").split("\n").slice(0, -1);
}

function withFile(sound: LogFiles, name: string, bytes: Buffer): LogFiles {
  return new Map(sound).set(name, bytes);
}

function changed(sound: LogFiles, name: string, { what, lines, line }: { what: string; lines: readonly string[]; line: number }): Mutation {
  const text = lines.map((each) => `${each}\n`).join("");
  return { what: `${what} ${name}:${line}`, files: withFile(sound, name, Buffer.from(text, "latin1")), expected: [{ lane: laneOf(name), file: name, line }] };
}

function flip(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick(segments(sound));
  const bytes = Buffer.from(sound.get(name) ?? "");
  const offset = random.below(bytes.length);
  const line = bytes.subarray(0, offset).toString("latin1").split("\n").length;
  bytes[offset] = (bytes[offset] ?? 0) ^ (1 << random.below(8));
  return { what: `flip ${name} byte ${offset}`, files: withFile(sound, name, bytes), expected: [{ lane: laneOf(name), file: name, line }] };
}

function flipHead(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick([...sound.keys()].filter((each) => each.endsWith(".head")));
  const bytes = Buffer.from(sound.get(name) ?? "");
  const offset = random.below(bytes.length);
  bytes[offset] = (bytes[offset] ?? 0) ^ (1 << random.below(8));
  return { what: `flip ${name} byte ${offset}`, files: withFile(sound, name, bytes), expected: [{ lane: laneOf(name), file: name, line: 1 }] };
}

function drop(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick(segments(sound));
  const lines = linesOf(sound.get(name) ?? Buffer.alloc(0));
  const from = random.below(lines.length);
  lines.splice(from, 1 + random.below(3));
  return changed(sound, name, { what: "drop", lines, line: from + 1 });
}

function dropCheckpoint(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick(segments(sound));
  const lines = linesOf(sound.get(name) ?? Buffer.alloc(0));
  const at = lines.findLastIndex((line) => line.includes('"type":"checkpoint"'));
  if (at < 0) return null;
  lines.splice(at, 1);
  return changed(sound, name, { what: "drop checkpoint", lines, line: at + 1 });
}

function repeat(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick(segments(sound));
  const lines = linesOf(sound.get(name) ?? Buffer.alloc(0));
  const at = random.below(lines.length);
  lines.splice(at, 0, lines[at] ?? "");
  return changed(sound, name, { what: "repeat", lines, line: at + 2 });
}

function reorder(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick(segments(sound));
  const lines = linesOf(sound.get(name) ?? Buffer.alloc(0));
  const [left = 0, right = 0] = [random.below(lines.length), random.below(lines.length)].toSorted((one, two) => one - two);
  [lines[left], lines[right]] = [lines[right] ?? "", lines[left] ?? ""];
  return changed(sound, name, { what: "reorder", lines, line: left + 1 });
}

/** A line from one file into another. */
function move(sound: LogFiles, random: Random): Mutation | null {
  const [from, to] = [random.pick(segments(sound)), random.pick(segments(sound))];
  if (from === to) return null;
  const lines = linesOf(sound.get(to) ?? Buffer.alloc(0));
  const at = random.below(lines.length);
  lines.splice(at, 0, random.pick(linesOf(sound.get(from) ?? Buffer.alloc(0))));
  return changed(sound, to, { what: `copy from ${from} to`, lines, line: at + 1 });
}

function truncate(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick(segments(sound));
  const bytes = sound.get(name) ?? Buffer.alloc(0);
  const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([offset]) => offset + 1);
  const size = random.below(2) === 0 ? random.below(bytes.length) : random.pick([0, ...ends]);
  const line = bytes.subarray(0, size).toString("latin1").split("\n").length;
  return { what: `truncate ${name} to ${size}`, files: withFile(sound, name, bytes.subarray(0, size)), expected: [{ lane: laneOf(name), file: name, line }] };
}

function removeFile(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick(segments(sound));
  const files = new Map(sound);
  files.delete(name);
  return { what: `remove ${name}`, files, expected: [{ lane: laneOf(name), file: name, line: 1 }] };
}

function removeHead(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick([...sound.keys()].filter((each) => each.endsWith(".head")));
  const files = new Map(sound);
  files.delete(name);
  return { what: `remove ${name}`, files, expected: [{ lane: laneOf(name), file: name, line: 1 }] };
}

function swapFiles(sound: LogFiles, random: Random): Mutation | null {
  const [one, two] = [random.pick(segments(sound)), random.pick(segments(sound))].toSorted();
  if (one === undefined || two === undefined || one === two) return null;
  const files = withFile(withFile(sound, one, sound.get(two) ?? Buffer.alloc(0)), two, sound.get(one) ?? Buffer.alloc(0));
  const names = laneOf(one) === laneOf(two) ? [one] : [one, two];
  return { what: `swap ${one} and ${two}`, files, expected: names.map((file) => ({ lane: laneOf(file), file, line: 1 })) };
}

/** A line that says something else, with its old hash. */
function forge(sound: LogFiles, random: Random): Mutation | null {
  const name = random.pick(segments(sound));
  const lines = linesOf(sound.get(name) ?? Buffer.alloc(0));
  const at = random.below(lines.length);
  lines[at] = (lines[at] ?? "").replace("tool.before", "tool.after");
  return changed(sound, name, { what: "forge", lines, line: at + 1 });
}
