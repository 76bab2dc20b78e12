/** The providers of models: one row each. */
import type { ProtocolId } from "./protocols.ts";

/** What a variable with a server's address holds: the address of the API, the server that has it under `/v1`, or Ollama's `host:port`. */
type Address = "api" | "server" | "host";

/** One provider: its keys, addresses and defaults. */
export interface ProviderRow {
  readonly title: string;
  /** How the provider's own server is spoken to. */
  readonly protocol: ProtocolId;
  /** How a server is spoken to that the user named instead. */
  readonly elsewhere: ProtocolId;
  /** The variable that holds the key. */
  readonly key: string;
  readonly needsKey: boolean;
  /** Variables that may hold the server's address: the first one set counts. */
  readonly baseURL: readonly string[];
  readonly address: Address;
  /** Null: the user has to name a server. */
  readonly defaultBaseURL: string | null;
  /** Null: the user has to name a model. */
  readonly defaultModel: string | null;
  /** Tokens of a call by the beginning of the model's name: the first that fits counts. */
  readonly windows: readonly (readonly [prefix: string, tokens: number])[];
}

/** Nobody can know what a server of one's own was started with; too small a window only compacts early. */
const OWN_SERVER_WINDOWS = [["", 32_768]] as const;

// prettier-ignore
/** The providers that `--model` may name. */
export const PROVIDERS = {
  anthropic: {
    title: "Anthropic", protocol: "anthropic", elsewhere: "anthropic", key: "ANTHROPIC_API_KEY", needsKey: true,
    baseURL: ["ANTHROPIC_BASE_URL"], address: "server", defaultBaseURL: "https://api.anthropic.com/v1", defaultModel: "claude-sonnet-5-5",
    windows: [["claude-sonnet-5", 1_000_000], ["claude-opus-5", 1_000_000], ["claude-fable-5", 1_000_000], ["", 200_000]],
  },
  openai: {
    // Servers that others run behind OPENAI_BASE_URL have chat completions; OpenAI's newer models take tools in responses only.
    title: "OpenAI", protocol: "responses", elsewhere: "chat", key: "OPENAI_API_KEY", needsKey: true,
    baseURL: ["OPENAI_BASE_URL"], address: "api", defaultBaseURL: "https://api.openai.com/v1", defaultModel: "gpt-5.6",
    // Input tokens: the 400,000 that are announced for gpt-5 count its output too.
    windows: [["gpt-4.1", 1_000_000], ["gpt-4o", 128_000], ["gpt-4-turbo", 128_000], ["gpt-4", 8_192], ["gpt-3.5", 16_385], ["o", 200_000], ["gpt-", 272_000], ["", 128_000]],
  },
  ollama: {
    title: "Ollama", protocol: "chat", elsewhere: "chat", key: "OLLAMA_API_KEY", needsKey: false,
    baseURL: ["OLLAMA_HOST"], address: "host", defaultBaseURL: "http://127.0.0.1:11434/v1", defaultModel: null, windows: OWN_SERVER_WINDOWS,
  },
  vllm: {
    title: "vLLM", protocol: "chat", elsewhere: "chat", key: "VLLM_API_KEY", needsKey: false,
    baseURL: ["VLLM_BASE_URL"], address: "server", defaultBaseURL: "http://127.0.0.1:8000/v1", defaultModel: null, windows: OWN_SERVER_WINDOWS,
  },
  compatible: {
    title: "the server", protocol: "chat", elsewhere: "chat", key: "OPENAI_API_KEY", needsKey: false,
    baseURL: ["SNAPHOOK_BASE_URL", "OPENAI_BASE_URL"], address: "api", defaultBaseURL: null, defaultModel: null, windows: OWN_SERVER_WINDOWS,
  },
} as const satisfies { readonly [id: string]: ProviderRow };

export type ProviderId = keyof typeof PROVIDERS;

/** Tokens that fit into one call of a model. */
export function windowOf({ windows }: ProviderRow, name: string): number {
  return windows.find(([prefix]) => name.startsWith(prefix))?.[1] ?? OWN_SERVER_WINDOWS[0][1];
}

const OLLAMA_PORT = "11434";

/** The address of the API, from what a variable holds. Undefined: it is no address. */
export function apiAddress(written: string, address: Address): string | undefined {
  const text = address === "host" && !written.includes("://") ? `http://${written}` : written;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  if (address === "host") {
    if (url.port === "" && url.protocol === "http:") url.port = OLLAMA_PORT;
    // Ollama's server listens there; a client can't go there everywhere.
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  }
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = address === "api" || /\/v\d+$/.test(path) ? path : `${path}/v1`;
  return url.href.replace(/\/+$/, "");
}
