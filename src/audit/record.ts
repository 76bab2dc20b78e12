/** What a record says. A key whose value would be null or empty is left out. */
import { isObject, parseJson } from "../lib/json.ts";
import type { Verdict } from "../model/verdict.ts";

/** The kinds of records that tell what happened; the others keep the log itself. */
export const STORY_TYPES = ["decision", "approval", "detached"] as const;

export type StoryType = (typeof STORY_TYPES)[number];

/** What every record of what happened begins with; none of it comes from outside. */
export interface RecordFrame {
  readonly type: StoryType;
  /** A UUID of version 7: `snaphook why` takes it. */
  readonly id: string;
  /** When it was taken down, ISO 8601. */
  readonly at: string;
}

/** A place in a file. */
export interface RecordedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Who decided, or had a part in it: a rule, the mode, a hook, a floor. */
export interface RecordedVoice {
  readonly kind: "rule" | "mode" | "hook" | "floor" | "audit";
  readonly name?: string;
}

/** One hook's part in an event. */
export interface RecordedHook {
  readonly name: string;
  readonly dialect: string;
  readonly type: string;
  readonly source?: RecordedPlace;
  /** The hash of its content, where it is known. */
  readonly hash?: string;
  readonly ended: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly durationMs: number;
  readonly verdict?: Verdict;
  readonly reason?: string;
  readonly fault?: { readonly kind: string; readonly message: string };
}

/** The call that an event or an approval is about; inputs and outputs are cut to a preview, a length and a hash where they are long. */
export interface RecordedTool {
  readonly name: string;
  readonly input: unknown;
  /** The input before a hook rewrote it. */
  readonly originalInput?: unknown;
  readonly output?: unknown;
  readonly isError?: boolean;
  readonly useId?: string;
  readonly durationMs?: number;
}

/** What the gate said, and by which rule. */
export interface RecordedGate {
  readonly verdict: Verdict;
  readonly because: string;
  readonly step: string;
  readonly mode: string;
  readonly rule?: { readonly verdict: Verdict; readonly text: string } & Partial<RecordedPlace>;
}

/** Where and for whom something happened. */
export interface RecordedScene {
  readonly session?: string;
  readonly turn?: string;
  readonly request?: string;
  readonly agent?: { readonly id?: string; readonly type?: string };
  readonly cwd?: string;
  readonly mode?: string;
}

/** One event with its decision. */
export interface DecisionRecord extends RecordFrame, RecordedScene {
  readonly type: "decision";
  readonly seq: number;
  readonly event: string;
  readonly verdict?: Verdict;
  readonly reason?: string;
  readonly by?: readonly RecordedVoice[];
  readonly tool?: RecordedTool;
  /** The event's other fields: prompt, source, trigger and so on. */
  readonly fields?: { readonly [name: string]: unknown };
  readonly gate?: RecordedGate;
  readonly hooks?: readonly RecordedHook[];
  readonly context?: readonly string[];
  readonly feedback?: readonly string[];
  readonly messages?: readonly string[];
  readonly rules?: readonly string[];
  readonly interrupt?: true;
  readonly notices?: readonly { readonly kind: string; readonly message: string }[];
  readonly durationMs?: number;
  readonly hash: string;
}

/** An answer to a question: who said what. */
export interface ApprovalRecord extends RecordFrame, RecordedScene {
  readonly type: "approval";
  readonly seq: number;
  readonly tool: RecordedTool;
  readonly answer: string;
  /** Who answered: terminal, bridge, page, a file of answers, an earlier "always", nobody. */
  readonly approver: string;
  readonly reason?: string;
  readonly text?: string;
  readonly hash: string;
}

/** How a hook ended that nobody waited for. */
export interface DetachedRecord extends RecordFrame, RecordedScene {
  readonly type: "detached";
  readonly seq: number;
  readonly event: string;
  readonly tool?: RecordedTool;
  readonly hooks: readonly RecordedHook[];
  readonly hash: string;
}

/** A record of what happened. */
export type AuditRecord = DecisionRecord | ApprovalRecord | DetachedRecord;

/** Reads a line of the log; null for those that keep the log itself, and for what is no record. */
export function readRecord(line: string): AuditRecord | null {
  const value = parseJson(line);
  return isRecord(value) ? value : null;
}

/** Whether a value is a record of what happened. What the chain vouches for is not looked at key by key. */
function isRecord(value: unknown): value is AuditRecord {
  return (
    isObject(value) &&
    STORY_TYPES.some((type) => type === value["type"]) &&
    typeof value["id"] === "string" &&
    typeof value["at"] === "string" &&
    (value["hooks"] === undefined || (Array.isArray(value["hooks"]) && value["hooks"].every(isObject))) &&
    (value["tool"] === undefined || isObject(value["tool"]))
  );
}
