/** The hooks of examples/hooks/warm, and that the guide prints them as they are. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { needs } from "../support/needs.ts";
import { ROOT } from "../support/places.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const EXAMPLE = join(ROOT, "examples/hooks/warm");

async function opened(): Promise<Engine> {
  const cwd = tempFolder();
  cpSync(EXAMPLE, cwd, { recursive: true });
  const engine = await createEngine({ cwd, env: { PATH: process.env["PATH"] ?? "", HOME: cwd }, trust: true });
  onTestFinished(async () => engine.close());
  return engine;
}

test.skipIf(needs("python3"))("Python, Node and bash answer call after call", async () => {
  const engine = await opened();
  const said = async (command: string): Promise<unknown> => {
    const { verdict, reason, notices } = await engine.fire({ name: "tool.before", tool: { name: "Bash", input: { command } } });
    return [verdict, reason, notices];
  };
  for (let round = 0; round < 3; round++) {
    expect(await said("rm -rf build")).toEqual(["deny", "rm -rf is not for agents", []]);
    expect(await said("git push origin --force")).toEqual(["deny", "force pushes rewrite what others have", []]);
    expect(await said("curl example.com")).toEqual(["ask", "curl reaches the network", []]);
    expect(await said("ls")).toEqual([null, null, []]);
  }
});

test("the module remembers what it saw", async () => {
  const engine = await opened();
  const said = async (name: string): Promise<unknown> => (await engine.fire({ name: "tool.before", tool: { name, input: { file_path: "a.txt" } } })).verdict;
  expect([await said("Write"), await said("Read"), await said("Write")]).toEqual(["ask", null, null]);
});

test.each(["no_rm_rf.py", "no-force-push.mjs", "ask-curl.sh", "read-before-write.ts"])("the guide prints %s", (name) => {
  expect(readFileSync(join(ROOT, "docs/guides/warm-hooks.md"), "utf8")).toContain(readFileSync(join(EXAMPLE, ".snaphook/hooks", name), "utf8"));
});

test.skipIf(needs("python3"))("the Python script is a plain command hook too", async () => {
  const cwd = tempFolder();
  cpSync(EXAMPLE, cwd, { recursive: true });
  writeFiles(cwd, { "plain.yaml": "hooks:\n  tool.before:\n    - command: python3 .snaphook/hooks/no_rm_rf.py\n" });
  const engine = await createEngine({ cwd, env: { PATH: process.env["PATH"] ?? "", HOME: cwd }, configs: [{ file: "plain.yaml", dialect: "snaphook" }] });
  const said = async (command: string): Promise<unknown> => {
    const { verdict, notices } = await engine.fire({ name: "tool.before", tool: { name: "Bash", input: { command } } });
    return [verdict, notices];
  };
  expect([await said("rm -rf build"), await said("ls")]).toEqual([["deny", []], [null, []]]); // prettier-ignore
});
