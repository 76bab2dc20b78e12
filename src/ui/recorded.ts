import { isObject } from "../lib/json.ts";
import type { ToolCall } from "../model/tools.ts";
import { deskSessions, readLines } from "../desk/watch.ts";

/** Calls that are looked at, the newest first. */
const LIMIT = 2_000;

/** The different calls that sessions on the desk have made. */
export function recordedCalls(desk: string): readonly ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const { id } of deskSessions(desk)) {
    for (let from = 0; calls.size < LIMIT;) {
      const { lines, next } = readLines(desk, id, from);
      for (const { line } of lines) for (const call of callsOf(line)) calls.set(JSON.stringify(call), call);
      if (next === from) break;
      from = next;
    }
  }
  return [...calls.values()].slice(0, LIMIT);
}

function callsOf(line: { readonly [key: string]: unknown }): readonly ToolCall[] {
  const calls = line["type"] === "model.response" && Array.isArray(line["toolCalls"]) ? line["toolCalls"] : [];
  return calls.flatMap((call: unknown) => {
    if (!isObject(call) || typeof call["name"] !== "string" || !isObject(call["input"])) return [];
    return [{ name: call["name"], input: call["input"] }];
  });
}
