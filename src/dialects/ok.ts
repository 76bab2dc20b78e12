/** `{"ok": bool, "reason"}`: how Robota's http, prompt and agent hooks answer. They can only tighten. */
import { own, type JsonObject } from "../lib/json.ts";
import { NO_OPINION, type Outcome } from "../model/outcome.ts";
import type { AnswerReader } from "./dialect.ts";

/** Reads `ok` and `reason`. */
export const okReader: AnswerReader = { keys: ["ok", "reason"], read: readOk };

function readOk(answer: JsonObject): Outcome {
  const ok = own(answer, "ok");
  const reason = own(answer, "reason");
  if (typeof ok !== "boolean") {
    return { ...NO_OPINION, fault: { kind: "answer", message: `"ok" is ${JSON.stringify(ok) ?? "missing"}, not true or false` } };
  }
  return { ...NO_OPINION, verdict: ok ? null : "deny", reason: typeof reason === "string" ? reason : null };
}
