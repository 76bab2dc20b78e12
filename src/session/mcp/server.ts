/** One MCP server, from its start to its end. */
import type { Client, Transport } from "@modelcontextprotocol/client";
import { messageOf } from "../../lib/errors.ts";
import { isObject, type JsonObject } from "../../lib/json.ts";
import { settlesWithin } from "../../lib/time.ts";
import { toolError, type Tool, type ToolContext, type ToolOutcome } from "../tools/tool.ts";
import type { McpServerConfig } from "./config.ts";
import { outcomeOf } from "./content.ts";
import { ProgramTransport } from "./program-transport.ts";

/** How long a server may take to be ready. */
export const MCP_START_MS = 10_000;
/** How long a call may take without a sign of life. */
export const MCP_CALL_MS = 60_000;
/** How long a call may take in all. */
export const MCP_LONGEST_CALL_MS = 600_000;
const FAREWELL_MS = 1_000;

/** What a server needs of the session. */
export interface McpPlace {
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  readonly signal?: AbortSignal;
  readonly startMs?: number;
  readonly callMs?: number;
}

/** A connected server. */
export class McpServer {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly #client: Client;
  readonly #farewell: () => Promise<unknown>;
  readonly #endText: () => string | undefined;
  readonly #callMs: number;
  #open = true;

  private constructor(name: string, { connection, offers, callMs, onEnd }: Started) {
    this.name = name;
    this.#callMs = callMs;
    this.#client = connection.client;
    this.#farewell = connection.farewell;
    this.#endText = connection.endText;
    this.tools = offers.map((offer) => this.#tool(offer));
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client of the SDK is no event target
    connection.client.onclose = () => {
      if (this.#open) onEnd(this.#gone());
      this.#open = false;
    };
  }

  /** Starts the server and asks for its tools; rejects in words for a user. */
  static async start(config: McpServerConfig, place: McpPlace, onEnd: (message: string) => void): Promise<McpServer> {
    const connection = await connect(config, place);
    const startMs = place.startMs ?? MCP_START_MS;
    const deadline = AbortSignal.timeout(startMs);
    const signal = place.signal ? AbortSignal.any([place.signal, deadline]) : deadline;
    try {
      await raced(connection.client.connect(connection.transport, { timeout: startMs, signal }), signal);
      const { tools } = await raced(connection.client.listTools(undefined, { timeout: startMs, signal }), signal);
      const offers = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: isObject(inputSchema) ? inputSchema : {} }));
      return new McpServer(config.name, { connection, offers, callMs: place.callMs ?? MCP_CALL_MS, onEnd });
    } catch (error) {
      const reason = deadline.aborted ? `it was not ready after ${startMs} ms` : (connection.endText() ?? messageOf(error));
      await connection.transport.close().catch(() => {});
      throw new Error(reason, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#open = false;
    await settlesWithin(this.#farewell(), FAREWELL_MS);
    await this.#client.close().catch(() => {});
  }

  #gone(): string {
    return `MCP server ${this.name} is no longer there${this.#endText() === undefined ? "" : `: ${this.#endText()}`}`;
  }

  #tool({ name, description, inputSchema }: Offer): Tool {
    return {
      name: toolName({ server: this.name, tool: name }),
      description: description ?? "",
      inputSchema,
      asksApprover: false,
      run: async (input, context) => this.#call(name, input, context),
    };
  }

  async #call(name: string, input: JsonObject, { signal, onProgress }: ToolContext): Promise<ToolOutcome> {
    if (!this.#open) return toolError(this.#gone());
    try {
      const answer = await this.#client.callTool(
        { name, arguments: { ...input } },
        {
          signal,
          timeout: this.#callMs,
          resetTimeoutOnProgress: true,
          maxTotalTimeout: MCP_LONGEST_CALL_MS,
          onprogress: ({ message, progress, total }) => onProgress?.(message ?? `${progress}${total === undefined ? "" : ` of ${total}`}`),
        },
      );
      return outcomeOf({ ...answer });
    } catch (error) {
      signal.throwIfAborted();
      return toolError(this.#open ? `MCP server ${this.name} could not answer: ${messageOf(error)}` : this.#gone());
    }
  }
}

interface Started {
  readonly connection: Connection;
  readonly offers: readonly Offer[];
  readonly callMs: number;
  readonly onEnd: (message: string) => void;
}

interface Offer {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: JsonObject;
}

interface Connection {
  readonly client: Client;
  readonly transport: Transport;
  readonly endText: () => string | undefined;
  /** What politeness asks for before the connection is closed. */
  readonly farewell: () => Promise<unknown>;
}

/** The name under which a model and a rule know a server's tool. */
export function toolName({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `mcp__${server}__${tool.replace(/[^A-Za-z0-9_-]/g, "_")}`;
}

/** The SDK is loaded only now: most sessions have no server. */
async function connect(config: McpServerConfig, place: McpPlace): Promise<Connection> {
  const sdk = await import("@modelcontextprotocol/client");
  const client = new sdk.Client({ name: "snaphook", version: "1" }, { capabilities: {} });
  switch (config.kind) {
    case "stdio": {
      const transport = new ProgramTransport(sdk, config, place);
      return { client, transport, endText: () => transport.end, farewell: async () => {} };
    }
    case "http": {
      const transport = new sdk.StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers: { ...config.headers } } });
      return { client, transport, endText: () => undefined, farewell: async () => transport.terminateSession().catch(() => {}) };
    }
    case "sse": {
      const transport = new sdk.SSEClientTransport(new URL(config.url), { requestInit: { headers: { ...config.headers } } });
      return { client, transport, endText: () => undefined, farewell: async () => {} };
    }
  }
}

/** Rejects when the signal says so, even where the work does not listen to it. */
async function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(new Error("it took too long or was cancelled"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    stop = () => signal.removeEventListener("abort", abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop();
    work.catch(() => {});
  }
}
