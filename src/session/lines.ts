/** What a session says about itself, one object a line [K1]. */
import type { JsonObject } from "../lib/json.ts";
import type { Message, ToolUse } from "./messages.ts";
import type { Usage } from "./model/model.ts";

/** Which agent a line is about; null for the session's own. */
export type LineAgent = { readonly id: string; readonly type: string } | null;

/** Why a turn ended. */
export type TurnEnd = "stop" | "max-rounds" | "cancelled" | "interrupted" | "denied" | "error";

/** One line: what happened, and to which agent. */
export type SessionLine = { readonly agent: LineAgent } & (
  | { readonly type: "event"; readonly event: string; readonly decision: object }
  | {
      readonly type: "model.request";
      readonly round: number;
      readonly purpose: string;
      readonly system: string;
      readonly messages: readonly Message[];
      readonly tools: readonly string[];
    }
  | { readonly type: "model.response"; readonly text: string; readonly toolCalls: readonly ToolUse[]; readonly usage: Usage }
  | { readonly type: "tool.result"; readonly useId: string; readonly name: string; readonly output: string; readonly isError: boolean }
  | {
      readonly type: "approval";
      readonly tool: string;
      readonly input: JsonObject;
      readonly answer: string;
      readonly by: string;
      readonly text?: string;
      readonly rule?: string;
    }
  | { readonly type: "turn.end"; readonly reason: TurnEnd; readonly text: string; readonly error?: string }
  | { readonly type: "session.end"; readonly reason: string; readonly sessionId: string }
  | { readonly type: "notice"; readonly message: string; readonly file?: string; readonly line?: number; readonly column?: number }
);

/** A line before it is known whose it is. */
export type LineBody = SessionLine extends infer Line ? (Line extends SessionLine ? Omit<Line, "agent"> : never) : never;

/** Text of the model while it arrives: for people who watch, never a line. */
export type OnText = (delta: string, agent: LineAgent) => void;
