import { isObject, lookup, own, type JsonObject } from "../lib/json.ts";
import { EVENTS, type EventName } from "../model/events.ts";
import { NO_OPINION, type Effect, type Outcome } from "../model/outcome.ts";
import { TOOLS, type ToolName } from "../model/tools.ts";
import { VERDICTS, type Verdict } from "../model/verdict.ts";
import type { AnswerReader, Dialect, DialectEvent, ToolSpelling } from "./dialect.ts";
import { nativeCopy, nativePayload } from "./payload.ts";

const VERDICT_WORDS: { readonly [word: string]: Verdict } = Object.fromEntries(VERDICTS.map((verdict) => [verdict, verdict]));
const TEXTS = ["context", "feedback", "message"] as const;
const reader: AnswerReader = { keys: ["verdict", "reason", "input", "context", "feedback", "message", "rules", "interrupt", "ok"], read: readAnswer };

/** Plain text is context where the model is about to read anyway. */
const CONTEXT_EVENTS: readonly EventName[] = ["session.start", "prompt.submit", "subagent.start", "setup"];

/** The native dialect: canonical names everywhere, and every option that the engine has. */
export const snaphook: Dialect = {
  id: "snaphook",
  title: "Snaphook",
  config: {
    shape: "native",
    places: ["hooks", "settings"].flatMap((name) =>
      ["yaml", "yml", "json", "toml"].flatMap((ending) => [
        { layer: "managed", base: "root", path: `etc/snaphook/${name}.${ending}` } as const,
        { layer: "user", base: "config", path: `snaphook/${name}.${ending}` } as const,
        { layer: "project", base: "project", path: `.snaphook/${name}.${ending}` } as const,
        { layer: "local", base: "project", path: `.snaphook/${name}.local.${ending}` } as const,
      ]),
    ),
  },
  events: Object.fromEntries(Object.keys(EVENTS).map((name) => [name, nativeEvent(name)])),
  unfired: [],
  tools: Object.fromEntries(Object.keys(TOOLS).map((name) => [name, { name } satisfies ToolSpelling])) satisfies { [name in ToolName]?: ToolSpelling },
  matcher: { key: "matcher", rule: "names-or-regex", on: "subject" },
  types: ["command", "http", "callback", "module", "prompt", "agent"],
  options: ["if", "once", "async"],
  launch: "sh -c",
  timeoutMs: 60_000,
  order: "sequential",
  repeated: "each",
  gate: "hooks-first",
  exit: { 0: "answer", 2: "deny:any", other: "fault" },
  onFault: "ask", // fail closed where it guards; a hook that only watches says `onFault: allow`
  deniedResult: "reason",
  toolContext: "result",
  contextPlace: "reminder",
  headerEnv: "listed",
  ownEnv: ["SNAPHOOK_EVENT", "SNAPHOOK_TOOL", "SNAPHOOK_SESSION_ID", "SNAPHOOK_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_PATH"],
  eventEnv: ["SNAPHOOK_EVENT", "SNAPHOOK_TOOL", "SNAPHOOK_SESSION_ID", "CLAUDE_SESSION_ID"],
  silentDenial: ({ wireName, hook }) => `${wireName} hook "${hook}" denied without a reason`,
  stdin: ({ event }) => nativePayload(event),
  copy: nativeCopy,
  env: ({ event, projectDir }) => ({
    SNAPHOOK_EVENT: event.name,
    SNAPHOOK_PROJECT_DIR: projectDir,
    ...(event.tool && { SNAPHOOK_TOOL: event.tool.name }),
    ...(event.sessionId !== undefined && { SNAPHOOK_SESSION_ID: event.sessionId }),
  }),
  answer: reader,
  returned: reader,
};

function nativeEvent(name: string): DialectEvent {
  const event = Object.keys(EVENTS).find((each): each is EventName => each === name) ?? "notification";
  return { is: [event], text: CONTEXT_EVENTS.includes(event) ? "context-or-answer" : "ignore", pace: "await" };
}

function readAnswer(answer: JsonObject): Outcome {
  const simple = readVerdict(answer);
  if (simple) return simple;
  const word = own(answer, "verdict");
  const refused = own(answer, "ok") === false;
  const verdict = lookup(VERDICT_WORDS, word) ?? (refused ? "deny" : null);
  if (word !== undefined && word !== null && lookup(VERDICT_WORDS, word) === undefined) {
    return { ...NO_OPINION, fault: { kind: "answer", message: `verdict ${JSON.stringify(word)} is not one of ${VERDICTS.join(", ")}` } };
  }
  const input = own(answer, "input");
  if (input !== undefined && input !== null && !isObject(input)) return { ...NO_OPINION, fault: { kind: "answer", message: "input is not an object" } };
  const reason = own(answer, "reason");
  const effects: Effect[] = TEXTS.flatMap((kind) => texts(own(answer, kind)).map((text) => ({ kind, text })));
  if (isObject(input)) effects.push({ kind: "input", value: input });
  for (const allow of texts(own(answer, "rules"))) effects.push({ kind: "rule", allow });
  if (own(answer, "interrupt") === true) effects.push({ kind: "interrupt" });
  // A script that is both a worker and a command may echo an id that it was not given.
  const unknown = Object.keys(answer).filter((key) => key !== "id" && !reader.keys.includes(key));
  return {
    ...NO_OPINION,
    verdict,
    reason: typeof reason === "string" ? reason : null,
    effects,
    remarks: unknown.map((key) => `"${key}" is not a key of an answer and was ignored`),
  };
}

/** An answer that has a verdict and nothing else, or nothing at all, as most have. Null: it must be read word by word. */
function readVerdict(answer: JsonObject): Outcome | null {
  let verdict: Verdict | null = null;
  for (const key in answer) {
    if (key === "id") continue;
    const word = key === "verdict" ? lookup(VERDICT_WORDS, own(answer, key)) : undefined;
    if (word === undefined) return null;
    verdict = word;
  }
  return verdict === null ? NO_OPINION : { ...NO_OPINION, verdict };
}

/** One text or a list of texts. */
function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === "string" && each !== "");
}
