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
  /** Where `permissionDecision` and its companions stand: inside `hookSpecificOutput`, or there and beside it. */
  readonly fields: "nested" | "anywhere";
  /** Whether a missing or wrong `hookEventName` is worth a notice. */
  readonly hookEventName: "expected" | "optional";
  /** Whether `reason` is shown to the user besides being a denial's reason. */
  readonly reasonIsMessage: boolean;
}

const TOP_KEYS = ["hookSpecificOutput", "decision", "reason", "continue", "stopReason", "systemMessage", "interrupt", "suppressOutput", "async"];
const NESTED_KEYS = [
  "hookEventName",
  "permissionDecision",
  "permissionDecisionReason",
  "additionalContext",
  "updatedInput",
  "updatedPermissions",
  "interrupt",
  "decision",
];
const BEHAVIORS: VerdictWords = { allow: "allow", deny: "deny" };

/** Builds the reader of one speaker of the protocol. */
export function controlReader(table: ControlTable): AnswerReader {
  return { keys: TOP_KEYS, read: (answer, { wireName, row }) => readControl(answer, { table, wireName, row }) };
}

/** What was found in an answer so far. */
interface Found {
  readonly verdicts: { readonly verdict: Verdict; readonly reason: string | null }[];
  readonly effects: Effect[];
  readonly remarks: string[];
  /** What makes the answer a fault, unless it denies all the same. */
  readonly unreadable: string[];
}

function readControl(
  answer: JsonObject,
  { table, wireName, row }: { readonly table: ControlTable; readonly wireName: string; readonly row: DialectEvent },
): Outcome {
  const found: Found = { verdicts: [], effects: [], remarks: [], unreadable: [] };
  const nested = own(answer, "hookSpecificOutput");
  const specific = isObject(nested) ? nested : {};
  if (nested !== undefined && nested !== null && !isObject(nested)) found.unreadable.push("hookSpecificOutput is not an object");
  if (isObject(nested) && table.hookEventName === "expected") checkEventName(specific, wireName, found);
  checkKeys(answer, TOP_KEYS, found);
  checkKeys(specific, NESTED_KEYS, found);
  if (table.fields === "nested") checkPlaces(answer, found);
  const places = table.fields === "nested" ? [specific] : [specific, answer];

  const reason = readText(answer, "reason", found);
  for (const place of places) {
    const said = readText(place, "permissionDecisionReason", found) ?? reason;
    readWord(place, "permissionDecision", { words: table.permissionDecision, reason: said }, found);
  }
  readWord(answer, "decision", { words: table.decision, reason }, found);
  readPermissionRequest(specific, found);
  readContinue(answer, { table, row, reason }, found);
  for (const place of places) readEffects(place, found);
  const message = readText(answer, "systemMessage", found);
  if (message !== null) found.effects.push({ kind: "message", text: message });
  if (table.reasonIsMessage && reason !== null) found.effects.push({ kind: "message", text: reason });
  if ([answer, specific].map((object) => readFlag(object, "interrupt", found.remarks)).includes(true)) found.effects.push({ kind: "interrupt" });
  return weigh(found);
}

/** A deny in one field is not undone by another; without one, a word that nobody knows makes the answer a fault. */
function weigh({ verdicts, effects, remarks, unreadable }: Found): Outcome {
  const verdict = strictest(verdicts.map((said) => said.verdict));
  if (unreadable.length > 0 && verdict !== "deny") {
    return { verdict: null, reason: null, effects: [], fault: { kind: "answer", message: unreadable.join("; ") }, remarks };
  }
  const reason = verdicts.find((said) => said.verdict === verdict && said.reason !== null)?.reason ?? null;
  return { verdict, reason, effects, fault: null, remarks: [...remarks, ...unreadable] };
}

function readWord(object: JsonObject, key: string, { words, reason }: { readonly words: VerdictWords; readonly reason: string | null }, found: Found): void {
  const word = own(object, key);
  if (word === undefined || word === null) return;
  const verdict = lookup(words, word);
  if (verdict === undefined) found.unreadable.push(`${key} ${JSON.stringify(word)} is not one of ${Object.keys(words).join(", ")}`);
  else if (verdict !== null) found.verdicts.push({ verdict, reason });
}

/** `hookSpecificOutput.decision: {behavior, message, updatedInput, updatedPermissions, interrupt}` of PermissionRequest. */
function readPermissionRequest(specific: JsonObject, found: Found): void {
  const decision = own(specific, "decision");
  if (!isObject(decision)) return;
  readWord(decision, "behavior", { words: BEHAVIORS, reason: readText(decision, "message", found) }, found);
  readEffects(decision, found);
  if (readFlag(decision, "interrupt", found.remarks) === true) found.effects.push({ kind: "interrupt" });
}

function readContinue(
  answer: JsonObject,
  { table, row, reason }: { readonly table: ControlTable; readonly row: DialectEvent; readonly reason: string | null },
  found: Found,
): void {
  if (readFlag(answer, "continue", found.unreadable) !== false) return;
  const stopReason = readText(answer, "stopReason", found) ?? reason;
  const denial = { verdict: "deny", reason: stopReason } as const;
  if (table.continueFalse === "deny") {
    found.verdicts.push(denial);
    return;
  }
  found.effects.push({ kind: "interrupt", ...(stopReason !== null && { reason: stopReason }) });
  if (stopReason !== null) found.effects.push({ kind: "message", text: stopReason });
  if (row.halt === "deny") found.verdicts.push(denial);
}

function readEffects(object: JsonObject, found: Found): void {
  const context = readText(object, "additionalContext", found);
  if (context !== null && context !== "") found.effects.push({ kind: "context", text: context });
  const input = own(object, "updatedInput");
  if (isObject(input)) found.effects.push({ kind: "input", value: input });
  else if (input !== undefined && input !== null) found.unreadable.push("updatedInput is not an object");
  const rules = own(object, "updatedPermissions");
  if (Array.isArray(rules)) for (const rule of rules) readRule(rule, found);
  else if (rules !== undefined && rules !== null) found.remarks.push("updatedPermissions is not a list and was ignored");
}

function readRule(rule: unknown, found: Found): void {
  const rules = typeof rule === "string" ? [rule] : addedRules(rule);
  if (rules.length === 0) found.remarks.push(`updatedPermissions holds ${JSON.stringify(rule)}, which is no allow rule and was ignored`);
  for (const allow of rules) found.effects.push({ kind: "rule", allow });
}

/** `{type: "addRules", behavior: "allow", rules: [{toolName, ruleContent}]}` as Claude Code writes permission updates. */
function addedRules(update: unknown): readonly string[] {
  if (!isObject(update) || own(update, "type") !== "addRules" || own(update, "behavior") !== "allow") return [];
  const rules = own(update, "rules");
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown) => {
    if (!isObject(rule) || typeof rule["toolName"] !== "string") return [];
    return [typeof rule["ruleContent"] === "string" ? `${rule["toolName"]}(${rule["ruleContent"]})` : rule["toolName"]];
  });
}

function checkEventName(specific: JsonObject, wireName: string, found: Found): void {
  const name = own(specific, "hookEventName");
  if (name === wireName) return;
  const what = name === undefined ? "has no hookEventName" : `says hookEventName ${JSON.stringify(name)}`;
  found.remarks.push(`the answer ${what}; it was read as an answer to ${wireName}`);
}

/** A key outside the object that it belongs in decides nothing, and must not be lost in silence. */
function checkPlaces(answer: JsonObject, found: Found): void {
  for (const key of NESTED_KEYS.filter((nested) => !TOP_KEYS.includes(nested) && own(answer, nested) !== undefined)) {
    (key === "permissionDecision" ? found.unreadable : found.remarks).push(`${key} belongs into hookSpecificOutput; where it stands it was ignored`);
  }
}

/** A misspelt key must not lose a decision in silence. */
function checkKeys(object: JsonObject, known: readonly string[], found: Found): void {
  for (const key of Object.keys(object)) {
    const meant = known.includes(key) ? undefined : nearest(key, known);
    if (meant === undefined) continue;
    const text = `"${key}" is not a key of this protocol, did you mean "${meant}"?`;
    (/decision/i.test(meant) ? found.unreadable : found.remarks).push(text);
  }
}

function readFlag(object: JsonObject, key: string, complaints: string[]): boolean | null {
  const value = own(object, key);
  if (typeof value === "boolean") return value;
  if (value !== undefined && value !== null) complaints.push(`${key} ${JSON.stringify(value)} is not true or false`);
  return null;
}

function readText(object: JsonObject, key: string, found: Found): string | null {
  const value = own(object, key);
  if (typeof value === "string") return value;
  if (value !== undefined && value !== null) found.remarks.push(`${key} is not text and was ignored`);
  return null;
}
