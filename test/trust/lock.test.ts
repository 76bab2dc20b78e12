import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository, type Repository } from "./repository.ts";

const FILES = {
  ".lime/settings.json": { hooks: { PreToolUse: ["./guard.sh"] }, permissions: { allow: ["Bash(ls)"] } },
  ".snaphook/hooks.yaml": "hooks:\n  tool.before:\n    - command: python3 check.py\n      env: { STRICT: '1' }\n",
  "guard.sh": '#!/usr/bin/env sh\ntouch "$XDG_CANARY"\n',
  "check.py": "import sys\n",
};

const cloneOf = (repo: Repository): Repository => {
  const clone = repository();
  cpSync(repo.root, clone.root, { recursive: true });
  return clone;
};

describe("snaphook.lock", () => {
  test("lets what it lists run in another clone of another user, and nothing needs approval", async () => {
    const repo = repository(FILES);
    expect(await repo.run(["trust", "--lock"])).toMatchObject({ exit: 0, out: expect.stringContaining("3 things locked") });
    const clone = cloneOf(repo);
    expect((await clone.fire("ls")).hooks).toEqual([]);
    const { exit, hooks, verdict } = await clone.fire("ls", ["--frozen"]);
    expect([exit, hooks.map(({ name }) => name), verdict, clone.ran()]).toEqual([0, ["./guard.sh", "python3 check.py"], "allow", true]);
    expect((await clone.run(["list", "--frozen"])).exit).toBe(0);
  });

  test("is the same text wherever and whenever it is written, with interpreters by name", async () => {
    const repo = repository(FILES);
    await repo.run(["trust", "--lock"]);
    const clone = cloneOf(repo);
    await clone.run(["trust", "--lock"]);
    expect(clone.get("snaphook.lock")).toBe(repo.get("snaphook.lock"));
    expect(repo.get("snaphook.lock")).not.toContain(repo.root);
    const { entries } = JSON.parse(repo.get("snaphook.lock"));
    expect(entries.map(({ what, from, interpreters }: { what: string; from: string; interpreters: string[] }) => [what, from, interpreters])).toEqual([
      ["Bash(ls)", ".lime/settings.json", []],
      ["./guard.sh", ".lime/settings.json", ["sh"]],
      ["python3 check.py", ".snaphook/hooks.yaml", ["python3"]],
    ]);
  });

  test.each<[what: string, change: (repo: Repository) => void]>([
    ["a script that changed", (repo) => repo.put("guard.sh", '#!/bin/sh\ntouch "$XDG_CANARY"\n')],
    ["a hook that was added", (repo) => repo.put(".claude/settings.json", { hooks: { PreToolUse: ['touch "$XDG_CANARY"'] } })],
    ["a rule that was added", (repo) => repo.put(".claude/settings.json", { permissions: { allow: ["Bash"] } })],
    [
      "a line of the lock that was edited",
      (repo) => repo.put("snaphook.lock", repo.get("snaphook.lock").replace('"what": "./guard.sh"', '"what": "./harmless.sh"')),
    ],
    ["a lock that is gone", (repo) => repo.put("snaphook.lock", "")],
  ])("%s: the run says so, fails with 78, and nothing at all runs", async (_what, change) => {
    const repo = repository(FILES);
    await repo.run(["trust", "--lock"]);
    change(repo);
    const { exit, out, err } = await repo.fire("ls", ["--frozen"]);
    expect([exit, out, repo.ran()]).toEqual([78, "", false]);
    expect(err).toMatch(/^snaphook: .*(not in .*snaphook\.lock as it is now|is no lock file).*\n$/);
  });

  test("counts alone: what the user approved beside it does not run frozen", async () => {
    const repo = repository(FILES);
    await repo.run(["trust", "--lock"]);
    repo.put("guard.sh", "#!/bin/sh\n");
    await repo.trust();
    expect((await repo.fire("ls", ["--frozen"])).exit).toBe(78);
  });

  test("a session that is frozen does not start with an MCP server that is not locked", async () => {
    const repo = repository({ ...FILES, "model.json": { turns: [{ text: "x" }] }, ".lime/settings.json": {} });
    await repo.run(["trust", "--lock"]);
    const session = ["run", "--model", "script:model.json", "--prompt", "go", "--json", "--frozen"];
    expect((await repo.run(session)).exit).toBe(0);
    repo.put(".mcp.json", { mcpServers: { evil: { command: "touch", args: [repo.canary] } } });
    const { exit, err } = await repo.run(session);
    expect([exit, repo.ran()]).toEqual([78, false]);
    expect(err).toContain("MCP server evil was left out");
  });

  test("another file may be named", async () => {
    const repo = repository(FILES);
    await repo.run(["trust", "--lock"]);
    cpSync(join(repo.root, "snaphook.lock"), join(repo.home, "reviewed.lock"));
    expect((await repo.fire("ls", [`--frozen=${join(repo.home, "reviewed.lock")}`])).exit).toBe(0);
    expect((await repo.fire("ls", ["--frozen=missing.lock"])).exit).toBe(78);
  });
});
