import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEngine, guardTools, ToolDenied, type Engine, type AnyLibraryHook, type Mouth } from "../../src/index.ts";
import { startModelServer } from "../../src/testing/index.ts";

const SHELL = { type: "object", properties: { command: { type: "string" } }, required: ["command"] } as const;

describe("hooks and gate around tools of the AI SDK", () => {
  let folder: string;
  const ran: string[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "snaphook-adapter-"));
    ran.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const tools = {
    Bash: tool({
      description: "runs a command",
      inputSchema: jsonSchema<{ command: string }>(SHELL),
      execute: async ({ command }) => {
        ran.push(command);
        return `ran ${command}`;
      },
    }),
  };
  const engineWith = async (hooks: readonly AnyLibraryHook[], deny: readonly string[] = []): Promise<Engine> =>
    createEngine({ cwd: folder, env: {}, configs: [], discover: false, hooks, mode: "default", rules: deny.map((text) => ({ verdict: "deny", text })) });
  const call = async (engine: Engine, command: string, mouths: readonly Mouth[] = []): Promise<unknown> => {
    const { Bash } = guardTools(tools, { engine, mouths });
    return Bash.execute?.({ command }, { toolCallId: "c1", messages: [] });
  };

  test("[P4] a rule denies what a hook allowed, and the tool does not run", async () => {
    const engine = await engineWith([{ event: "tool.before", call: () => ({ verdict: "allow" }) }], ["Bash(rm *)"]);
    await expect(call(engine, "rm x")).rejects.toThrow(ToolDenied);
    expect(await call(engine, "ls")).toBe("ran ls");
    expect(ran).toEqual(["ls"]);
  });

  test("[A8] an asked call with nobody there is refused, and says so", async () => {
    await expect(call(await engineWith([]), "make")).rejects.toThrow(/nobody was there/);
    expect(ran).toEqual([]);
  });

  test("[S12] a mouth answers", async () => {
    const yes: Mouth = { ask: async () => ({ answer: "allow", by: "test" }) };
    expect(await call(await engineWith([]), "make", [yes])).toBe("ran make");
  });

  test("[P3] a hook rewrites the input and adds to the result", async () => {
    const engine = await engineWith([
      { event: "tool.before", call: () => ({ verdict: "allow", input: { command: "ls -a" }, feedback: "looked twice" }) },
      { event: "tool.after", call: () => ({ context: "mind the gap" }) },
    ]);
    expect(await call(engine, "ls")).toBe("ran ls -a\n\nHook feedback:\nlooked twice\n\nmind the gap");
  });

  test("[S1] in a loop of the AI SDK the model is told of a denial and goes on", async () => {
    const server = await startModelServer([
      { kind: "answer", toolCalls: [{ name: "Bash", input: { command: "rm -rf /" } }] },
      { kind: "answer", text: "I will not." },
    ]);
    try {
      const engine = await engineWith([], ["Bash(rm *)"]);
      const provider = createAnthropic({ apiKey: "k", baseURL: `${server.url}/v1` });
      const result = await generateText({
        model: provider("claude-test"),
        tools: guardTools(tools, { engine }),
        stopWhen: stepCountIs(3),
        prompt: "clean up",
        maxOutputTokens: 1_000,
      });
      expect(result.text).toBe("I will not.");
      expect(JSON.stringify(server.requests[1]?.body)).toContain("Denied by the deny rule Bash(rm *)");
      expect(ran).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
