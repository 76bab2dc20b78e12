/** The MCP servers that come with a project: programs it wants started, so each needs trust as its hooks do. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { plainValue, type DocEntry } from "../../lib/document/node.ts";
import { formatOf, parseDocument } from "../../lib/document/parse.ts";
import { isObject } from "../../lib/json.ts";
import type { Notice } from "../../model/notice.ts";
import { serverEntry, type TrustEntry } from "../../trust/entry.ts";
import { leftOutText } from "../../trust/standing.ts";
import { redirects } from "../../trust/tables.ts";
import type { Trust } from "../../trust/trust.ts";
import { readMcpServers, serverEntries, type McpConfiguration, type McpServerConfig } from "./config.ts";

const FILE = ".mcp.json";

/** Every server of the project's file, as an entry that needs trust. */
export async function projectServerEntries(root: string): Promise<readonly TrustEntry[]> {
  const path = join(root, FILE);
  return existsSync(path) ? entriesIn(readFileSync(path, "utf8"), { path, root }) : [];
}

async function entriesIn(text: string, { path, root }: { path: string; root: string }): Promise<readonly TrustEntry[]> {
  const document = await parseDocument(text, formatOf(path));
  if (document.kind === "broken") return [];
  return serverEntries(document.root, { path, notices: [] }).map((entry) => entryFor(entry, { path, root }));
}

function entryFor({ key, value, at }: DocEntry, { path, root }: { path: string; root: string }): TrustEntry {
  const written = plainValue(value);
  return serverEntry({ key, value: isObject(written) ? written : { written }, source: { file: path, ...at } }, { root });
}

/** The servers that may be started, and what was left out. The file is read once: what was judged is what is started. */
export async function projectServers({
  cwd,
  env,
  trust,
}: {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly trust: Trust;
}): Promise<McpConfiguration> {
  const path = join(cwd, FILE);
  if (!existsSync(path)) return { servers: [], notices: [] };
  const text = readFileSync(path, "utf8");
  const standings = trust.judge(await entriesIn(text, { path, root: cwd }));
  const left = [...standings].filter(([, { kind }]) => kind !== "trusted");
  const aboutLeft = left.map(([entry, standing]): Notice => ({
    kind: "not-trusted",
    message: leftOutText(entry.about, standing, "server"),
    ...entry.source,
  }));
  const dropped = new Set(left.map(([{ source }]) => placeOf(source)));
  const { servers, notices } = await readMcpServers([{ path, text }], env, ({ at }) => !dropped.has(placeOf(at)));
  const told: Notice[] = [...notices, ...aboutLeft];
  return { servers: servers.map((server) => withoutRedirections(server, path, told)), notices: told };
}

function placeOf(at: { readonly line: number; readonly column: number } | null): string {
  return `${at?.line}:${at?.column}`;
}

/** A project may not set variables that send programs somewhere else. */
function withoutRedirections(server: McpServerConfig, file: string, notices: Notice[]): McpServerConfig {
  if (server.kind !== "stdio") return server;
  const names = Object.keys(server.env).filter(redirects);
  if (names.length === 0) return server;
  const message = `${names.join(", ")} of MCP server ${server.name} left out: a project may not set variables that send programs somewhere else`;
  notices.push({ kind: "authority", message, file, line: 1, column: 1 });
  return { ...server, env: Object.fromEntries(Object.entries(server.env).filter(([name]) => !names.includes(name))) };
}
