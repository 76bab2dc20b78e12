/** The `hookSpecificOutput` control protocol, which Lime, Mains and Claude Code speak with small differences. */
import { isObject, lookup, own, type JsonObject } from "../lib/json.ts";
import { nearest } from "../lib/nearest.ts";
import type { Effect, Outcome } from "../model/outcome.ts";
import { strictest, type Verdict } from "../model/verdict.ts";
import type { AnswerReader, DialectEvent } from "./dialect.ts";

/** Words of a verdict field: a verdict, or null for "no opinion". */
export type VerdictWords = { readonly [word: string]: Verdict | null };

/** Where the protocol's speakers differ. */
export interface ControlTable {
  readonly permissionDecision: VerdictWords;
  readonly decision: VerdictWords;
  /** What `continue: false` means. */
  readonly continueFalse: "deny" | "interrupt";
  /** Whether a missing or wrong `hookEventName` is worth a notice. */
  readonly hookEventName: "expected" | "optional";
  /** Whether `reason` is shown to the user besides being a denial's reason. */
  readonly reasonIsMessage: boolean;
}

const TOP_KEYS = ["hookSpecificOutput", "decision", "reason", "continue", "stopReason", "systemMessage", "interrupt", "suppressOutput", "async"];
const NESTED_KEYS = ["hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext", "updatedInput", "updatedPermissions", "interrupt", "decision"];

/** Builds the reader of one speaker of the protocol. */
export function controlReader(table: ControlTable): AnswerReader {
  return { keys: TOP_KEYS, read: (answer, { wireName, row }) => new Reading(table, wireName, row).read(answer) };
}

/** One answer being read: collects verdicts, effects and what is odd, then weighs them. */
class Reading {
  readonly #verdicts: { readonly verdict: Verdict; readonly reason: string | null }[] = [];
  readonly #effects: Effect[] = [];
  readonly #remarks: string[] = [];
  readonly #unreadable: string[] = [];
  readonly #table: ControlTable;
  readonly #wireName: string;
  readonly #row: DialectEvent;

  constructor(table: ControlTable, wireName: string, row: DialectEvent) {
    this.#table = table;
    this.#wireName = wireName;
    this.#row = row;
  }

  read(answer: JsonObject): Outcome {
    const nested = own(answer, "hookSpecificOutput");
    const specific = isObject(nested) ? nested : {};
    if (nested !== undefined && nested !== null && !isObject(nested)) this.#unreadable.push("hookSpecificOutput is not an object");
    this.#nearMisses(answer, TOP_KEYS);
    this.#nearMisses(specific, NESTED_KEYS);
    if (isObject(nested)) this.#eventName(specific);

    const reason = this.#text(answer, "reason");
    this.#word(specific, "permissionDecision", this.#table.permissionDecision, this.#text(specific, "permissionDecisionReason") ?? reason);
    this.#word(answer, "decision", this.#table.decision, reason);
    this.#permissionRequest(specific);
    this.#continue(answer, reason);
    this.#effectsOf(specific);
    const message = this.#text(answer, "systemMessage");
    if (message !== null) this.#effects.push({ kind: "message", text: message });
    if (this.#table.reasonIsMessage && reason !== null) this.#effects.push({ kind: "message", text: reason });
    if (own(answer, "interrupt") === true || own(specific, "interrupt") === true) this.#effects.push({ kind: "interrupt" });
    return this.#weigh();
  }

  #weigh(): Outcome {
    const verdict = strictest(this.#verdicts.map((said) => said.verdict));
    if (this.#unreadable.length > 0 && verdict !== "deny") {
      return { verdict: null, reason: null, effects: [], fault: { kind: "answer", message: this.#unreadable.join("; ") }, remarks: this.#remarks };
    }
    const reasons = this.#verdicts.filter((said) => said.verdict === verdict && said.reason !== null).map((said) => said.reason);
    return { verdict, reason: reasons[0] ?? null, effects: this.#effects, fault: null, remarks: [...this.#remarks, ...this.#unreadable] };
  }

  #word(object: JsonObject, key: string, words: VerdictWords, reason: string | null): void {
    const word = own(object, key);
    if (word === undefined || word === null || isObject(word)) return;
    const verdict = lookup(words, word);
    if (verdict === undefined) this.#unreadable.push(`${key} ${JSON.stringify(word)} is not one of ${Object.keys(words).join(", ")}`);
    else if (verdict !== null) this.#verdicts.push({ verdict, reason });
  }

  /** `hookSpecificOutput.decision: {behavior, message, updatedInput, updatedPermissions, interrupt}` of PermissionRequest. */
  #permissionRequest(specific: JsonObject): void {
    const decision = own(specific, "decision");
    if (!isObject(decision)) return;
    this.#word(decision, "behavior", { allow: "allow", deny: "deny" }, this.#text(decision, "message"));
    this.#effectsOf(decision);
    if (own(decision, "interrupt") === true) this.#effects.push({ kind: "interrupt" });
  }

  #continue(answer: JsonObject, reason: string | null): void {
    if (own(answer, "continue") !== false) return;
    const stopReason = this.#text(answer, "stopReason") ?? reason;
    if (this.#table.continueFalse === "deny") {
      this.#verdicts.push({ verdict: "deny", reason: stopReason });
      return;
    }
    this.#effects.push({ kind: "interrupt", ...(stopReason !== null && { reason: stopReason }) });
    if (stopReason !== null) this.#effects.push({ kind: "message", text: stopReason });
    if (this.#row.halt === "deny") this.#verdicts.push({ verdict: "deny", reason: stopReason });
  }

  #effectsOf(object: JsonObject): void {
    const context = this.#text(object, "additionalContext");
    if (context !== null && context !== "") this.#effects.push({ kind: "context", text: context });
    const input = own(object, "updatedInput");
    if (isObject(input)) this.#effects.push({ kind: "input", value: input });
    else if (input !== undefined && input !== null) this.#unreadable.push("updatedInput is not an object");
    const rules = own(object, "updatedPermissions");
    if (rules === undefined || rules === null) return;
    if (!Array.isArray(rules)) this.#remarks.push("updatedPermissions is not a list and was ignored");
    else for (const rule of rules) this.#rule(rule);
  }

  #rule(rule: unknown): void {
    if (typeof rule === "string") this.#effects.push({ kind: "rule", allow: rule });
    else for (const allow of addedRules(rule)) this.#effects.push({ kind: "rule", allow });
    if (typeof rule !== "string" && addedRules(rule).length === 0) this.#remarks.push(`updatedPermissions holds ${JSON.stringify(rule)}, which is no allow rule and was ignored`);
  }

  #eventName(specific: JsonObject): void {
    if (this.#table.hookEventName === "optional") return;
    const name = own(specific, "hookEventName");
    if (name === this.#wireName) return;
    const what = name === undefined ? "has no hookEventName" : `says hookEventName ${JSON.stringify(name)}`;
    this.#remarks.push(`the answer ${what}; it was read as an answer to ${this.#wireName}`);
  }

  #text(object: JsonObject, key: string): string | null {
    const value = own(object, key);
    if (value === undefined || value === null) return null;
    if (typeof value === "string") return value;
    this.#remarks.push(`${key} is not text and was ignored`);
    return null;
  }

  /** A misspelt key must not lose a decision in silence. */
  #nearMisses(object: JsonObject, known: readonly string[]): void {
    for (const key of Object.keys(object)) {
      if (known.includes(key)) continue;
      const meant = nearest(key, known);
      if (meant === undefined) continue;
      const text = `"${key}" is not a key of this protocol, did you mean "${meant}"?`;
      if (/decision/i.test(meant)) this.#unreadable.push(text);
      else this.#remarks.push(text);
    }
  }
}

/** `{type: "addRules", behavior: "allow", rules: [{toolName, ruleContent}]}` as Claude Code writes permission updates. */
function addedRules(update: unknown): string[] {
  if (!isObject(update) || own(update, "type") !== "addRules" || own(update, "behavior") !== "allow") return [];
  const rules = own(update, "rules");
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown) => {
    if (!isObject(rule) || typeof rule["toolName"] !== "string") return [];
    return [typeof rule["ruleContent"] === "string" ? `${rule["toolName"]}(${rule["ruleContent"]})` : rule["toolName"]];
  });
}
