import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Bridge, type BridgeOptions } from "../../src/bridge/bridge.ts";
import { isObject, type JsonObject } from "../../src/lib/json.ts";
import type { Mouth } from "../../src/session/approvals.ts";

/** A field of something that may be an object. */
function field(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

/** A client in the same process: lines in, messages out. */
class Client {
  readonly messages: JsonObject[] = [];
  readonly bridge: Bridge;
  #next = 1;

  constructor(cwd: string, prepare?: BridgeOptions["prepare"]) {
    const env = { PATH: process.env["PATH"], HOME: cwd, TMPDIR: cwd, SNAPHOOK_TRUST: "all" };
    this.bridge = new Bridge({ cwd, env, ...(prepare && { prepare }), send: (message) => void this.messages.push(JSON.parse(JSON.stringify(message))) });
  }

  send(method: string, params: unknown): number {
    const id = this.#next++;
    this.bridge.receive(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return id;
  }

  async ask(method: string, params: unknown): Promise<JsonObject> {
    const id = this.send(method, params);
    return this.until((message) => message["id"] === id && !("method" in message));
  }

  async until(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found) return found;
      await new Promise((resolve) => void setTimeout(resolve, 5));
    }
  }

  async create(): Promise<string> {
    const { result } = await this.ask("session.create", { model: "script:model.yaml", mode: "default" });
    return String(field(result, "sessionId"));
  }
}

describe("bridge", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "snaphook-bridge-"))));
  afterEach(() => rmSync(folder, { recursive: true, maxRetries: 3 }));
  const script = (text: string): void => writeFileSync(join(folder, "model.yaml"), text);

  test("[S11] several sessions at once, each with its own script and events", async () => {
    script("turns: [{text: one, delayMs: 30}]\n");
    const client = new Client(folder);
    const [first, second] = [await client.create(), await client.create()];
    const answers = await Promise.all([first, second].map(async (sessionId) => client.ask("session.prompt", { sessionId, prompt: `for ${sessionId}` })));
    expect(answers.map(({ result }) => result)).toEqual([
      { reason: "stop", text: "one" },
      { reason: "stop", text: "one" },
    ]);
    const requests = client.messages.filter(({ params }) => field(params, "type") === "model.request");
    expect(requests.map(({ params }) => String(field(params, "sessionId"))).toSorted((left, right) => left.localeCompare(right))).toEqual(
      [first, second].toSorted((left, right) => left.localeCompare(right)),
    );
    await client.bridge.close();
  });

  test("[S11] a client that vanishes while it is asked ends its approvals and sessions, and nothing hangs", async () => {
    script("turns: [{text: '', toolCalls: [{name: Bash, input: {command: touch made}}]}, {text: after}]\n");
    const client = new Client(folder);
    const sessionId = await client.create();
    client.send("session.prompt", { sessionId, prompt: "go" });
    await client.until(({ method }) => method === "approval.request");
    await client.bridge.close();
    expect(client.messages.some(({ params }) => field(params, "type") === "session.end")).toBe(true);
  });

  test.each([["allow"], ["deny"]] as const)("[S12] one who says %s elsewhere first is named to the client", async (answer) => {
    script("turns: [{text: '', toolCalls: [{name: Bash, input: {command: touch made}}]}, {text: after}]\n");
    const page: Mouth = { ask: async () => ({ answer, by: "page" }) };
    const client = new Client(folder, (options) => ({ ...options, mouths: [...(options.mouths ?? []), page] }));
    const sessionId = await client.create();
    expect((await client.ask("session.prompt", { sessionId, prompt: "go" }))["result"]).toMatchObject({ reason: "stop", text: "after" });
    const asked = await client.until(({ method }) => method === "approval.request");
    expect((await client.until(({ method }) => method === "approval.answered"))["params"]).toEqual({
      sessionId,
      requestId: asked["id"],
      tool: "Bash",
      answer,
      by: "page",
    });
    await client.bridge.close();
  });

  test("[S12] a client whose own answer counts is told nothing more", async () => {
    script("turns: [{text: '', toolCalls: [{name: Bash, input: {command: touch made}}]}, {text: after}]\n");
    const client = new Client(folder);
    const sessionId = await client.create();
    const prompt = client.ask("session.prompt", { sessionId, prompt: "go" });
    const { id } = await client.until(({ method }) => method === "approval.request");
    client.bridge.receive(JSON.stringify({ jsonrpc: "2.0", id, result: { answer: "deny" } }));
    await prompt;
    await client.bridge.close();
    expect(client.messages.filter(({ method }) => method === "approval.answered")).toEqual([]);
  });

  test("[W11] wrong messages have their codes, and the bridge goes on", async () => {
    script("turns: [{text: ok}]\n");
    const client = new Client(folder);
    client.bridge.receive("{ no json");
    client.bridge.receive("[1]");
    expect(await client.until(({ error }) => field(error, "code") === -32_700)).toBeDefined();
    expect(await client.until(({ error }) => field(error, "code") === -32_600)).toBeDefined();
    expect((await client.ask("toString", {}))["error"]).toMatchObject({ code: -32_601 });
    expect((await client.ask("session.prompt", { sessionId: 4 }))["error"]).toMatchObject({ code: -32_602 });
    const sessionId = await client.create();
    expect((await client.ask("session.prompt", { sessionId, prompt: "x" }))["result"]).toMatchObject({ reason: "stop" });
    await client.ask("session.end", { sessionId });
    expect((await client.ask("session.prompt", { sessionId, prompt: "x" }))["error"]).toMatchObject({ code: -32_602 });
    await client.bridge.close();
  });

  test("[S11] a second prompt while one is answered is refused, not mixed in", async () => {
    script("turns: [{text: slow, delayMs: 200}, {text: next}]\n");
    const client = new Client(folder);
    const sessionId = await client.create();
    client.send("session.prompt", { sessionId, prompt: "one" });
    expect((await client.ask("session.prompt", { sessionId, prompt: "two" }))["error"]).toMatchObject({
      message: expect.stringContaining("is answering a prompt"),
    });
    await client.bridge.close();
  });
});
