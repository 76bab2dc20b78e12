/** A log that is open for appending. */
import { mkdirSync } from "node:fs";
import { FOLDER_MODE } from "./files.ts";
import { LaneWriter, type LaneOptions } from "./lane-writer.ts";
import type { RecordFrame } from "./record.ts";
import type { Repair } from "./recover.ts";
import { RecordText } from "./text.ts";

/** How a log is kept. */
export interface LogOptions extends Partial<Omit<LaneOptions, "folder">> {
  /** Where the log stands; made if it is not there. */
  readonly folder: string;
  /** Secrets known by heart: no record holds them. */
  readonly secrets?: readonly string[];
}

/** Bytes of one file, before another is begun. */
export const SEGMENT_BYTES = 64 * 1024 * 1024;
/** Records between two checkpoints. */
export const CHECKPOINT_EVERY = 1_000;

/** A log that is open for appending. */
export interface AuditLog {
  readonly folder: string;
  /** The lane that this writer has for itself; null before the first record. */
  readonly lane: number | null;
  /** What was repaired when the lane was opened. */
  readonly repair: Repair | null;
  /**
   * Appends a record; its details are written without their secrets, and within limits.
   * When it returns, the kernel has the record: it survives the end of this process.
   */
  append(frame: RecordFrame, details: object): void;
  close(): void;
}

/** Opens a log. Its folder and files are made when the first record comes. */
export function openLog(options: LogOptions): AuditLog {
  const { folder, segmentBytes = SEGMENT_BYTES, checkpointEvery = CHECKPOINT_EVERY, fsync = false, now = () => new Date() } = options;
  const text = new RecordText(options.secrets);
  let writer: LaneWriter | null = null;
  const open = (): LaneWriter => {
    if (folder === "") throw new Error("there is no home folder to keep the log in; SNAPHOOK_AUDIT names another");
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    return new LaneWriter({ folder, segmentBytes, checkpointEvery, fsync, now });
  };
  return {
    folder,
    get lane() {
      return writer?.lane ?? null;
    },
    get repair() {
      return writer?.repair ?? null;
    },
    append: ({ type, id, at }, details) => {
      const first = `"type":"${type}","id":"${id}","at":"${at}"`;
      const object = text.write(details);
      writer ??= open();
      try {
        writer.append(first, object);
      } catch (error) {
        // What holds this lane up may not hold up another: one more attempt, with a fresh look at the folder.
        closeQuietly(writer);
        writer = null;
        writer = reopened(open, error);
        writer.append(first, object);
      }
    },
    close: () => {
      writer?.close();
      writer = null;
    },
  };
}

function reopened(open: () => LaneWriter, before: unknown): LaneWriter {
  try {
    return open();
  } catch {
    throw before;
  }
}

function closeQuietly(writer: LaneWriter): void {
  try {
    writer.close();
  } catch {
    // It is given up because it fails.
  }
}
