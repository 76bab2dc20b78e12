/** The conversation of a session ↔ that of the AI SDK. */
import type { AssistantModelMessage, ModelMessage, ToolSet } from "ai";
import { isObject, type JsonObject } from "../../lib/json.ts";
import { trusted } from "../../lib/trusted.ts";
import type { Message, ToolUse } from "../messages.ts";
import type { ToolOffer } from "./model.ts";

type Parts = Exclude<AssistantModelMessage["content"], string>;
type AssistantMessage = Extract<Message, { role: "assistant" }>;

/** Messages as the SDK wants them. Providers refuse empty text, so a message of nothing is left out. */
export function toModelMessages(messages: readonly Message[], thoughts: Thoughts): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    switch (message.role) {
      case "user":
        return message.text.trim() === "" ? [] : [{ role: "user", content: message.text }];
      case "assistant": {
        const content = thoughts.recall(message) ?? spokenParts(message);
        return content.length === 0 ? [] : [{ role: "assistant", content }];
      }
      case "tool":
        return message.results.length === 0 ? [] : [{ role: "tool", content: message.results.map(resultPart) }];
    }
  });
}

function spokenParts({ text, toolCalls }: AssistantMessage): Parts {
  return [...(text.trim() === "" ? [] : [{ type: "text" as const, text }]), ...toolCalls.map(callPart)];
}

function callPart({ id, name, input }: ToolUse): Extract<Parts[number], { type: "tool-call" }> {
  return { type: "tool-call", toolCallId: id, toolName: name, input };
}

function resultPart({
  useId,
  name,
  output,
  isError,
}: Extract<Message, { role: "tool" }>["results"][number]): Extract<ModelMessage, { role: "tool" }>["content"][number] {
  return { type: "tool-result", toolCallId: useId, toolName: name, output: { type: isError ? "error-text" : "text", value: output } };
}

/** The tools without a way to execute them: our own loop does that. */
export function toToolSet(offers: readonly ToolOffer[], { jsonSchema, tool }: Pick<typeof import("ai"), "jsonSchema" | "tool">): ToolSet {
  return Object.fromEntries(
    offers.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(trusted<Parameters<typeof jsonSchema>[0]>(inputSchema)) }),
    ]),
  );
}

/** The input of a call; what is no object is kept as `{raw}`, so that the tool can say what is wrong. */
export function toInput(input: unknown): JsonObject {
  if (isObject(input)) return input;
  return { raw: typeof input === "string" ? input : (JSON.stringify(input) ?? "") };
}

/** How many answers with thoughts are kept. Those of older rounds were compacted long ago. */
const LIMIT_KEPT = 512;

/** What a model thought before it called tools: providers want it back, unchanged and in its place. */
export class Thoughts {
  readonly #kept = new Map<string, Parts>();

  /** Keeps an answer that holds thoughts. */
  keep(messages: readonly ModelMessage[]): void {
    for (const { role, content } of messages) {
      if (role !== "assistant" || typeof content === "string" || !content.some(({ type }) => type === "reasoning")) continue;
      const first = content.find((part) => part.type === "tool-call");
      if (first) this.#kept.set(first.toolCallId, content);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > LIMIT_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    }
  }

  /** The parts of an answer as they were given. Undefined: it had no thoughts, or is not what the model said any more. */
  recall({ text, toolCalls }: AssistantMessage): Parts | undefined {
    const kept = toolCalls[0] && this.#kept.get(toolCalls[0].id);
    if (!kept) return undefined;
    const said = kept.map((part) => (part.type === "text" ? part.text : "")).join("");
    const called = kept.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
    if (said !== text || called.join("\n") !== toolCalls.map(({ id }) => id).join("\n")) return undefined;
    const inputs = new Map(toolCalls.map(({ id, input }) => [id, input]));
    return kept.map((part) => (part.type === "tool-call" ? { ...part, input: inputs.get(part.toolCallId) ?? part.input } : part));
  }
}
