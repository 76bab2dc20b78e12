/** The recorder that writes an audit log. A log that can't be written lets nothing through and brings nothing down. */
import { uuidv7 } from "uuidv7";
import { messageOf } from "../lib/errors.ts";
import type { Notice } from "../model/notice.ts";
import { unrecorded, type Recorder } from "../model/recorder.ts";
import { describeApproval, describeDecision, describeDetached } from "./describe.ts";
import { openLog, type LogOptions } from "./log.ts";
import type { StoryType } from "./record.ts";
import type { Repair } from "./recover.ts";

/** How decisions are recorded. */
export interface RecorderOptions extends LogOptions {
  /** No record, no call: what can't be taken down is denied. */
  readonly required?: boolean;
}

/** A recorder with a log behind it. */
export interface AuditRecorder extends Recorder {
  readonly folder: string;
  /** Why the last record could not be written; null while all is well. */
  readonly problem: string | null;
  close(): void;
}

/** Opens a recorder. Nothing is made on disk before there is something to record. */
export function openRecorder(options: RecorderOptions): AuditRecorder {
  const log = openLog(options);
  const now = options.now ?? (() => new Date());
  /** Who wants everything on record; null: nobody. */
  let demanded: string | null = options.required ? "" : null;
  let problem: string | null = null;
  let toldRepair: Repair | null = null;
  const append = (type: StoryType, describe: () => object): string | null => {
    const id = uuidv7();
    try {
      log.append({ type, id, at: now().toISOString() }, describe());
      problem = null;
      return id;
    } catch (error) {
      problem = messageOf(error);
      return null;
    }
  };
  /** What was repaired is told once, with the first decision that comes by. */
  const repairs = (): readonly Notice[] => {
    if (log.repair === null || log.repair === toldRepair) return [];
    toldRepair = log.repair;
    return [{ kind: "audit", message: `the audit log was repaired when it was opened: ${repairText(log.repair)}`, file: log.folder }];
  };
  return {
    folder: log.folder,
    get problem() {
      return problem;
    },
    decided: (decision, moment) => {
      const id = append("decision", () => describeDecision(decision, moment));
      if (id === null) {
        const notice: Notice = { kind: "audit", message: `this decision is not on record: ${problem}`, file: log.folder };
        const denial = `the audit log can't be written (${problem}), and decisions must be on record here${demanded ?? ""}`;
        return unrecorded(decision, { notice, denial: demanded === null ? null : denial });
      }
      const told = repairs();
      return told.length === 0 ? { ...decision, id } : { ...decision, id, notices: [...decision.notices, ...told] };
    },
    demand: (by) => void (demanded = ` (${by})`),
    detached: (heard, event) => void append("detached", () => describeDetached(heard, event)),
    approved: (approval) => {
      if (append("approval", () => describeApproval(approval)) !== null || demanded === null) return null;
      return `the answer can't be recorded (${problem}), and calls must be on record here${demanded}`;
    },
    close: () => log.close(),
  };
}

function repairText({ cut, lost, head, broken }: Repair): string {
  const parts = [
    cut && `an unfinished record of ${cut.bytes} bytes was cut off`,
    lost !== undefined && `${lost} records that were there before are missing`,
    head && "the head of a lane was missing",
    broken !== undefined && `a bad record was found (${broken})`,
  ];
  return parts.filter((part) => typeof part === "string").join(", ");
}
