import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Notice } from "../../../src/model/notice.ts";
import type { McpServerConfig } from "../../../src/session/mcp/config.ts";
import { McpServers } from "../../../src/session/mcp/servers.ts";
import type { ToolContext, ToolOutcome } from "../../../src/session/tools/tool.ts";
import { marked, marker, until } from "../../support/processes.ts";
import { writeFiles } from "../../support/temp.ts";
import { bench, fine, wrong, type Bench } from "../tools/context.ts";
import { MCP_PROGRAM, mcpEndpoint } from "./fixtures.ts";

interface Started extends Bench {
  readonly servers: McpServers;
  readonly notices: readonly Notice[];
  readonly later: readonly Notice[];
  readonly call: (name: string, input?: object, changes?: Partial<ToolContext>) => Promise<ToolOutcome>;
}

const NOTES: McpServerConfig = { kind: "stdio", name: "notes", command: process.execPath, args: ["mcp.mjs", "x"], env: { MCP_SECRET: "s3" } };

async function started(
  configs: readonly McpServerConfig[],
  { env = {}, ...limits }: { readonly env?: { readonly [name: string]: string }; readonly startMs?: number; readonly callMs?: number } = {},
): Promise<Started> {
  const made = bench();
  writeFiles(made.folder, { "mcp.mjs": MCP_PROGRAM });
  const servers = new McpServers();
  onTestFinished(async () => servers.close());
  const later: Notice[] = [];
  const notices = await servers.start(configs, {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    cwd: made.folder,
    ...limits,
    onNotice: (notice) => later.push(notice),
  });
  const call: Started["call"] = async (name, input = {}, changes = {}) => {
    const tool = servers.tools().find((each) => each.name === name) ?? servers.toolNamed(name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    return tool.run({ ...input }, made.context(changes));
  };
  return { ...made, servers, notices, later, call };
}

describe("[S2] [W8] a server as a program", () => {
  test("its tools are mcp__server__tool, with their schemas", async () => {
    const { servers, notices } = await started([NOTES]);
    expect(notices).toEqual([]);
    expect(servers.tools().map(({ name }) => name)).toEqual(["add", "boom", "rich", "slow", "die", "env", "structured"].map((name) => `mcp__notes__${name}`));
    const [add] = servers.tools();
    expect({ description: add?.description, inputSchema: add?.inputSchema, asksApprover: add?.asksApprover }).toEqual({
      description: "Does add",
      inputSchema: { type: "object", properties: { a: { type: "number" } } },
      asksApprover: false,
    });
  });

  test("answers: text, errors, what is no text, structured content, its environment and folder", async () => {
    const { call, folder } = await started([NOTES]);
    expect(await call("mcp__notes__add", { a: 2, b: 40 })).toEqual(fine("sum=42"));
    expect(await call("mcp__notes__boom")).toEqual(wrong("boom went off"));
    expect(await call("mcp__notes__rich")).toEqual(fine("see\n(image, image/png, 3 bytes)\n(resource file:///x)\ninside\n(resource file:///y: why)"));
    expect(await call("mcp__notes__structured")).toEqual(fine('{"x":1}'));
    expect(await call("mcp__notes__env")).toEqual(fine(`s3|${folder}|x`));
  });

  test("[S6] a cancelled call rejects and is cancelled at the server too", async () => {
    const { call, folder } = await started([NOTES]);
    const stop = new AbortController();
    const running = call("mcp__notes__slow", {}, { signal: stop.signal });
    expect(await until(() => existsSync(join(folder, "slow.log")))).toBe(true);
    stop.abort();
    await expect(running).rejects.toThrow();
    expect(await until(() => existsSync(join(folder, "cancelled.log")))).toBe(true);
    expect(readFileSync(join(folder, "cancelled.log"), "utf8")).toMatch(/^\d+\n$/);
    expect(await call("mcp__notes__add", { a: 1, b: 1 })).toEqual(fine("sum=2"));
  });

  test("one that dies is a notice, and its tools say so", async () => {
    const { call, later } = await started([NOTES]);
    const gone = "MCP server notes is no longer there: it ended with exit code 7: so long";
    expect(await call("mcp__notes__die")).toEqual(wrong(gone));
    expect(await call("mcp__notes__add", { a: 1, b: 1 })).toEqual(wrong(gone));
    expect(later).toEqual([{ kind: "fault", message: gone }]);
  });

  test("close ends it with everything it started, and is no notice", async () => {
    const mark = marker();
    const { servers, later } = await started([NOTES], { env: { [mark.name]: mark.value, MCP_CHILD: "1" } });
    expect(await until(() => marked(mark).length === 2)).toBe(true);
    await servers.close();
    expect(await until(() => marked(mark).length === 0)).toBe(true);
    expect(later).toEqual([]);
  });
});

test("[F3] one bad server never disables the others", async () => {
  const { call, notices, servers } = await started([
    { kind: "stdio", name: "absent", command: "no-such-program", args: [], env: {} },
    { kind: "stdio", name: "broken", command: process.execPath, args: ["-e", "console.error('no good'); process.exit(3)"], env: {} },
    { kind: "http", name: "closed", url: "http://127.0.0.1:9/mcp", headers: {} },
    NOTES,
  ]);
  expect(notices.map(({ message }) => message)).toEqual([
    "MCP server absent was not started: no-such-program could not be started: spawn no-such-program ENOENT",
    "MCP server broken was not started: it ended with exit code 3: no good",
    expect.stringMatching(/^MCP server closed was not started: /),
  ]);
  expect(await call("mcp__notes__add", { a: 1, b: 2 })).toEqual(fine("sum=3"));
  expect(await call("mcp__broken__anything")).toEqual(wrong("MCP server broken was not started: it ended with exit code 3: no good"));
  expect(servers.toolNamed("mcp__other__x")).toBeUndefined();
});

test("[F1] a server that is not ready in time is given up, and ended", async () => {
  const mark = marker();
  const { notices } = await started([{ kind: "stdio", name: "mute", command: "sleep", args: ["300"], env: {} }], {
    env: { [mark.name]: mark.value },
    startMs: 300,
  });
  expect(notices).toEqual([{ kind: "fault", message: "MCP server mute was not started: it was not ready after 300 ms" }]);
  expect(await until(() => marked(mark).length === 0)).toBe(true);
});

test("[F1] a call that takes too long is an error, and the server stays", async () => {
  const { call } = await started([NOTES], { callMs: 200 });
  expect((await call("mcp__notes__slow")).output).toMatch(/^MCP server notes could not answer: .*timed out/i);
  expect(await call("mcp__notes__add", { a: 1, b: 2 })).toEqual(fine("sum=3"));
});

describe("[S2] a server over HTTP", () => {
  test("sends its headers, answers, and is told goodbye", async () => {
    const { url, methods } = await mcpEndpoint();
    const { call, servers, notices } = await started([{ kind: "http", name: "web", url, headers: { Authorization: "Bearer t0ken" } }]);
    expect(notices).toEqual([]);
    expect(await call("mcp__web__echo", { word: "hi" })).toEqual(fine("echo hi"));
    await servers.close();
    expect(methods.at(-1)).toBe("DELETE");
  });

  test("one that refuses is a notice", async () => {
    const { url } = await mcpEndpoint();
    const { notices } = await started([{ kind: "http", name: "web", url, headers: {} }]);
    expect(notices.map(({ message }) => message)).toEqual([expect.stringContaining("MCP server web was not started: ")]);
  });
});
