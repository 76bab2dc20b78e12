/** Models of providers, called one step at a time through the AI SDK, which is loaded with the first call. */
import type { LanguageModel } from "ai";
import { SnaphookError } from "../../model/errors.ts";
import { Thoughts, toInput, toModelMessages, toToolSet } from "./convert.ts";
import { BrokenStream, failureOf, Silence, type Callee } from "./failure.ts";
import { ModelError, type Model, type ModelRequest, type ModelResponse, type Usage } from "./model.ts";
import type { ToolUse } from "../messages.ts";
import { PROTOCOLS, type ProtocolId, type ProtocolRow } from "./protocols.ts";
import { PROVIDERS, windowOf, type ProviderId, type ProviderRow } from "./providers.ts";
import { withRetries, type Sleep, type Waiting } from "./retry.ts";

/** What a provider's model is made from. */
export interface ProviderModelOptions {
  readonly provider: ProviderId;
  readonly name: string;
  /** Where the key stands. */
  readonly env: { readonly [name: string]: string | undefined };
  /** A server other than the provider's own. */
  readonly baseURL?: string | undefined;
  /** How that server is spoken to, if not as its row says. */
  readonly protocol?: ProtocolId | undefined;
  readonly contextWindow?: number | undefined;
  /** How long a server may say nothing. */
  readonly idleMs?: number | undefined;
  readonly sleep?: Sleep | undefined;
  readonly date?: (() => Date) | undefined;
  readonly onWait?: ((waiting: Waiting) => void) | undefined;
}

/** A model of a provider. A missing key is told now, everything else with the call that fails. */
export function providerModel({
  provider,
  name,
  env,
  baseURL,
  protocol,
  contextWindow,
  idleMs = IDLE_MS,
  sleep,
  date = () => new Date(),
  onWait,
}: ProviderModelOptions): Model {
  const row: ProviderRow = PROVIDERS[provider];
  const apiKey = env[row.key]?.trim() || undefined;
  if (row.needsKey && apiKey === undefined) throw new SnaphookError("SNAP_USAGE", { message: `model ${provider}:${name} needs a key: set ${row.key}.` });
  const address = baseURL ?? row.defaultBaseURL;
  if (address === null) throw new SnaphookError("SNAP_USAGE", { message: `model ${provider}:${name} needs a server: set ${row.baseURL.join(" or ")}.` });
  const own = address === row.defaultBaseURL;
  const speech: ProtocolRow = PROTOCOLS[protocol ?? (own ? row.protocol : row.elsewhere)];
  const callee: Callee = {
    title: own && row.needsKey ? row.title : `${row.title} at ${new URL(address).host}`,
    model: name,
    keyVariable: row.key,
    apiKey,
    addressVariable: row.baseURL[0] ?? "its address",
    date,
  };
  const tokens = contextWindow ?? windowOf(row, name);
  const thoughts = new Thoughts();
  let language: Promise<LanguageModel> | undefined;
  const load = async (): Promise<LanguageModel> => speech.load(name, { baseURL: address, apiKey });

  const model: Model = {
    id: `${provider}:${name}`,
    contextWindow: tokens,
    call: async (request) => {
      request.signal.throwIfAborted();
      let shown = false;
      const onText = (delta: string): void => {
        shown ||= request.onText !== undefined;
        request.onText?.(delta);
      };
      return withRetries(async () => callOnce({ ...request, onText }, { model: await (language ??= load()), speech, thoughts, tokens, idleMs }), {
        signal: request.signal,
        failureOf: (error) => failureOf(error, callee),
        mayRetry: () => !shown,
        sleep,
        onWait,
      });
    },
    forAgent: () => model,
  };
  return model;
}

/** Ten minutes: a model that thinks for long sends signs of life that are not passed on. */
const IDLE_MS = 600_000;
/** Below the part of the window that compaction leaves free. */
const OUTPUT_SHARE = 0.16;
const LIMIT_OUTPUT_TOKENS = 32_000;

interface CallParts {
  readonly model: LanguageModel;
  readonly speech: ProtocolRow;
  readonly thoughts: Thoughts;
  readonly tokens: number;
  readonly idleMs: number;
}

async function callOnce(request: ModelRequest, { model, speech, thoughts, tokens, idleMs }: CallParts): Promise<ModelResponse> {
  const sdk = await loadSdk();
  request.signal.throwIfAborted();
  const ends = new AbortController();
  const cancel = (): void => ends.abort(request.signal.reason);
  request.signal.addEventListener("abort", cancel, { once: true });
  let silent: NodeJS.Timeout | undefined;
  const heard = (): void => {
    clearTimeout(silent);
    silent = setTimeout(() => ends.abort(new Silence(`nothing came for ${idleMs / 1_000} s`)), idleMs);
  };
  try {
    heard();
    const result = sdk.streamText({
      model,
      ...(request.system !== "" && { system: request.system }),
      messages: toModelMessages(request.messages, thoughts),
      tools: toToolSet(request.tools, sdk),
      abortSignal: ends.signal,
      maxRetries: 0,
      providerOptions: speech.options,
      ...(speech.outputLimit === "stated" && { maxOutputTokens: Math.min(LIMIT_OUTPUT_TOKENS, Math.floor(tokens * OUTPUT_SHARE)) }),
      // The error comes as a part of the stream; the default prints it.
      onError: () => {},
    });
    const response = await collect(result.fullStream, { onText: request.onText, heard, signal: ends.signal });
    if (speech.thoughts === "sent-back") thoughts.keep((await result.response).messages);
    return response;
  } catch (error) {
    // Whatever the SDK makes of an abort, its reason is what happened.
    ends.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(silent);
    request.signal.removeEventListener("abort", cancel);
    // Whatever is left of the stream is not waited for.
    ends.abort();
  }
}

type FullStream = ReturnType<typeof import("ai").streamText>["fullStream"];

async function collect(
  stream: FullStream,
  { onText, heard, signal }: { onText: ModelRequest["onText"]; heard: () => void; signal: AbortSignal },
): Promise<ModelResponse> {
  let text = "";
  const toolCalls: ToolUse[] = [];
  let ending: { readonly reason: string; readonly usage: Usage } | undefined;
  for await (const part of stream) {
    heard();
    if (part.type === "text-delta" && part.text !== "") {
      text += part.text;
      onText?.(part.text);
    }
    if (part.type === "tool-call") toolCalls.push({ id: part.toolCallId, name: part.toolName, input: toInput(part.input) });
    if (part.type === "error") throw part.error;
    if (part.type === "abort") signal.throwIfAborted();
    if (part.type === "finish-step") {
      // Without the provider's own word for the end, the connection ended before the answer did.
      if (part.rawFinishReason === undefined && part.finishReason === "other") throw new BrokenStream();
      ending = { reason: part.finishReason, usage: { input: part.usage.inputTokens ?? 0, output: part.usage.outputTokens ?? 0 } };
    }
  }
  signal.throwIfAborted();
  if (!ending) throw new BrokenStream();
  if (text === "" && toolCalls.length === 0) refuseEmpty(ending.reason);
  return { text, toolCalls, usage: ending.usage };
}

/** An answer of nothing is fine, unless it was kept from us. */
function refuseEmpty(reason: string): void {
  if (reason === "content-filter") throw new ModelError("the provider refused to answer: say it in another way, or use another model.");
  if (reason === "length") throw new ModelError("the answer was cut before its first word: the window is full, clear it with /clear.");
}

async function loadSdk(): Promise<typeof import("ai")> {
  // It would print to the terminal; whoever embeds us may have decided otherwise.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  return import("ai");
}
