/** What the server sends, as the page reads it: a field that is missing is shown as missing, never guessed. */

export type Verdict = "allow" | "ask" | "deny";

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

export type Agent = { readonly id: string; readonly type: string } | null;

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
      readonly answer: Answer["answer"];
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

export interface Session {
  readonly id: string;
  readonly cwd: string;
  readonly model: string;
  readonly mode: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly state: "running" | "ended" | "lost";
}

export interface Question {
  readonly id: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly reason: string;
  readonly agent: Agent;
  readonly askedAt: string;
  readonly expiresAt: string | null;
}

export interface Answer {
  readonly answer: "allow" | "always" | "deny" | "none";
  readonly by: string;
  readonly text?: string;
  readonly rule?: string;
  readonly at: string;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly because: string;
  readonly step: string;
  readonly mode: string;
  readonly commands: readonly {
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly kind: string;
    readonly verdict: Verdict;
    readonly note?: string;
    readonly rule?: { readonly text: string; readonly source?: Place };
  }[];
  readonly doubts: readonly { readonly construct: string; readonly start: number; readonly end: number; readonly why: string; readonly advice: string }[];
  readonly spoke: readonly { readonly match: string; readonly rule: { readonly text: string; readonly verdict: Verdict; readonly source?: Place } }[];
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

/** The numbers of the records that a search found. */
export interface AuditStats {
  readonly records: number;
  readonly sessions: number;
  readonly verdicts: Readonly<Record<Verdict | "none", number>>;
  readonly hooks: readonly {
    readonly name: string;
    readonly runs: number;
    readonly faults: number;
    readonly denies: number;
    readonly p50Ms: number;
    readonly p95Ms: number;
    readonly maxMs: number;
  }[];
}

/** Verdicts and times of hooks over time. */
export interface Series {
  readonly stepMs: number;
  readonly points: readonly (Readonly<Record<Verdict | "none", number>> & {
    readonly atMs: number;
    readonly p50Ms: number | null;
    readonly p95Ms: number | null;
  })[];
}
