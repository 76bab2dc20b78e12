import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import type { HookEvent } from "../../src/model/events.ts";
import type { Model } from "../../src/session/model/model.ts";
import { scriptedModel } from "../../src/session/model/script.ts";
import { modelRunners } from "../../src/session/model-runners.ts";
import { TOOL_LIST } from "../../src/session/tools/index.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "snaphook-runners-"));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

async function engineWith(
  hook: { readonly [key: string]: unknown },
  model: Model,
  place = ".robota/settings.json",
  runners = modelRunners(model, TOOL_LIST),
): Promise<Engine> {
  const file = join(folder, place);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] } }));
  return createEngine({ cwd: folder, env: { PATH: process.env["PATH"] }, configs: [{ file }], trust: true, runners });
}

const EVENT: HookEvent = { name: "tool.before", sessionId: "s", tool: { name: "Bash", input: { command: "rm -rf build" } } };

describe("prompt and agent hooks in the engine [R6]", () => {
  it.each(["prompt", "agent"])("ok false of a %s hook denies, with its reason", async (type) => {
    const engine = await engineWith(
      { type, prompt: "Safe? $ARGUMENTS" },
      scriptedModel({ turns: [{ text: '```json\n{"ok": false, "reason": "it deletes"}\n```' }] }),
    );
    expect(await engine.fire(EVENT)).toMatchObject({ verdict: "deny", reason: "it deletes", hooks: [{ type, ended: "returned", fault: null }] });
  });

  it("ok true is no opinion: it can only tighten", async () => {
    const engine = await engineWith(
      { type: "prompt", prompt: "Safe?" },
      scriptedModel({ turns: [{ text: '{"ok": true, "verdict": "allow", "permissionDecision": "allow"}' }] }),
    );
    expect(await engine.fire(EVENT)).toMatchObject({ verdict: null, hooks: [{ verdict: null, fault: null }] });
  });

  it.each([
    ["an answer without JSON", [{ text: "fine" }], { kind: "answer", message: 'the model did not answer {"ok": true or false, "reason"}; it said "fine"' }],
    ["ok that is no boolean", [{ text: '{"ok": 1}' }], { kind: "answer", message: '"ok" is 1, not true or false' }],
    ["a model that fails", [{ error: "overloaded" }], { kind: "not-started", message: "the model could not be asked: overloaded" }],
  ])("%s is a fault", async (_says, turns, fault) => {
    const engine = await engineWith({ type: "prompt", prompt: "Safe?" }, scriptedModel({ turns }));
    expect((await engine.fire(EVENT)).hooks).toMatchObject([{ fault }]);
  });

  it("a model that is too slow is a timeout", async () => {
    const engine = await engineWith({ type: "prompt", prompt: "Safe?", timeout: 0.05 }, scriptedModel({ turns: [{ text: '{"ok": true}', delayMs: 600_000 }] }));
    expect((await engine.fire(EVENT)).hooks).toMatchObject([{ ended: "timed-out", fault: { kind: "timeout" } }]);
  });

  it("an agent reads with real tools, and has none that write or start anything", async () => {
    await writeFile(join(folder, "policy.txt"), "never delete build");
    const offered: string[][] = [];
    const script = scriptedModel({
      turns: [
        {
          toolCalls: [
            { name: "Read", input: { file_path: join(folder, "policy.txt") } },
            { name: "Bash", input: { command: "touch made" } },
          ],
        },
        { text: '{"ok": false, "reason": "policy"}' },
      ],
    });
    const results: string[] = [];
    const model: Model = {
      ...script,
      call: async (request) => {
        offered.push(request.tools.map(({ name }) => name));
        for (const message of request.messages) if (message.role === "tool") results.push(...message.results.map(({ output }) => output));
        return script.call(request);
      },
    };
    const engine = await engineWith({ type: "agent", prompt: "Check policy.txt" }, model);
    expect(await engine.fire(EVENT)).toMatchObject({ verdict: "deny", reason: "policy" });
    expect(offered[0]).toEqual(["Read", "Glob", "Grep"]);
    expect(results).toEqual([expect.stringContaining("never delete build"), "there is no tool Bash here: Read, Glob, Grep."]);
  });

  it("an agent's look goes through the gate", async () => {
    await writeFile(join(folder, "secret.txt"), "hunter2");
    const seen: string[] = [];
    const script = scriptedModel({ turns: [{ toolCalls: [{ name: "Read", input: { file_path: "secret.txt" } }] }, { text: '{"ok": true}' }] });
    const model: Model = {
      ...script,
      call: async (request) => {
        seen.push(JSON.stringify(request.messages));
        return script.call(request);
      },
    };
    const gate = ({ name }: { readonly name: string }): string => `${name} is denied by Read(secret.txt)`;
    const engine = await engineWith({ type: "agent", prompt: "Look" }, model, ".robota/settings.json", modelRunners(model, TOOL_LIST, { gate }));
    await engine.fire(EVENT);
    expect(seen[1]).toContain("Read is denied by Read(secret.txt)");
    expect(seen[1]).not.toContain("hunter2");
  });

  it("a hook may name its own model, which is read once", async () => {
    await writeFile(join(folder, "judge.yaml"), 'turns:\n  - text: \'{"ok": false, "reason": "the judge"}\'\n  - text: \'{"ok": true}\'\n');
    const engine = await engineWith({ type: "prompt", prompt: "Safe?", model: "script:judge.yaml" }, scriptedModel({ turns: [] }));
    expect((await engine.fire(EVENT)).reason).toBe("the judge");
    expect((await engine.fire(EVENT)).verdict).toBe(null);
  });

  it("a model that can't be had is a fault", async () => {
    const engine = await engineWith({ type: "prompt", prompt: "Safe?", model: "anthropic:x" }, scriptedModel({ turns: [] }));
    expect((await engine.fire(EVENT)).hooks).toMatchObject([
      { fault: { kind: "unsupported", message: "model anthropic:x needs a key: set ANTHROPIC_API_KEY." } },
    ]);
  });

  it("a bare name beside a scripted session is said to have been left out", async () => {
    const engine = await engineWith(
      { type: "prompt", prompt: "Safe?", model: "haiku" },
      scriptedModel({ turns: [{ text: '{"ok": false, "reason": "script"}' }] }),
    );
    const decision = await engine.fire(EVENT);
    expect(decision.reason).toBe("script");
    expect(decision.notices.map(({ message }) => message).join("\n")).toContain('the model "haiku" was not asked');
  });
});
