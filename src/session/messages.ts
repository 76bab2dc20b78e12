/** The conversation as a session keeps it: independent of any provider. */
import type { JsonObject } from "../lib/json.ts";

/** One tool call that the model asked for. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** The answer to one tool call, as the model sees it. */
export interface ToolAnswer {
  readonly useId: string;
  readonly name: string;
  readonly output: string;
  readonly isError: boolean;
}

/** One message of the conversation. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ToolUse[] }
  | { readonly role: "tool"; readonly results: readonly ToolAnswer[] };
