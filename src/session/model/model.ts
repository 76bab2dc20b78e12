/** What a session needs of a language model: one call at a time, with everything in it. */
import type { JsonObject } from "../../lib/json.ts";
import type { Message, ToolUse } from "../messages.ts";

/** A tool as it is offered to the model. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: JsonObject;
}

/** One call: everything the model is sent. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolOffer[];
  /** Why the call is made: compaction and forced summaries are calls of their own. */
  readonly purpose: "turn" | "compaction" | "summary" | "hook";
  readonly signal: AbortSignal;
  /** Called with text as it arrives. */
  readonly onText?: (delta: string) => void;
}

/** Tokens, as the provider reports them; zero where it does not. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

/** What came back. */
export interface ModelResponse {
  readonly text: string;
  readonly toolCalls: readonly ToolUse[];
  readonly usage: Usage;
}

/** A model, ready to be called. A failed call rejects with a ModelError. */
export interface Model {
  /** `provider:name`, or `script:FILE`. */
  readonly id: string;
  /** Tokens that fit into one call. */
  readonly contextWindow: number;
  call(request: ModelRequest): Promise<ModelResponse>;
  /** The model of a subagent of a type: the same one for providers, the type's own script for a scripted model. */
  forAgent(type: string): Model;
}

/** A call that failed, in words for a user. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}
