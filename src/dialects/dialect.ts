/** The shape of a dialect: a table that says how one agent family spells config, events, payloads and answers. */
import type { JsonObject } from "../lib/json.ts";
import type { EventName, HookEvent } from "../model/events.ts";
import type { ActionType, Launch } from "../model/hook.ts";
import type { Layer } from "../model/layer.ts";
import type { Outcome } from "../model/outcome.ts";
import type { ToolName } from "../model/tools.ts";
import type { Verdict } from "../model/verdict.ts";

/** What plain text on stdout is, when the answer is not JSON. */
export type TextReading =
  | "ignore"
  | "context"
  /** Context, but text that begins as an object was meant as an answer: broken, it is a fault. */
  | "context-or-answer"
  | "feedback";

/** How the output of a process is read, by the way it ended. */
export type ExitReading =
  | "answer" // stdout holds the answer
  | "answer-or-fault" // a JSON answer counts, anything else is a fault
  | "deny:stdout" // denied; stdout is the message
  | "deny:stderr" // denied; stderr is the reason
  | "deny:any" // denied; the reason is found in a JSON answer, stderr or stdout
  | "fault";

/** One wire event: what it stands for and how its hooks are heard. */
export interface DialectEvent {
  readonly is: readonly [EventName, ...EventName[]];
  readonly text: TextReading;
  /** `detach`: nobody waits for the hook, and what it says has no effect. */
  readonly pace: "await" | "detach";
  /** Context of this event replaces its own earlier text instead of adding to it. */
  readonly slot?: string;
  /** Overrides the dialect's default. */
  readonly timeoutMs?: number;
  /** `deny`: a turn that is to end before it began is a denied prompt, no model is called. */
  readonly halt?: "deny";
}

/** How the entries of a configuration file look; one reader for each in `config/shapes/`. */
export type Shape = "strings" | "named-groups" | "typed-groups" | "flat" | "native";

/** Options of an entry that decide when it runs and whether anybody waits for it. */
export const ENTRY_OPTIONS = ["if", "once", "async"] as const;

export type EntryOption = (typeof ENTRY_OPTIONS)[number];

/** How a matcher's text is read. */
export type MatcherRule = "none" | "regex" | "list-or-regex" | "names-or-regex";

/** A place where the dialect's agent keeps its configuration. */
export interface Place {
  readonly layer: Layer;
  /** What `path` is relative to. */
  readonly base: "root" | "home" | "config" | "project" | "plugin";
  readonly path: string;
}

/** How a dialect spells one tool. Hooks are shown the canonical input keys and these beside them. */
export interface ToolSpelling {
  readonly name: string;
  /** Canonical input key → the dialect's key. */
  readonly keys?: { readonly [canonical: string]: string };
  /** Keys with a fixed value that tell tools of the same name apart. */
  readonly fixed?: { readonly [key: string]: string };
  /** Older names that still mean this tool. */
  readonly also?: readonly string[];
}

/** What a payload or environment is written from: the event as the dialect's hooks may see it. */
export interface WireEvent {
  /** The event, with the tool spelled as the dialect does. */
  readonly event: HookEvent;
  readonly wireName: string;
  /** The tool input as JSON text: canonical, or the raw text where it was not JSON. */
  readonly inputText: string | undefined;
  readonly projectDir: string;
}

/** How a dialect's JSON answers are read. */
export interface AnswerReader {
  /** Top-level keys that mean something; text around JSON counts as noise only when the object has one of these. */
  readonly keys: readonly string[];
  read(answer: JsonObject, wire: { readonly wireName: string; readonly row: DialectEvent }): Outcome;
}

/** How one agent family spells config, events, payloads and answers: named values, functions only where words are written or read. */
export interface Dialect {
  readonly id: string;
  /** The agent, for people. */
  readonly title: string;
  readonly config: { readonly shape: Shape; readonly places: readonly Place[] };
  readonly events: { readonly [wireName: string]: DialectEvent };
  /** Events that the agent has and no canonical event stands for: known, never fired. */
  readonly unfired: readonly string[];
  readonly tools: { readonly [name in ToolName]?: ToolSpelling };
  readonly matcher: { readonly key: string | null; readonly rule: MatcherRule; readonly on: "subject" | "tool" };
  readonly types: readonly ActionType[];
  /** Which of the engine's options its entries have: what its agent does not know must not change what its files mean. */
  readonly options: readonly EntryOption[];
  readonly launch: Launch;
  readonly timeoutMs: number;
  readonly order: "sequential" | "until-deny" | "parallel";
  /** Whether the same hook standing twice in one file runs once or each time. */
  readonly repeated: "once" | "each";
  /** Whether its hooks are asked before the permission gate or after it. */
  readonly gate: "hooks-first" | "permission-first";
  readonly exit: { readonly 0: ExitReading; readonly 2: ExitReading; readonly other: ExitReading };
  /** What a fault means where the hook does not say. */
  readonly onFault: Verdict;
  /** The tool result of a denied call: the reason, or all messages of its hooks. */
  readonly deniedResult: "reason" | "messages";
  /** Where context given before a tool is put: behind its result, or into a message of its own. */
  readonly toolContext: "result" | "message";
  /** Where context of session and prompt events is put: the system prompt, or a reminder before the user's message. */
  readonly contextPlace: "system" | "reminder";
  /** Which variables http headers may name when the hook lists none. */
  readonly headerEnv: "any" | "listed";
  /** Variables that belong to the dialect: never inherited from an outer hook. */
  readonly ownEnv: readonly string[];
  /** Variables that differ from event to event: a worker is not given them, it reads them in each event. */
  readonly eventEnv?: readonly string[];
  /** A legacy hook in a variable, used when the event has no configured hook. */
  readonly envHook?: { readonly variable: string; readonly wireName: string };
  /** `async-line`: a first line `{"async":true}` of a command ends the wait for it; absent: such a line is text like any other. */
  readonly release?: "async-line";
  /** Tools whose calls its built-in approval hook lets pass; absent: no such hook. */
  readonly preApproved?: { readonly tools: readonly ToolName[]; readonly mcp: boolean };
  /** A denial without words of its own. */
  silentDenial(wire: { readonly wireName: string; readonly tool: string | undefined; readonly hook: string }): string;
  stdin(wire: WireEvent): JsonObject;
  /** A copy of what `stdin` wrote, for a function to keep; absent: it is copied as any data. */
  readonly copy?: (stdin: JsonObject) => JsonObject;
  env(wire: WireEvent): { readonly [name: string]: string };
  /** Reads what a command printed. Absent: the dialect's commands answer by exit code alone. */
  readonly answer?: AnswerReader;
  /** Reads what an http, prompt, agent or callback hook returned. */
  readonly returned: AnswerReader;
}
