/** How servers are spoken to: one row for each package of the AI SDK. Loaded when the first call is made. */
import type { LanguageModel, streamText } from "ai";

type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>;

/** Where a provider's server is and how it is reached. */
export interface Server {
  readonly baseURL: string;
  /** Undefined: the server wants none. */
  readonly apiKey: string | undefined;
}

/** How a protocol of the AI SDK is loaded. */
export interface ProtocolRow {
  readonly load: (name: string, server: Server) => Promise<LanguageModel>;
  readonly options: ProviderOptions;
  /** Whether what a model thought has to be sent back to it with its tool calls. */
  readonly thoughts: "sent-back" | "dropped";
  /** `stated`: input and the greatest output must fit into the window together, so the output is limited. */
  readonly outputLimit: "stated" | "left-to-server";
}

/** The protocols, by name. */
export const PROTOCOLS = {
  anthropic: {
    load: async (name, { baseURL, apiKey = "" }) => (await import("@ai-sdk/anthropic")).createAnthropic({ baseURL, apiKey, fetch: fetchHere })(name),
    options: { anthropic: { cacheControl: { type: "ephemeral" } } },
    thoughts: "sent-back",
    outputLimit: "stated",
  },
  responses: {
    load: async (name, { baseURL, apiKey = "" }) => (await import("@ai-sdk/openai")).createOpenAI({ baseURL, apiKey, fetch: fetchHere }).responses(name),
    // Nothing is kept at the provider: the conversation is ours.
    options: { openai: { store: false } },
    thoughts: "sent-back",
    outputLimit: "left-to-server",
  },
  chat: {
    load: async (name, { baseURL, apiKey }) => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ name: "compatible", baseURL, ...(apiKey !== undefined && { apiKey }), includeUsage: true, fetch: fetchHere })(name);
    },
    options: {},
    thoughts: "dropped",
    outputLimit: "left-to-server",
  },
} as const satisfies { readonly [id: string]: ProtocolRow };

export type ProtocolId = keyof typeof PROTOCOLS;

/** A redirect would carry the key to another server. */
const fetchHere: typeof fetch = async (input, init) => fetch(input, { ...init, redirect: "manual" });
