/** Real MCP servers for tests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server as a program, in the style of the stories, with a few bad manners on demand. */
export const MCP_PROGRAM = `
import { createInterface } from "node:readline";
import { appendFileSync } from "node:fs";
import { spawn } from "node:child_process";
const text = (value, more = {}) => ({ content: [{ type: "text", text: value }], ...more });
const tools = ["add", "boom", "rich", "slow", "die", "env", "structured"].map((name) => ({ name, description: "Does " + name, inputSchema: { type: "object", properties: { a: { type: "number" } } } }));
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
if (process.env.MCP_CHILD) spawn("sleep", ["300"], { stdio: "inherit" });
console.log("a line that is no message");
const calls = {
  add: ({ a, b }) => text("sum=" + (a + b)),
  boom: () => text("boom went off", { isError: true }),
  rich: () => ({ content: [{ type: "text", text: "see" }, { type: "image", mimeType: "image/png", data: "AAAA" }, { type: "resource", resource: { uri: "file:///x", text: "inside" } }, { type: "resource_link", uri: "file:///y", name: "why" }] }),
  env: () => text([process.env.MCP_SECRET, process.cwd(), process.argv.slice(2).join(",")].join("|")),
  structured: () => ({ content: [], structuredContent: { x: 1 } }),
};
for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const { id, method, params } = JSON.parse(line);
  if (method === "notifications/cancelled") appendFileSync("cancelled.log", params.requestId + "\\n");
  if (id === undefined) continue;
  if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1.0.0" } } });
  else if (method === "ping") send({ id, result: {} });
  else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call" && params.name === "die") { console.error("so long"); process.exit(7); }
  else if (method === "tools/call" && params.name === "slow") appendFileSync("slow.log", "started\\n");
  else if (method === "tools/call" && calls[params.name]) send({ id, result: calls[params.name](params.arguments) });
  else send({ id, error: { code: -32601, message: "unknown method " + method } });
}
`;

/** A streamable HTTP server on loopback that wants a header. */
export async function mcpEndpoint(): Promise<{ readonly url: string; readonly methods: readonly string[] }> {
  const methods: string[] = [];
  const server = createServer((request, response) => void answer(request, response, methods));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  const address: AddressInfo | string | null = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/mcp`, methods };
}

async function answer(request: IncomingMessage, response: ServerResponse, methods: string[]): Promise<void> {
  methods.push(request.method ?? "");
  if (request.headers["authorization"] !== "Bearer t0ken") return void response.writeHead(403).end();
  if (request.method !== "POST") return void response.writeHead(request.method === "DELETE" ? 200 : 405).end();
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { id, method, params }: { id?: number; method: string; params: { protocolVersion?: string; arguments?: { word?: string } } } = JSON.parse(body);
  methods.push(method);
  if (id === undefined) return void response.writeHead(202).end();
  const results: { readonly [method: string]: object } = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "web", version: "1" } },
    "tools/list": { tools: [{ name: "echo", description: "Says it again", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: `echo ${params?.arguments?.word}` }] },
  };
  response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s1" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
}
