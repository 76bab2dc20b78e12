/** Writes one lane: append, checkpoint, rotate. A record is acknowledged when the kernel has it. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { ChainPen, LINE_BEGINS } from "./chain.ts";
import { FILE_MODE, listLanes, segmentPath } from "./files.ts";
import { HeadFile, readHead } from "./head.ts";
import { takeLane, type OwnedLane } from "./owner.ts";
import { recover, type Repair } from "./recover.ts";

/** How a lane is written. */
export interface LaneOptions {
  readonly folder: string;
  /** A file that would grow above this is followed by another. */
  readonly segmentBytes: number;
  /** A checkpoint after so many records. */
  readonly checkpointEvery: number;
  /** Whether a checkpoint waits until the disk has what came before it. */
  readonly fsync: boolean;
  readonly now: () => Date;
}

/** The head is written after so many records, or when nothing was written for a moment. */
const HEAD_EVERY = 32;
const HEAD_AFTER_MS = 100;
/** A writer that leaves with fewer records than this behind the last checkpoint leaves the head only. */
const CLOSING_CHECKPOINT = 32;

/** One open lane. */
export class LaneWriter {
  readonly lane: number;
  /** What was repaired when it was opened. */
  readonly repair: Repair | null;
  readonly #options: LaneOptions;
  readonly #owned: OwnedLane;
  #head: HeadFile | null = null;
  readonly #pen: ChainPen;
  #file = -1;
  #segment: number;
  #bytes = 0;
  #sinceHead = 0;
  #sinceCheckpoint = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Whether somebody removed the file under the writer: what is written to it is lost. */
  #isGone = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#owned = takeLane(options.folder);
    this.lane = this.#owned.lane;
    try {
      const { standing, newSegment, lastSegment, repair } = recover(options.folder, this.lane);
      this.repair = repair;
      this.#head = new HeadFile(options.folder, this.lane);
      // The head comes first: a lane without one, or with records behind a closed one, was tampered with.
      this.#head.write({ lane: this.lane, segment: standing.segment, seq: standing.seq, bytes: standing.bytes, hash: standing.hash, closed: false });
      this.#pen = new ChainPen(standing);
      this.#segment = lastSegment;
      this.#bytes = standing.bytes;
      if (newSegment || standing.segment === 0) this.#openSegment(standing.hash);
      else this.#file = openSync(segmentPath(options.folder, this.lane, lastSegment), "a", FILE_MODE);
      if (repair) this.#keep({ type: "repair", at: options.now().toISOString(), ...repair });
      this.#writeHead(false);
    } catch (error) {
      this.#letGo();
      throw error;
    }
    leaveInGoodOrder(this);
  }

  /** Appends a record: plain entries, then those of the text of a JSON object. When it returns, the kernel has it. */
  append(first: string, object: string): void {
    if (this.#closed) throw new Error("the log is closed");
    if (this.#isGone) throw new Error("the file of the log was removed");
    if (this.#bytes + first.length + object.length > this.#options.segmentBytes && this.#bytes > 0) this.#rotate();
    this.#write(first, object);
    if (++this.#sinceCheckpoint >= this.#options.checkpointEvery) this.#tryCheckpoint();
    else if (++this.#sinceHead >= HEAD_EVERY) this.#writeHead(false);
    else this.#timer ??= setTimeout(() => this.#writeHead(false), HEAD_AFTER_MS).unref();
  }

  /** Ends the lane in good order and lets others have it. */
  close(): void {
    if (this.#closed) return;
    try {
      if (this.#sinceCheckpoint >= CLOSING_CHECKPOINT) this.#tryCheckpoint();
      // Where even a checkpoint could not be undone, the lane was let go already, as it is.
      if (this.#closed) return;
      if (this.#options.fsync) fsyncSync(this.#file);
      this.#writeHead(true);
    } finally {
      this.#letGo();
    }
  }

  /** Lets go of files and lane, once. What is not in order is repaired by whoever takes the lane next. */
  #letGo(): void {
    if (this.#closed) return;
    this.#closed = true;
    leave(this);
    clearTimeout(this.#timer);
    quietly(() => this.#head?.close());
    this.#closeFile();
    this.#owned.release();
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = -1;
    if (file >= 0) quietly(() => closeSync(file));
  }

  #write(first: string, object: string): void {
    const before = this.#pen.hash;
    const end = this.#pen.line(first, object);
    const { bytes } = this.#pen;
    try {
      for (let at = LINE_BEGINS; at < end;) at += writeSync(this.#file, bytes, at, end - at);
    } catch (error) {
      this.#pen.undo(before);
      this.#undo();
      throw error;
    }
    this.#bytes += end - LINE_BEGINS;
  }

  /** Writes a record that keeps the log itself. */
  #keep(record: object): void {
    this.#write("", JSON.stringify(record));
  }

  /** A disk that is full takes part of a record: nothing of it may stay. Where that fails, the next opening repairs it. */
  #undo(): void {
    try {
      ftruncateSync(this.#file, this.#bytes);
    } catch {
      this.#letGo();
    }
  }

  /** Half of a rotation is nothing to go on with. */
  #rotate(): void {
    try {
      this.#checkpoint();
      this.#closeFile();
      this.#openSegment(this.#pen.hash);
    } catch (error) {
      this.#letGo();
      throw error;
    }
    this.#writeHead(false);
  }

  #openSegment(hash: string): void {
    this.#segment += 1;
    this.#bytes = 0;
    this.#file = openSync(segmentPath(this.#options.folder, this.lane, this.#segment), "a", FILE_MODE);
    const at = this.#options.now().toISOString();
    this.#keep({ type: "segment", at, version: 1, lane: this.lane, segment: this.#segment, prev: hash, pid: process.pid });
  }

  /** Says inside the chain how far it and the other lanes have come: who cuts one short would have to cut them all. */
  #checkpoint(): void {
    const { seq, hash } = this.#pen;
    const others = listLanes(this.#options.folder).flatMap(({ lane }) => (lane === this.lane ? [] : (readHead(this.#options.folder, lane) ?? [])));
    const lanes = others.filter((head) => head.seq > 0).map((head) => ({ lane: head.lane, seq: head.seq, hash: head.hash }));
    this.#keep({ type: "checkpoint", at: this.#options.now().toISOString(), records: seq, last: hash, ...(lanes.length > 0 && { lanes }) });
    this.#sinceCheckpoint = 0;
    if (this.#options.fsync) fsyncSync(this.#file);
    this.#writeHead(false);
  }

  /** The record before it is acknowledged and stays so, whatever becomes of its checkpoint. */
  #tryCheckpoint(): void {
    try {
      this.#checkpoint();
    } catch {
      this.#sinceCheckpoint -= 1;
    }
  }

  #writeHead(closed: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sinceHead = 0;
    try {
      const { seq, hash } = this.#pen;
      this.#isGone = fstatSync(this.#file).nlink === 0;
      this.#head?.write({ lane: this.lane, segment: this.#segment, seq, bytes: this.#bytes, hash, closed });
    } catch {
      // A head that lags behind its lane is as good as one of a writer that was killed.
    }
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Nobody could do anything about it.
  }
}

/** Lanes of this process. */
const open = new Set<LaneWriter>();

/** A process that leaves without closing loses nothing; this makes its lanes end in good order, too. */
function leaveInGoodOrder(writer: LaneWriter): void {
  if (open.size === 0) process.once("exit", closeAll);
  open.add(writer);
}

function leave(writer: LaneWriter): void {
  open.delete(writer);
  if (open.size === 0) process.removeListener("exit", closeAll);
}

function closeAll(): void {
  for (const writer of open) writer.close();
}
