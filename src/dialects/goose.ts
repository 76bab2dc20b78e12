import { lookup, own, type JsonObject } from "../lib/json.ts";
import { NO_OPINION, type Effect, type Outcome } from "../model/outcome.ts";
import type { Verdict } from "../model/verdict.ts";
import type { AnswerReader, Dialect, DialectEvent } from "./dialect.ts";
import { asText, isAfter } from "./payload.ts";

const VERDICT_WORDS: { readonly [word: string]: Verdict } = { allow: "allow", block: "deny", require_approval: "ask" };

const gooseReader: AnswerReader = { keys: ["decision", "reason", "context_injection"], read: (answer, { row }) => readGoose(answer, row) };

/** Goose: programs without a shell, JSON on both sides, and nothing a broken hook does has an effect. */
// prettier-ignore
export const goose: Dialect = {
  id: "goose",
  title: "Goose",
  config: {
    shape: "flat",
    places: [{ layer: "user", base: "config", path: "goose/config.yaml" }],
  },
  events: {
    session_start: { is: ["session.start"],             text: "context", pace: "await" },
    prompt_submit: { is: ["prompt.submit"],             text: "context", pace: "await", slot: "goose.prompt_submit" },
    pre_tool_use:  { is: ["tool.before"],               text: "ignore",  pace: "await" },
    post_tool_use: { is: ["tool.after", "tool.failed"], text: "ignore",  pace: "detach" },
    session_stop:  { is: ["session.end"],               text: "ignore",  pace: "detach" },
  },
  unfired: [],
  tools: {
    shell: { name: "developer__shell" },
    read:  { name: "developer__text_editor", keys: { file_path: "path" },                       fixed: { command: "view" } },
    write: { name: "developer__text_editor", keys: { file_path: "path", content: "file_text" }, fixed: { command: "write" } },
    edit:  { name: "developer__text_editor", keys: { file_path: "path", old_string: "old_str", new_string: "new_str" }, fixed: { command: "str_replace" } },
    glob:  { name: "developer__glob" },
    grep:  { name: "developer__grep" },
  },
  matcher: { key: "tool_name", rule: "regex", on: "tool" },
  types: ["command"],
  options: [],
  launch: "argv",
  timeoutMs: 10_000,
  order: "until-deny",
  repeated: "each",
  gate: "permission-first",
  exit: { 0: "answer", 2: "fault", other: "fault" },
  onFault: "allow",
  deniedResult: "reason",
  toolContext: "result",
  contextPlace: "system",
  headerEnv: "listed",
  ownEnv: [],
  envHook: { variable: "GOOSE_SESSION_START_HOOK", wireName: "session_start" },
  silentDenial: ({ wireName, hook }) => `${wireName} hook "${hook}" blocked without a reason`,
  stdin: ({ event, wireName }) => {
    const { name, tool } = event;
    const after = isAfter(event);
    return {
      event: wireName,
      ...(name !== "tool.before" && { session_id: event.sessionId ?? "" }),
      ...(event.prompt !== undefined && { prompt_text: event.prompt }),
      ...(tool && { tool_name: tool.name, tool_arguments: tool.input }),
      ...(after && { tool_result: tool?.isError ? null : asText(tool?.output ?? ""), tool_error: tool?.isError ? asText(tool.output ?? "") : null }),
    };
  },
  env: () => ({}),
  answer: gooseReader,
  returned: gooseReader,
};

function readGoose(answer: JsonObject, row: DialectEvent): Outcome {
  const word = own(answer, "decision");
  const verdict = lookup(VERDICT_WORDS, word);
  if (word !== undefined && word !== null && verdict === undefined) {
    return { ...NO_OPINION, fault: { kind: "answer", message: `decision ${JSON.stringify(word)} is not one of allow, block, require_approval` } };
  }
  const reason = own(answer, "reason");
  const text = own(answer, "context_injection");
  const effects: Effect[] = typeof text === "string" && text !== "" ? [{ kind: "context", text, ...(row.slot !== undefined && { slot: row.slot }) }] : [];
  const remarks = text !== undefined && text !== null && typeof text !== "string" ? ["context_injection is not text and was ignored"] : [];
  return { ...NO_OPINION, verdict: verdict ?? null, reason: typeof reason === "string" ? reason : null, effects, remarks };
}
