/** Calls that were made before: what a rule or a policy is tried on. */
import { readTail } from "../desk/lines.ts";
import { canonicalCall } from "../dialects/spelling.ts";
import { isObject, type JsonObject } from "../lib/json.ts";
import type { ToolCall } from "../model/tools.ts";
import type { UiContext } from "./context.ts";

/** Calls that are looked at, the newest first. */
const LIMIT = 2_000;

/** The different calls on record, from the audit log and from the sessions on the desk. */
export async function recordedCalls({ desk, live, audit }: Pick<UiContext, "desk" | "live" | "audit">): Promise<readonly ToolCall[]> {
  const calls = new Map<string, ToolCall>();
  const take = (call: ToolCall): void => {
    const { name, input } = canonicalCall(call);
    const key = JSON.stringify([name, input]);
    if (!calls.has(key)) calls.set(key, call);
  };
  for (const { id } of live.sessions()) {
    if (calls.size >= LIMIT) break;
    for (const { line } of readTail(desk, id).lines) for (const call of callsOf(line)) take(call);
  }
  const logged = (await audit?.query({ filter: { event: "tool.before" }, limit: LIMIT, skip: 0 }))?.records ?? [];
  for (const { tool } of logged) if (tool && isObject(tool.input) && isWhole(tool.input)) take({ name: tool.name, input: tool.input });
  return [...calls.values()].slice(0, LIMIT);
}

/** A long text is on record as its beginning, its length and its hash: nothing can be said about such a call. */
function isWhole(input: JsonObject): boolean {
  return !Object.values(input).some((value) => typeof value === "string" && CUT.test(value));
}

const CUT = /…\[cut: \d+ characters in all, sha256 [0-9a-f]{64}\]$/;

function callsOf(line: { readonly [key: string]: unknown }): readonly ToolCall[] {
  const calls = line["type"] === "model.response" && Array.isArray(line["toolCalls"]) ? line["toolCalls"] : [];
  return calls.flatMap((call: unknown) => {
    if (!isObject(call) || typeof call["name"] !== "string" || !isObject(call["input"])) return [];
    return [{ name: call["name"], input: call["input"] }];
  });
}
