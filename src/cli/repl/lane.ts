import type { ToolUse } from "../../session/messages.ts";

/** One conversation in view: the session's own, or a subagent's. */
export interface Lane {
  /** Calls of the last answer that have not begun. */
  waiting: readonly ToolUse[];
  call: OpenCall | null;
  /** Why the model is called. */
  purpose: string;
  streamed: boolean;
  /** Why the prompt was denied, if it was. */
  refusal: string;
}

/** A tool call between its first hook and its result. */
export interface OpenCall {
  readonly use: ToolUse;
  startedAt: number;
  /** How long the tool ran, once it has. */
  durationMs: number | null;
  /** What the tool printed, where hooks added to it. */
  ownOutput: string | null;
  denied: boolean;
  remark: string;
  /** The id under which the decision about it is on record. */
  readonly recorded: string | undefined;
}

/** A lane in which nothing happened yet. */
export function newLane(): Lane {
  return { waiting: [], call: null, purpose: "turn", streamed: false, refusal: "" };
}
