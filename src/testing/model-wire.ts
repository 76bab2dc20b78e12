/** How the fake model server spells an answer: one row for each protocol. */
import { isObject, type JsonObject } from "../lib/json.ts";

/** An answer that a fake model gives. */
export interface FakeAnswer {
  readonly text?: string;
  /** Thought before anything is said; Anthropic and Responses only. */
  readonly thinking?: string;
  readonly toolCalls?: readonly FakeToolCall[];
  readonly usage?: { readonly input: number; readonly output: number };
  /** Why the answer ended, if not for `toolCalls` or because all was said. */
  readonly finish?: "length" | "refusal";
}

/** A tool call in a fake answer. */
export interface FakeToolCall {
  readonly id?: string;
  readonly name: string;
  /** An object, or text that is sent as it stands to look like broken JSON. */
  readonly input: JsonObject | string;
}

/** How one provider's protocol is spoken. */
export interface WireRow {
  readonly path: string;
  /** The streamed events, in order. */
  events(answer: FakeAnswer, model: string): readonly WireEvent[];
  /** The answer to a request that does not stream. */
  whole(answer: FakeAnswer, model: string): JsonObject;
  /** The body of an error. */
  error(message: string, status: number): JsonObject;
  /** An error in the middle of a stream. */
  errorEvent(message: string): WireEvent;
  /** What stands at the end of every stream. */
  readonly end: string;
}

/** One event of a stream. */
export interface WireEvent {
  readonly event?: string;
  readonly data: JsonObject;
}

/** The text of a server-sent event. */
export function sseText({ event, data }: WireEvent): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

const typed = (data: JsonObject & { readonly type: string }): WireEvent => ({ event: data.type, data });
const pieces = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? [];
const halves = (text: string): readonly string[] => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];
const inputText = ({ input }: FakeToolCall): string => (isObject(input) ? JSON.stringify(input) : input);
const callId = ({ id }: FakeToolCall, prefix: string, index: number): string => id ?? `${prefix}${index + 1}`;
const tokens = ({ usage }: FakeAnswer): { readonly input: number; readonly output: number } => usage ?? { input: 10, output: 5 };

const anthropic: WireRow = {
  path: "/v1/messages",
  events: (answer, model) => [
    typed({
      type: "message_start",
      message: { ...anthropicMessage(model), content: [], stop_reason: null, usage: { input_tokens: tokens(answer).input, output_tokens: 1 } },
    }),
    typed({ type: "ping" }),
    ...anthropicBlocks(answer).flatMap(({ start, deltas }, index) => [
      typed({ type: "content_block_start", index, content_block: start }),
      ...deltas.map((delta) => typed({ type: "content_block_delta", index, delta })),
      typed({ type: "content_block_stop", index }),
    ]),
    typed({ type: "message_delta", delta: { stop_reason: anthropicStop(answer), stop_sequence: null }, usage: { output_tokens: tokens(answer).output } }),
    typed({ type: "message_stop" }),
  ],
  whole: (answer, model) => ({
    ...anthropicMessage(model),
    content: anthropicBlocks(answer).map(({ whole }) => whole),
    stop_reason: anthropicStop(answer),
    usage: { input_tokens: tokens(answer).input, output_tokens: tokens(answer).output },
  }),
  error: (message, status) => ({ type: "error", error: { type: status === 529 ? "overloaded_error" : "api_error", message } }),
  errorEvent: (message) => typed({ type: "error", error: { type: "overloaded_error", message } }),
  end: "",
};

function anthropicMessage(model: string): JsonObject {
  return { id: "msg_fake", type: "message", role: "assistant", model, stop_sequence: null };
}

function anthropicStop({ finish, toolCalls = [] }: FakeAnswer): string {
  if (finish) return { length: "max_tokens", refusal: "refusal" }[finish];
  return toolCalls.length > 0 ? "tool_use" : "end_turn";
}

function anthropicBlocks({
  thinking,
  text = "",
  toolCalls = [],
}: FakeAnswer): readonly { readonly start: JsonObject; readonly deltas: readonly JsonObject[]; readonly whole: JsonObject }[] {
  return [
    ...(thinking === undefined
      ? []
      : [
          {
            start: { type: "thinking", thinking: "", signature: "" },
            deltas: [
              { type: "thinking_delta", thinking },
              { type: "signature_delta", signature: "signed" },
            ],
            whole: { type: "thinking", thinking, signature: "signed" },
          },
        ]),
    ...(text === ""
      ? []
      : [{ start: { type: "text", text: "" }, deltas: pieces(text).map((piece) => ({ type: "text_delta", text: piece })), whole: { type: "text", text } }]),
    ...toolCalls.map((call, index) => ({
      start: { type: "tool_use", id: callId(call, "toolu_", index), name: call.name, input: {} },
      deltas: halves(inputText(call)).map((partial) => ({ type: "input_json_delta", partial_json: partial })),
      whole: { type: "tool_use", id: callId(call, "toolu_", index), name: call.name, input: call.input },
    })),
  ];
}

const chat: WireRow = {
  path: "/v1/chat/completions",
  events: (answer, model) => {
    const chunk = (choices: readonly JsonObject[], more: JsonObject = {}): WireEvent => ({
      data: { id: "chatcmpl-fake", object: "chat.completion.chunk", created: 0, model, choices, ...more },
    });
    const delta = (part: JsonObject, finish: string | null = null): WireEvent => chunk([{ index: 0, delta: part, finish_reason: finish }]);
    return [
      delta({ role: "assistant", content: "" }),
      ...pieces(answer.text ?? "").map((piece) => delta({ content: piece })),
      ...(answer.toolCalls ?? []).flatMap((call, index) => [
        delta({ tool_calls: [{ index, id: callId(call, "call_", index), type: "function", function: { name: call.name, arguments: "" } }] }),
        ...halves(inputText(call)).map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      delta({}, chatFinish(answer)),
      chunk([], { usage: chatUsage(answer) }),
    ];
  },
  whole: (answer, model) => ({
    id: "chatcmpl-fake",
    object: "chat.completion",
    created: 0,
    model,
    choices: [
      {
        index: 0,
        finish_reason: chatFinish(answer),
        message: { role: "assistant", content: answer.text ?? null, ...(answer.toolCalls && { tool_calls: answer.toolCalls.map(chatCall) }) },
      },
    ],
    usage: chatUsage(answer),
  }),
  error: (message, status) => ({ error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", code: null } }),
  errorEvent: (message) => ({ data: { error: { message, type: "server_error", code: null } } }),
  end: "data: [DONE]\n\n",
};

function chatCall(call: FakeToolCall, index: number): JsonObject {
  return { id: callId(call, "call_", index), type: "function", function: { name: call.name, arguments: inputText(call) } };
}

function chatFinish({ finish, toolCalls = [] }: FakeAnswer): string {
  if (finish) return { length: "length", refusal: "content_filter" }[finish];
  return toolCalls.length > 0 ? "tool_calls" : "stop";
}

function chatUsage(answer: FakeAnswer): JsonObject {
  const { input, output } = tokens(answer);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

const responses: WireRow = {
  path: "/v1/responses",
  events: (answer, model) => [
    typed({ type: "response.created", response: { id: "resp_fake", created_at: 0, model } }),
    ...responseItems(answer).flatMap(({ item, deltas }, index) => [
      typed({
        type: "response.output_item.added",
        output_index: index,
        item: {
          ...item,
          ...(item["type"] === "function_call" && { arguments: "", status: "in_progress" }),
          ...(item["type"] === "message" && { content: [] }),
        },
      }),
      ...deltas.map((delta) => typed({ ...delta, type: String(delta["type"]), output_index: index })),
      typed({ type: "response.output_item.done", output_index: index, item }),
    ]),
    typed({ type: answer.finish ? "response.incomplete" : "response.completed", response: responseEnd(answer) }),
  ],
  whole: (answer, model) => ({
    id: "resp_fake",
    object: "response",
    created_at: 0,
    model,
    output: responseItems(answer).map(({ item }) => item),
    ...responseEnd(answer),
  }),
  error: (message, status) => ({ error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", code: null, param: null } }),
  errorEvent: (message) => typed({ type: "error", sequence_number: 0, error: { type: "server_error", code: "server_error", message, param: null } }),
  end: "",
};

function responseItems({ thinking, text = "", toolCalls = [] }: FakeAnswer): readonly { readonly item: JsonObject; readonly deltas: readonly JsonObject[] }[] {
  return [
    ...(thinking === undefined ? [] : [{ item: { type: "reasoning", id: "rs_fake", summary: [], encrypted_content: `sealed:${thinking}` }, deltas: [] }]),
    ...(text === ""
      ? []
      : [
          {
            item: {
              type: "message",
              id: "item_text",
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
            },
            deltas: pieces(text).map((piece) => ({ type: "response.output_text.delta", item_id: "item_text", content_index: 0, delta: piece, logprobs: [] })),
          },
        ]),
    ...toolCalls.map((call, index) => ({
      item: {
        type: "function_call",
        id: `fc_${index}`,
        call_id: callId(call, "call_", index),
        name: call.name,
        arguments: inputText(call),
        status: "completed",
      },
      deltas: halves(inputText(call)).map((delta) => ({ type: "response.function_call_arguments.delta", item_id: `fc_${index}`, delta })),
    })),
  ];
}

function responseEnd(answer: FakeAnswer): JsonObject {
  const { input, output } = tokens(answer);
  return {
    incomplete_details: answer.finish ? { reason: { length: "max_output_tokens", refusal: "content_filter" }[answer.finish] } : null,
    usage: { input_tokens: input, input_tokens_details: { cached_tokens: 0 }, output_tokens: output, output_tokens_details: { reasoning_tokens: 0 } },
  };
}

/** The protocols that the fake server speaks. */
export const WIRES: readonly WireRow[] = [anthropic, chat, responses];
