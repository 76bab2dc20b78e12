import type { JsonObject } from "../lib/json.ts";

/** What a hook at an event may do. Anything else it asks for is dropped with a notice. */
export type Power = "verdict" | "input" | "context" | "feedback" | "rule" | "interrupt" | "message";

/** The payload field that matchers are tested against. */
export type Subject = "tool" | "source" | "reason" | "trigger" | "kind" | "agent";

/** One row of the event table. */
export interface EventRow {
  readonly powers: readonly Power[];
  readonly subject: Subject | null;
  /** The tool result that the event leaves behind: of a call that was denied, or of one that ended. */
  readonly result: "of-denied" | "of-ended" | null;
  /** Whether the call passes through the permission gate here. */
  readonly gated: boolean;
}

/** The canonical events. Every hook may leave a message for the user; the other powers are the specification's. */
// prettier-ignore
export const EVENTS = {
  "session.start":      { powers: ["context", "message"],                                                      subject: "source",  result: null,        gated: false },
  "session.end":        { powers: ["message"],                                                                 subject: "reason",  result: null,        gated: false },
  "prompt.submit":      { powers: ["verdict", "context", "interrupt", "message"],                              subject: null,      result: null,        gated: false },
  "tool.before":        { powers: ["verdict", "input", "context", "feedback", "rule", "interrupt", "message"], subject: "tool",    result: "of-denied", gated: true },
  "tool.after":         { powers: ["verdict", "context", "feedback", "interrupt", "message"],                  subject: "tool",    result: "of-ended",  gated: false },
  "tool.failed":        { powers: ["verdict", "context", "feedback", "interrupt", "message"],                  subject: "tool",    result: "of-ended",  gated: false },
  "permission.request": { powers: ["verdict", "input", "rule", "message"],                                     subject: "tool",    result: null,        gated: false },
  "permission.denied":  { powers: ["message"],                                                                 subject: "tool",    result: null,        gated: false },
  "compact.before":     { powers: ["context", "message"],                                                      subject: "trigger", result: null,        gated: false },
  "compact.after":      { powers: ["message"],                                                                 subject: "trigger", result: null,        gated: false },
  "turn.cancel":        { powers: ["message"],                                                                 subject: null,      result: null,        gated: false },
  "turn.stop":          { powers: ["verdict", "context", "interrupt", "message"],                              subject: null,      result: null,        gated: false },
  "notification":       { powers: ["message"],                                                                 subject: "kind",    result: null,        gated: false },
  "subagent.start":     { powers: ["context", "message"],                                                      subject: "agent",   result: null,        gated: false },
  "subagent.stop":      { powers: ["verdict", "interrupt", "message"],                                         subject: "agent",   result: null,        gated: false },
  "setup":              { powers: ["context", "message"],                                                      subject: "trigger", result: null,        gated: false },
  "teammate.idle":      { powers: ["message"],                                                                 subject: null,      result: null,        gated: false },
  "task.completed":     { powers: ["message"],                                                                 subject: null,      result: null,        gated: false },
  "config.change":      { powers: ["verdict", "message"],                                                      subject: "source",  result: null,        gated: false },
} as const satisfies Record<string, EventRow>;

export type EventName = keyof typeof EVENTS;

/**
 * What it means for an event that a guard may be missing. `ask`: whatever was decided is at least a question. `deny-managed`: nobody can be asked
 * here, so it is denied where the guard may be one of the machine's owner, and goes on with a notice where it is one of whoever sits in front of it.
 */
export const MISSING_GUARD: { readonly [name in EventName]?: "ask" | "deny-managed" } = {
  "tool.before": "ask",
  "permission.request": "ask",
  "prompt.submit": "deny-managed",
};

/** A tool call inside an event; `output` and `isError` only after the call. */
export interface EventTool {
  readonly name: string;
  readonly input: JsonObject;
  /** The input as it came, where it was not a JSON object; `input` is then `{raw}`. */
  readonly rawInput?: string;
  readonly output?: unknown;
  readonly isError?: boolean;
  readonly useId?: string;
  readonly durationMs?: number;
  /** What hooks said before the call that belongs behind its result. */
  readonly earlier?: { readonly feedback: readonly string[]; readonly context: readonly string[] };
}

/** What every event may carry. */
export interface EveryEvent {
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly requestId?: string;
  readonly cwd?: string;
  readonly transcriptPath?: string;
  readonly permissionMode?: string;
  readonly agent?: { readonly id?: string; readonly type?: string; readonly transcriptPath?: string };
}

type ToolEvent = { readonly tool: EventTool };
type StopEvent = { readonly stopActive?: boolean; readonly lastMessage?: string };

/** Each event's own fields. */
export interface EventFields {
  "session.start": { readonly source?: string; readonly prompt?: string; readonly model?: string };
  "session.end": { readonly reason?: string };
  "prompt.submit": { readonly prompt?: string };
  "tool.before": ToolEvent;
  "tool.after": ToolEvent;
  "tool.failed": ToolEvent;
  "permission.request": ToolEvent & { readonly reason?: string };
  "permission.denied": ToolEvent & { readonly reason?: string };
  "compact.before": { readonly trigger?: string; readonly instructions?: string };
  "compact.after": { readonly trigger?: string; readonly summary?: string };
  "turn.cancel": { readonly reason?: string };
  "turn.stop": StopEvent;
  notification: { readonly message?: string; readonly title?: string; readonly kind?: string };
  "subagent.start": { readonly agent?: EveryEvent["agent"] };
  "subagent.stop": StopEvent;
  setup: { readonly trigger?: string };
  "teammate.idle": { readonly teammate?: JsonObject };
  "task.completed": { readonly task?: JsonObject };
  "config.change": { readonly source?: string; readonly file?: string };
}

/** One moment in a session, typed by its name. */
export type EventOf<Name extends EventName> = { readonly name: Name } & EveryEvent & EventFields[Name];

/** Any event, with every field that some event has. */
export interface HookEvent extends EveryEvent {
  readonly name: EventName;
  readonly tool?: EventTool;
  readonly prompt?: string;
  readonly source?: string;
  readonly reason?: string;
  readonly trigger?: string;
  readonly instructions?: string;
  readonly message?: string;
  readonly title?: string;
  readonly kind?: string;
  readonly summary?: string;
  readonly stopActive?: boolean;
  readonly lastMessage?: string;
  readonly model?: string;
  readonly task?: JsonObject;
  readonly teammate?: JsonObject;
  readonly file?: string;
}

/** The word that a matcher is tested against, or undefined when the event has none. */
export function subjectOf(event: HookEvent): string | undefined {
  const { subject } = EVENTS[event.name];
  switch (subject) {
    case "tool":
      return event.tool?.name;
    case "agent":
      return event.agent?.type;
    case "source":
    case "reason":
    case "trigger":
    case "kind":
      return event[subject];
    case null:
      return undefined;
  }
}
