import type { JsonObject } from "../lib/json.ts";

/** What a hook at an event may do. Anything else it asks for is dropped with a notice. */
export type Power = "verdict" | "input" | "context" | "feedback" | "rule" | "interrupt" | "message";

/** The payload field that matchers are tested against. */
export type Subject = "tool" | "source" | "reason" | "trigger" | "kind" | "agent";

export interface EventRow {
  readonly powers: readonly Power[];
  readonly subject: Subject | null;
  /** The tool result that the event leaves behind: of a call that was denied, or of one that ended. */
  readonly result: "of-denied" | "of-ended" | null;
}

/** The canonical events. Every hook may leave a message for the user; the other powers are the specification's. */
// prettier-ignore
export const EVENTS = {
  "session.start":      { powers: ["context", "message"],                                                         subject: "source", result: null },
  "session.end":        { powers: ["message"],                                                                    subject: "reason", result: null },
  "prompt.submit":      { powers: ["verdict", "context", "interrupt", "message"],                                 subject: null, result: null },
  "tool.before":        { powers: ["verdict", "input", "context", "feedback", "rule", "interrupt", "message"],    subject: "tool", result: "of-denied" },
  "tool.after":         { powers: ["verdict", "context", "feedback", "interrupt", "message"],                     subject: "tool", result: "of-ended" },
  "tool.failed":        { powers: ["verdict", "context", "feedback", "interrupt", "message"],                     subject: "tool", result: "of-ended" },
  "permission.request": { powers: ["verdict", "input", "rule", "message"],                                        subject: "tool", result: null },
  "permission.denied":  { powers: ["message"],                                                                    subject: "tool", result: null },
  "compact.before":     { powers: ["context", "message"],                                                         subject: "trigger", result: null },
  "compact.after":      { powers: ["message"],                                                                    subject: "trigger", result: null },
  "turn.cancel":        { powers: ["message"],                                                                    subject: null, result: null },
  "turn.stop":          { powers: ["verdict", "context", "interrupt", "message"],                                 subject: null, result: null },
  "notification":       { powers: ["message"],                                                                    subject: "kind", result: null },
  "subagent.start":     { powers: ["context", "message"],                                                         subject: "agent", result: null },
  "subagent.stop":      { powers: ["verdict", "interrupt", "message"],                                            subject: "agent", result: null },
  "setup":              { powers: ["context", "message"],                                                         subject: "trigger", result: null },
  "teammate.idle":      { powers: ["message"],                                                                    subject: null, result: null },
  "task.completed":     { powers: ["message"],                                                                    subject: null, result: null },
  "config.change":      { powers: ["verdict", "message"],                                                         subject: "source", result: null },
} as const satisfies Record<string, EventRow>;

export type EventName = keyof typeof EVENTS;

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
}

/** What every event may carry. */
export interface EventBase {
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
  "subagent.start": { readonly agent?: EventBase["agent"] };
  "subagent.stop": StopEvent;
  setup: { readonly trigger?: string };
  "teammate.idle": { readonly teammate?: JsonObject };
  "task.completed": { readonly task?: JsonObject };
  "config.change": { readonly source?: string; readonly file?: string };
}

/** One moment in a session, typed by its name. */
export type EventOf<Name extends EventName> = { readonly name: Name } & EventBase & EventFields[Name];

/** Any event, with every field that some event has. */
export interface HookEvent extends EventBase {
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
