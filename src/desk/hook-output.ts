import type { JsonObject } from "../lib/json.ts";
import type { HookReport } from "../model/decision.ts";
import { outputOf } from "../model/hook-output.ts";

/** What is shown of one stream of one hook. */
const OUTPUT_LIMIT = 8 * 1_024;

/** A decision as it is told, with what its hooks printed. */
export function withOutputs(decision: { readonly hooks?: unknown }): JsonObject {
  const hooks = Array.isArray(decision.hooks) ? decision.hooks.map((hook: HookReport) => ({ ...hook, ...printedBy(hook) })) : [];
  return { ...decision, hooks };
}

function printedBy(hook: HookReport): { readonly stdout?: string; readonly stderr?: string } {
  const { stdout = "", stderr = "" } = outputOf(hook) ?? {};
  return { ...(stdout !== "" && { stdout: cut(stdout) }), ...(stderr !== "" && { stderr: cut(stderr) }) };
}

function cut(text: string): string {
  return text.length <= OUTPUT_LIMIT ? text : `${text.slice(0, OUTPUT_LIMIT)}… (${text.length - OUTPUT_LIMIT} more characters)`;
}
