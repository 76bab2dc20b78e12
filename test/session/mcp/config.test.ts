import { describe, expect, test } from "vitest";
import { readMcpServers } from "../../../src/session/mcp/config.ts";

const ENV = { HOME: "/home/u", TOKEN: "t0ken", EMPTY: "" };

async function read(servers: object) {
  return readMcpServers([{ path: "/p/.mcp.json", text: JSON.stringify({ mcpServers: servers }, null, 2) }], ENV);
}

test("[W8] programs and endpoints, with variables expanded", async () => {
  const { servers, notices } = await read({
    notes: { command: "node", args: ["${HOME}/mcp.mjs", "${PORT:-80}", "$HOME"], env: { KEY: "${TOKEN}", E: "${EMPTY:-x}" }, cwd: "sub" },
    web: { type: "http", url: "https://x.example/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
    plain: { url: "http://x.example/" },
    old: { type: "sse", url: "https://x.example/sse" },
  });
  expect(notices).toEqual([]);
  expect(servers).toEqual([
    { kind: "stdio", name: "notes", command: "node", args: ["/home/u/mcp.mjs", "80", "$HOME"], env: { KEY: "t0ken", E: "x" }, cwd: "sub" },
    { kind: "http", name: "web", url: "https://x.example/mcp", headers: { Authorization: "Bearer t0ken" } },
    { kind: "http", name: "plain", url: "http://x.example/", headers: {} },
    { kind: "sse", name: "old", url: "https://x.example/sse", headers: {} },
  ]);
});

describe("[F3] a wrong entry is reported with its place and costs no neighbour", () => {
  test.each([
    ["text", "wrong-type", "MCP server bad is text, not an object; it is not started", 3, 12],
    [{}, "missing-key", "MCP server bad has no command; it is not started", 3, 12],
    [{ command: 3 }, "wrong-type", "command is a number, not text; it is not started", 4, 18],
    [{ command: "x", args: "y" }, "wrong-type", "args is text, not a list of texts; it is not started", 5, 15],
    [{ command: "x", env: { A: 1 } }, "wrong-type", "env.A is a number, not text; it is not started", 6, 14],
    [{ command: "${NOPE}" }, "missing-key", "command needs the variable NOPE, which is not set; it is not started", 4, 18],
    [{ type: "pigeon" }, "wrong-type", "type of MCP server bad is not one of stdio, http, sse; it is not started", 4, 7],
    [{ type: "http" }, "missing-key", "MCP server bad has no url; it is not started", 3, 12],
    [{ url: "ftp://x" }, "wrong-type", "url of MCP server bad is not an http or https URL; it is not started", 4, 14],
    [{ command: "x", disabled: true }, "disabled", "MCP server bad is disabled", 3, 5],
  ])("%j", async (bad, kind, message, line, column) => {
    const { servers, notices } = await read({ bad, good: { command: "x" } });
    expect(servers.map(({ name }) => name)).toEqual(["good"]);
    expect(notices[0]).toEqual({ kind, message, file: "/p/.mcp.json", line, column });
  });

  test("a broken file, and mcpServers that is no object", async () => {
    const { servers, notices } = await readMcpServers(
      [
        { path: "/p/a.json", text: '{"mcpServers": {' },
        { path: "/p/b.json", text: '{"mcpServers": []}' },
        { path: "/p/c.json", text: '{"other": 1}' },
        { path: "/p/d.json", text: '// fine\n{"mcpServers": {"x": {"command": "y"}},}' },
      ],
      ENV,
    );
    expect(servers.map(({ name }) => name)).toEqual(["x"]);
    expect(notices.map(({ kind, file }) => [kind, file])).toEqual([
      ["unreadable-file", "/p/a.json"],
      ["wrong-type", "/p/b.json"],
    ]);
  });
});

test("of two with one name the later counts, with a notice", async () => {
  const { servers, notices } = await readMcpServers(
    [
      { path: "/a.json", text: '{"mcpServers": {"x": {"command": "one"}}}' },
      { path: "/b.json", text: '{"mcpServers": {"x": {"command": "two"}}}' },
    ],
    ENV,
  );
  expect(servers).toEqual([{ kind: "stdio", name: "x", command: "two", args: [], env: {} }]);
  expect(notices.map(({ kind, file }) => [kind, file])).toEqual([["duplicate-key", "/b.json"]]);
});

test("a name can't pass for another server's in a rule", async () => {
  const { servers } = await read({ notes__add: { command: "x" }, "my notes!": { command: "x" }, __proto__x: { command: "x" } });
  expect(servers.map(({ name }) => name)).toEqual(["notes_add", "my_notes", "proto_x"]);
});
