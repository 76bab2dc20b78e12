/** MCP servers as settings files name them: the `mcpServers` object that all agents share. */
import { entryOf, kindOf, type DocEntry, type DocNode } from "../../lib/document/node.ts";
import { formatOf, parseDocument } from "../../lib/document/parse.ts";
import type { Notice } from "../../model/notice.ts";
import { Reader } from "./reader.ts";

/** A server that is a program of its own. */
export interface McpProgram {
  readonly kind: "stdio";
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd?: string;
}

/** A server somewhere else. */
export interface McpEndpoint {
  readonly kind: "http" | "sse";
  readonly name: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
}

/** One configured server. */
export type McpServerConfig = McpProgram | McpEndpoint;

/** The servers that can be started, and what was wrong with the rest. */
export interface McpConfiguration {
  readonly servers: readonly McpServerConfig[];
  readonly notices: readonly Notice[];
}

interface Env {
  readonly [name: string]: string;
}

/** Reads servers from files, a later file counting above an earlier one; a wrong entry is a notice and never costs its neighbours. */
export async function readMcpServers(
  files: readonly { readonly path: string; readonly text: string }[],
  env: Env,
  admits: (entry: DocEntry) => boolean = () => true,
): Promise<McpConfiguration> {
  const servers = new Map<string, McpServerConfig>();
  const notices: Notice[] = [];
  for (const { path, text } of files) {
    const document = await parseDocument(text, formatOf(path));
    if (document.kind === "broken") {
      notices.push({ kind: "unreadable-file", message: `${document.message}; no MCP server of this file is started`, file: path, ...document.at });
      continue;
    }
    for (const entry of serverEntries(document.root, { path, notices }).filter(admits)) {
      const reader = new Reader({ file: path, env, notices });
      const server = readServer(entry, reader);
      if (!server || reader.failed) continue;
      const before = servers.get(server.name);
      if (before) reader.tell("duplicate-key", `MCP server ${entry.key} is configured before, and this one counts`, entry.at);
      servers.set(server.name, server);
    }
  }
  return { servers: [...servers.values()], notices };
}

/** The servers that a file names, each as it is written. */
export function serverEntries(root: DocNode, { path, notices }: { readonly path: string; readonly notices: Notice[] }): readonly DocEntry[] {
  const servers = entryOf(root, "mcpServers")?.value;
  if (!servers || servers.kind === "object") return servers?.entries ?? [];
  notices.push({ kind: "wrong-type", message: `mcpServers is ${kindOf(servers)}, not an object of servers`, file: path, ...servers.at });
  return [];
}

/** The words for kinds of servers. */
const KINDS: { readonly [word: string]: McpServerConfig["kind"] } = {
  stdio: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  sse: "sse",
};

function readServer({ key, at, value }: DocEntry, reader: Reader): McpServerConfig | undefined {
  const name = serverName(key);
  if (value.kind !== "object") return reader.fail("wrong-type", `MCP server ${key} is ${kindOf(value)}, not an object`, value.at);
  if (name === "") return reader.fail("wrong-type", "an MCP server needs a name of letters and digits", at);
  if (reader.flag(value, "disabled") === true) return reader.drop("disabled", `MCP server ${key} is disabled`, at);
  const word = reader.text(value, "type") ?? (entryOf(value, "url") ? "http" : "stdio");
  const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined;
  if (kind === undefined) return reader.fail("wrong-type", `type of MCP server ${key} is not one of stdio, http, sse`, entryOf(value, "type")?.at ?? at);
  return kind === "stdio" ? readProgram(name, value, reader) : readEndpoint({ name, kind }, value, reader);
}

function readProgram(name: string, value: DocNode, reader: Reader): McpProgram | undefined {
  const command = reader.text(value, "command");
  const cwd = reader.text(value, "cwd");
  if (command === undefined || command === "") return reader.fail("missing-key", `MCP server ${name} has no command`, value.at);
  return { kind: "stdio", name, command, args: reader.texts(value, "args"), env: reader.record(value, "env"), ...(cwd !== undefined && { cwd }) };
}

function readEndpoint({ name, kind }: { name: string; kind: McpEndpoint["kind"] }, value: DocNode, reader: Reader): McpEndpoint | undefined {
  const url = reader.text(value, "url");
  if (url === undefined) return reader.fail("missing-key", `MCP server ${name} has no url`, value.at);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    return reader.fail("wrong-type", `url of MCP server ${name} is not an http or https URL`, entryOf(value, "url")?.value.at ?? value.at);
  return { kind, name, url, headers: reader.record(value, "headers") };
}

/** A name that can stand between the `__` of a tool's name, so that no server can pass for another one in a rule. */
export function serverName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/__+/g, "_")
    .replace(/^_+|_+$/g, "");
}
