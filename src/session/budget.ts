/** How much of the context window is used, and what follows from it. Pure. */
import { estimateTokenCount } from "tokenx";
import type { Message } from "./messages.ts";

/** Above this share of the window the conversation is compacted before the next call [S3]. */
export const COMPACT_AT = 0.835;
/** Above this share a tool result is replaced by an error [S4]. */
export const RESULT_LIMIT = 0.8;

/** An estimate of the tokens in a text. */
export function textTokens(text: string): number {
  return estimateTokenCount(text);
}

/** An estimate of the tokens in a message. */
export function messageTokens(message: Message): number {
  switch (message.role) {
    case "user":
      return textTokens(message.text);
    case "assistant":
      return textTokens(message.text) + message.toolCalls.reduce((sum, call) => sum + textTokens(JSON.stringify(call.input)) + textTokens(call.name), 0);
    case "tool":
      return message.results.reduce((sum, result) => sum + textTokens(result.output), 0);
  }
}

/** The larger of what the provider last reported and an estimate of what will be sent [W12]. */
export function usedTokens({ reported, estimated }: { readonly reported: number; readonly estimated: number }): number {
  return Math.max(reported, estimated);
}

/** Whether the conversation must be compacted before the next call. */
export function mustCompact(used: number, contextWindow: number): boolean {
  return used > contextWindow * COMPACT_AT;
}

/** Whether a result would take the context above its limit. */
export function tooLarge({ used, adds, contextWindow }: { readonly used: number; readonly adds: number; readonly contextWindow: number }): boolean {
  return used + adds > contextWindow * RESULT_LIMIT;
}
