/** All MCP servers of a session. */
import { messageOf } from "../../lib/errors.ts";
import type { Notice } from "../../model/notice.ts";
import { toolError, type Tool } from "../tools/tool.ts";
import type { McpServerConfig } from "./config.ts";
import { McpServer, toolName, type McpPlace } from "./server.ts";

/** Where and for whom servers are started. */
export interface McpStart extends McpPlace {
  /** Told when a server ends before the session does. */
  readonly onNotice?: (notice: Notice) => void;
}

/** The servers that a session has started; they end with it. */
export class McpServers {
  readonly #servers: McpServer[] = [];
  readonly #failed = new Map<string, string>();

  /** Starts all of them side by side; those that can't be are notices. */
  async start(configs: readonly McpServerConfig[], { onNotice, ...place }: McpStart): Promise<readonly Notice[]> {
    const onEnd = (message: string): void => onNotice?.({ kind: "fault", message });
    const started = await Promise.allSettled(configs.map(async (config) => McpServer.start(config, place, onEnd)));
    const notices: Notice[] = [];
    for (const [index, result] of started.entries()) {
      if (result.status === "fulfilled") this.#servers.push(result.value);
      else notices.push(this.#failure(configs[index]?.name ?? "", messageOf(result.reason)));
    }
    return [...notices, ...this.#doubles()];
  }

  /** The tools of all servers; of two with one name the first. */
  tools(): readonly Tool[] {
    return [
      ...new Map(
        this.#all()
          .toReversed()
          .map((tool) => [tool.name, tool]),
      ).values(),
    ].toReversed();
  }

  /** Answers a call of a tool whose server could not be started. */
  toolNamed(name: string): Tool | undefined {
    const message = [...this.#failed].find(([server]) => name.startsWith(toolName({ server, tool: "" })))?.[1];
    return message === undefined
      ? undefined
      : { name, description: message, inputSchema: { type: "object" }, asksApprover: false, run: async () => toolError(message) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map(async (server) => server.close()));
  }

  #failure(name: string, reason: string): Notice {
    const message = `MCP server ${name} was not started: ${reason}`;
    this.#failed.set(name, message);
    return { kind: "fault", message };
  }

  #all(): readonly Tool[] {
    return this.#servers.flatMap((server) => server.tools);
  }

  #doubles(): readonly Notice[] {
    const names = this.#all().map((tool) => tool.name);
    const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    return [...twice].map((name) => ({ kind: "fault", message: `two MCP tools are called ${name}; only the first can be used` }));
  }
}
