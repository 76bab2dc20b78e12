/** What the server sends, as the page reads it: a field that is missing is shown as missing, never guessed. What the server calls by name has that name. */
import type { DeskAnswer, DeskQuestion } from "../../../src/desk/records";
import type { Verdict } from "../../../src/model/verdict";

export type { Series } from "../../../src/audit/series";
export type { AuditStats } from "../../../src/audit/stats";
export type { DeskAnswer as Answer, DeskQuestion as Question } from "../../../src/desk/records";
export type { DeskSession as Session } from "../../../src/desk/watch";
export type { Judgement } from "../../../src/permissions/judgement";
export type { Verdict } from "../../../src/model/verdict";

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface HookReport {
  readonly name: string;
  readonly dialect: string;
  readonly type: string;
  readonly source: Place | null;
  readonly ended: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly verdict: Verdict | null;
  readonly reason: string | null;
  readonly fault: { readonly kind: string; readonly message: string } | null;
  readonly stdout?: string;
  readonly stderr?: string;
}

export interface Decision {
  readonly id?: string | null;
  readonly event: string;
  readonly verdict: Verdict | null;
  readonly reason: string | null;
  readonly input: Record<string, unknown> | null;
  readonly originalInput: Record<string, unknown> | null;
  readonly context: readonly string[];
  readonly feedback: readonly string[];
  readonly messages: readonly string[];
  readonly rules: readonly string[];
  readonly hooks: readonly HookReport[];
  readonly notices: readonly { readonly kind: string; readonly message: string; readonly file?: string; readonly line?: number }[];
  readonly gate?: {
    readonly verdict: Verdict;
    readonly because: string;
    readonly step: string;
    readonly mode: string;
    readonly rule?: { readonly text: string; readonly source?: Place };
  };
  readonly result?: { readonly output: unknown; readonly isError: boolean };
}

export type Agent = DeskQuestion["agent"];

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** One message of the conversation, as the model gets it. */
export interface Message {
  readonly role: "user" | "assistant" | "tool";
  readonly text?: string;
  readonly toolCalls?: readonly ToolUse[];
  readonly results?: readonly { readonly name: string; readonly output: string; readonly isError: boolean }[];
}

export type Line = { readonly agent: Agent } & (
  | { readonly type: "event"; readonly event: string; readonly decision: Decision }
  | { readonly type: "model.request"; readonly round: number; readonly purpose: string; readonly system?: string; readonly messages: readonly Message[] }
  | {
      readonly type: "model.response";
      readonly text: string;
      readonly toolCalls: readonly ToolUse[];
      readonly usage: { readonly input: number; readonly output: number };
    }
  | { readonly type: "tool.result"; readonly useId: string; readonly name: string; readonly output: string; readonly isError: boolean }
  | {
      readonly type: "approval";
      readonly tool: string;
      readonly input: object;
      readonly answer: DeskAnswer["answer"];
      readonly by: string;
      readonly text?: string;
      readonly rule?: string;
    }
  | { readonly type: "turn.end"; readonly reason: string; readonly text: string; readonly error?: string }
  | { readonly type: "session.end"; readonly reason: string }
  | { readonly type: "notice"; readonly message: string; readonly file?: string; readonly line?: number }
);

export interface Entry {
  readonly seq: number;
  readonly at: string;
  readonly line: Line;
}

/** A record of the audit log. */
export interface AuditRecord {
  readonly type: "decision" | "approval" | "detached";
  readonly id: string;
  readonly at: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly mode?: string;
  readonly event?: string;
  readonly verdict?: Verdict;
  readonly reason?: string;
  readonly by?: readonly { readonly kind: string; readonly name?: string }[];
  readonly tool?: { readonly name: string; readonly input: unknown; readonly originalInput?: unknown; readonly output?: unknown };
  readonly gate?: { readonly verdict: Verdict; readonly because: string; readonly step: string; readonly mode: string };
  readonly hooks?: readonly {
    readonly name: string;
    readonly dialect: string;
    readonly source?: Place;
    readonly ended: string;
    readonly durationMs: number;
    readonly verdict?: Verdict;
    readonly reason?: string;
    readonly fault?: { readonly kind: string; readonly message: string };
  }[];
  readonly answer?: string;
  readonly approver?: string;
  readonly text?: string;
  readonly durationMs?: number;
}
