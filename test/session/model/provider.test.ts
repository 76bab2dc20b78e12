import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/lib/json.ts";
import type { Message } from "../../../src/session/messages.ts";
import { ModelError, type Model, type ModelRequest } from "../../../src/session/model/model.ts";
import { providerModel, type ProviderModelOptions } from "../../../src/session/model/provider.ts";
import type { Waiting } from "../../../src/session/model/retry.ts";
import { startModelServer, type FakeReply, type ModelServer } from "../../../src/testing/model-server.ts";

const KEY = "sk-very-secret-key";
const ENV = { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY };

const PROTOCOLS = {
  anthropic: { provider: "anthropic", title: "Anthropic", path: "/v1/messages", options: {} },
  chat: { provider: "compatible", title: "the server", path: "/v1/chat/completions", options: {} },
  responses: { provider: "openai", title: "OpenAI", path: "/v1/responses", options: { protocol: "responses" } },
} as const;
type Wire = keyof typeof PROTOCOLS;
const WIRES: readonly Wire[] = ["anthropic", "chat", "responses"];

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

interface Opened {
  readonly model: Model;
  readonly server: ModelServer;
  readonly waits: Waiting[];
}

async function open(wire: Wire, replies: readonly FakeReply[], over: Partial<ProviderModelOptions> = {}): Promise<Opened> {
  const server = await startModelServer(replies);
  servers.push(server);
  const waits: Waiting[] = [];
  const { provider, options } = PROTOCOLS[wire];
  const model = providerModel({
    provider,
    name: "model-1",
    env: ENV,
    baseURL: `${server.url}/v1`,
    sleep: async () => {},
    onWait: (waiting) => waits.push(waiting),
    ...options,
    ...over,
  });
  return { model, server, waits };
}

const BASH = {
  name: "Bash",
  description: "Runs a command",
  inputSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};
const READ = { name: "Read", description: "Reads a file", inputSchema: { type: "object", properties: { file_path: { type: "string" } } } };

const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "Be brief.",
  messages: [{ role: "user", text: "go" }],
  tools: [BASH, READ],
  purpose: "turn",
  signal: new AbortController().signal,
  ...over,
});

async function failure(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelError);
  const message = error instanceof Error ? error.message : "";
  expect(message).not.toContain(KEY);
  expect(message).not.toContain("\n");
  return message;
}

const CONVERSATION: readonly Message[] = [
  { role: "user", text: "look" },
  {
    role: "assistant",
    text: "Looking.",
    toolCalls: [
      { id: "call_1", name: "Bash", input: { command: "ls" } },
      { id: "call_2", name: "Read", input: { file_path: "a" } },
    ],
  },
  {
    role: "tool",
    results: [
      { useId: "call_1", name: "Bash", output: "a b", isError: false },
      { useId: "call_2", name: "Read", output: "no such file", isError: true },
    ],
  },
  { role: "assistant", text: "", toolCalls: [] },
  { role: "user", text: "and now?" },
];

describe.each(WIRES)("a model over HTTP, %s [S14]", (wire) => {
  it("streams text and reports usage", async () => {
    const { model, server } = await open(wire, [{ kind: "answer", text: "Hello there, world.", usage: { input: 321, output: 45 } }]);
    const deltas: string[] = [];
    const answer = await model.call(request({ onText: (delta) => deltas.push(delta) }));
    expect(answer).toEqual({ text: "Hello there, world.", toolCalls: [], usage: { input: 321, output: 45 } });
    expect(deltas).toEqual(["Hello ", "there, ", "world."]);
    expect(server.requests.map(({ path, body }) => ({ path, model: body["model"], stream: body["stream"] }))).toEqual([
      { path: PROTOCOLS[wire].path, model: "model-1", stream: true },
    ]);
  });

  it("gives several tool calls of one answer, in order, with text before them", async () => {
    const calls = [
      { id: "id_a", name: "Bash", input: { command: "ls" } },
      { id: "id_b", name: "Read", input: { file_path: "/tmp/x" } },
      { id: "id_c", name: "Bash", input: {} },
    ];
    const { model } = await open(wire, [{ kind: "answer", text: "I look.", toolCalls: calls }]);
    expect(await model.call(request())).toEqual({ text: "I look.", toolCalls: calls, usage: { input: 10, output: 5 } });
  });

  it("keeps a tool that was not offered, and input that is no JSON as raw text", async () => {
    const { model } = await open(wire, [
      {
        kind: "answer",
        toolCalls: [
          { id: "id_a", name: "Nope", input: { x: 1 } },
          { id: "id_b", name: "Bash", input: '{"command": "l' },
        ],
      },
    ]);
    expect((await model.call(request())).toolCalls).toEqual([
      { id: "id_a", name: "Nope", input: { x: 1 } },
      { id: "id_b", name: "Bash", input: { raw: '{"command": "l' } },
    ]);
  });

  it("tries again after 429, as long as Retry-After says", async () => {
    const slept: number[] = [];
    const { model, server, waits } = await open(
      wire,
      [
        { kind: "error", status: 429, headers: { "retry-after": "7" } },
        { kind: "answer", text: "ok" },
      ],
      {
        sleep: async (milliseconds) => slept.push(milliseconds),
      },
    );
    expect((await model.call(request())).text).toBe("ok");
    expect({ slept, requests: server.requests.length, waits: waits.map(({ waitMs, nextTry, tries }) => ({ waitMs, nextTry, tries })) }).toEqual({
      slept: [7_000],
      requests: 2,
      waits: [{ waitMs: 7_000, nextTry: 2, tries: 4 }],
    });
  });

  it("understands a date in Retry-After", async () => {
    const slept: number[] = [];
    const { model } = await open(
      wire,
      [
        { kind: "error", status: 503, headers: { "retry-after": "Wed, 04 Nov 2026 10:00:20 GMT" } },
        { kind: "answer", text: "ok" },
      ],
      {
        sleep: async (milliseconds) => slept.push(milliseconds),
        date: () => new Date("2026-11-04T10:00:00Z"),
      },
    );
    await model.call(request());
    expect(slept).toEqual([20_000]);
  });

  it("does not wait for hours: it says how long it was asked to", async () => {
    const { model, server } = await open(wire, [{ kind: "error", status: 429, message: "slow down", headers: { "retry-after": "3600" } }]);
    expect(await failure(model.call(request()))).toMatch(
      /: too many requests \(429, slow down\): try again in a minute, or use another model\. It asks to wait 60 minutes\.$/,
    );
    expect(server.requests).toHaveLength(1);
  });

  it("survives 500 thrice, with growing waits", async () => {
    const slept: number[] = [];
    const error = { kind: "error", status: 500, message: "oops" } as const;
    const { model } = await open(wire, [error, error, error, { kind: "answer", text: "at last" }], { sleep: async (milliseconds) => slept.push(milliseconds) });
    expect((await model.call(request())).text).toBe("at last");
    expect(slept).toEqual([1_000, 3_000, 9_000]);
  });

  it("gives up after the fourth 500", async () => {
    const error = { kind: "error", status: 500, message: "oops" } as const;
    const { model, server } = await open(wire, [error, error, error, error, error]);
    const { title } = PROTOCOLS[wire];
    expect(await failure(model.call(request()))).toBe(
      `${title} at ${server.url.slice(7)}: it failed (500, oops), 4 times: try again in a minute, or use another model.`,
    );
    expect(server.requests).toHaveLength(4);
  });

  it.each([
    [401, "bad key", /: the key was refused \(401\): check (ANTHROPIC|OPENAI)_API_KEY\.$/],
    [403, "not yours", /: this key may not use model-1 \(403, not yours\): check /],
    [404, "unknown", /: there is no model "model-1" \(404, unknown\): check the name after --model/],
    [400, "tools.0: wrong", /: the call was refused \(400, tools\.0: wrong\): /],
    [400, "prompt is too long: 9 > 8", /: the conversation is too long for model-1 \(400, prompt is too long: 9 > 8\): /],
    [302, "moved", /: it answers with a redirect \(302\): set \w+_BASE_URL to the final address/],
    [400, `echo ${KEY}`, /echo \[key\]/],
  ])("says what %i means, at once: %s", async (status, message, words) => {
    const { model, server } = await open(wire, [{ kind: "error", status, message, headers: { location: "http://127.0.0.1:1/" } }]);
    expect(await failure(model.call(request()))).toMatch(words);
    expect(server.requests).toHaveLength(1);
  });

  it("says in one line what a proxy's page means", async () => {
    const page = { kind: "body", status: 502, body: "<html>\n<h1>Bad\nGateway</h1></html>", headers: { "content-type": "text/html" } } as const;
    const { model } = await open(wire, [page, page, page, page]);
    expect(await failure(model.call(request()))).toMatch(/: it failed \(502, Bad Gateway\), 4 times: /);
  });

  it.each(["cut", "closed", "error-event"] as const)("tries again when a stream breaks before anything was shown: %s", async (ending) => {
    const { model, server } = await open(wire, [
      { kind: "broken", events: 1, text: "half an answer", ending },
      { kind: "answer", text: "whole" },
    ]);
    const deltas: string[] = [];
    expect((await model.call(request({ onText: (delta) => deltas.push(delta) }))).text).toBe("whole");
    expect({ deltas, requests: server.requests.length }).toEqual({ deltas: ["whole"], requests: 2 });
  });

  it.each(["cut", "closed", "error-event"] as const)("does not try again once something was shown: %s", async (ending) => {
    const { model, server } = await open(wire, [
      { kind: "broken", events: 5, text: "half an answer and more", ending },
      { kind: "answer", text: "whole" },
    ]);
    const deltas: string[] = [];
    expect(await failure(model.call(request({ onText: (delta) => deltas.push(delta) })))).toMatch(/ at 127\.0\.0\.1:\d+: /);
    expect(deltas.length).toBeGreaterThan(0);
    expect(server.requests).toHaveLength(1);
  });

  it("closes the connection when the call is cancelled in the middle", async () => {
    const { model, server } = await open(wire, [{ kind: "silent", events: 5, text: "one two three four five six" }]);
    const cancel = new AbortController();
    const reason = new Error("Esc");
    const call = model.call(request({ signal: cancel.signal, onText: () => cancel.abort(reason) }));
    await expect(call).rejects.toBe(reason);
    expect(await server.requests[0]?.ended).toBe("client-closed");
  });

  it("closes the connection when nothing has come yet, and makes none after that", async () => {
    const { model, server } = await open(wire, [{ kind: "silent", events: 0 }]);
    const cancel = new AbortController();
    const call = model.call(request({ signal: cancel.signal }));
    const seen = await server.answering(0);
    cancel.abort();
    await expect(call).rejects.toBe(cancel.signal.reason);
    expect(await seen.ended).toBe("client-closed");
    await expect(model.call(request({ signal: cancel.signal }))).rejects.toBe(cancel.signal.reason);
    expect(server.requests).toHaveLength(1);
  });

  it("can be cancelled while it waits for the next try", async () => {
    const cancel = new AbortController();
    const reason = new Error("Esc");
    const { model, server } = await open(wire, [{ kind: "error", status: 429 }], { sleep: undefined, onWait: () => cancel.abort(reason) });
    await expect(model.call(request({ signal: cancel.signal }))).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it("does not wait for ever on a server that says nothing more", async () => {
    const { model, server } = await open(wire, [{ kind: "silent", events: 4, text: "one two three" }], { idleMs: 500 });
    expect(await failure(model.call(request()))).toMatch(/: nothing came for 0\.5 s: try again, or use another model\.$/);
    expect(await server.requests[0]?.ended).toBe("client-closed");
  });

  it("says that a server can't be reached, and where", async () => {
    const { model, server, waits } = await open(wire, []);
    await server.close();
    expect(await failure(model.call(request()))).toMatch(
      / at 127\.0\.0\.1:\d+: it can't be reached \(ECONNREFUSED\), 4 times: check that it runs, the network, and \w+_BASE_URL\.$/,
    );
    expect(waits).toHaveLength(3);
  });

  it("says that the provider refused to answer", async () => {
    const { model } = await open(wire, [{ kind: "answer", finish: "refusal" }]);
    expect(await failure(model.call(request()))).toBe("the provider refused to answer: say it in another way, or use another model.");
  });

  it("gives text that was cut at the output limit", async () => {
    const { model } = await open(wire, [{ kind: "answer", text: "as far as it", finish: "length" }]);
    expect((await model.call(request())).text).toBe("as far as it");
  });

  it("stays the same model for subagents", async () => {
    const { model } = await open(wire, []);
    expect(model.forAgent("explorer")).toBe(model);
  });
});

describe("what is sent [S14]", () => {
  it("anthropic: results follow their calls in one user message, errors marked, key in its header", async () => {
    const { model, server } = await open("anthropic", [{ kind: "answer", text: "ok" }]);
    await model.call(request({ messages: CONVERSATION }));
    const [seen] = server.requests;
    expect(seen?.headers["x-api-key"]).toBe(KEY);
    expect(seen?.body).toMatchObject({
      system: [{ type: "text", text: "Be brief." }],
      max_tokens: 32_000,
      cache_control: { type: "ephemeral" },
      messages: [
        { role: "user", content: [{ type: "text", text: "look" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Looking." },
            { type: "tool_use", id: "call_1", name: "Bash", input: { command: "ls" } },
            { type: "tool_use", id: "call_2", name: "Read", input: { file_path: "a" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_1", content: "a b" },
            { type: "tool_result", tool_use_id: "call_2", content: "no such file", is_error: true },
            { type: "text", text: "and now?" },
          ],
        },
      ],
      tools: [
        { name: "Bash", description: "Runs a command", input_schema: BASH.inputSchema },
        { name: "Read", description: "Reads a file", input_schema: READ.inputSchema },
      ],
    });
  });

  it("chat: calls and results in their own messages", async () => {
    const { model, server } = await open("chat", [{ kind: "answer", text: "ok" }]);
    await model.call(request({ messages: CONVERSATION }));
    const [seen] = server.requests;
    expect(seen?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    expect(seen?.body).toEqual({
      model: "model-1",
      stream: true,
      stream_options: { include_usage: true },
      tool_choice: "auto",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "look" },
        {
          role: "assistant",
          content: "Looking.",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } },
            { id: "call_2", type: "function", function: { name: "Read", arguments: '{"file_path":"a"}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "a b" },
        { role: "tool", tool_call_id: "call_2", content: "no such file" },
        { role: "user", content: "and now?" },
      ],
      tools: [
        { type: "function", function: { name: "Bash", description: "Runs a command", parameters: BASH.inputSchema } },
        { type: "function", function: { name: "Read", description: "Reads a file", parameters: READ.inputSchema } },
      ],
    });
  });

  it("chat: a server of one's own gets no key when there is none", async () => {
    const { model, server } = await open("chat", [{ kind: "answer", text: "ok" }], { env: {}, provider: "ollama" });
    await model.call(request({ tools: [] }));
    expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
    expect(server.requests[0]?.body["tools"]).toBeUndefined();
  });

  it("responses: nothing is stored at the provider", async () => {
    const { model, server } = await open("responses", [{ kind: "answer", text: "ok" }]);
    await model.call(request({ messages: CONVERSATION }));
    expect(server.requests[0]?.body).toMatchObject({
      store: false,
      input: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "input_text", text: "look" }] },
        { role: "assistant", content: [{ type: "output_text", text: "Looking." }] },
        { type: "function_call", call_id: "call_1", name: "Bash", arguments: '{"command":"ls"}' },
        { type: "function_call", call_id: "call_2", name: "Read", arguments: '{"file_path":"a"}' },
        { type: "function_call_output", call_id: "call_1", output: "a b" },
        { type: "function_call_output", call_id: "call_2", output: "no such file" },
        { role: "user", content: [{ type: "input_text", text: "and now?" }] },
      ],
    });
  });

  const thinking: readonly (readonly [Wire, (body: JsonObject) => unknown, JsonObject])[] = [
    [
      "anthropic",
      ({ messages }) => (Array.isArray(messages) ? messages[1] : undefined),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "signed" },
          { type: "text", text: "Looking." },
          { type: "tool_use", id: "call_1", name: "Bash", input: { command: "ls -a" } },
        ],
      },
    ],
    ["responses", ({ input }) => (Array.isArray(input) ? input[2] : undefined), { type: "reasoning", encrypted_content: "sealed:hm", summary: [] }],
  ];
  it.each(thinking)("%s: what the model thought goes back to it with its calls, a rewritten input too", async (wire, pick, expected) => {
    const { model, server } = await open(
      wire,
      [
        { kind: "answer", thinking: "hm", text: "Looking.", toolCalls: [{ id: "call_1", name: "Bash", input: { command: "ls" } }] },
        { kind: "answer", text: "ok" },
        { kind: "answer", text: "ok" },
      ],
      { name: wire === "responses" ? "gpt-5.6" : "model-1" },
    );
    const first = await model.call(request());
    const messages = (text: string): readonly Message[] => [
      { role: "user", text: "go" },
      { role: "assistant", text, toolCalls: first.toolCalls.map((call) => ({ ...call, input: { command: "ls -a" } })) },
      { role: "tool", results: [{ useId: "call_1", name: "Bash", output: "a", isError: false }] },
    ];
    await model.call(request({ messages: messages(first.text) }));
    expect(pick(server.requests[1]?.body ?? {})).toMatchObject(expected);
    await model.call(request({ messages: messages("not what was said") }));
    expect(JSON.stringify(server.requests[2]?.body)).not.toMatch(/"(thinking|reasoning)"/);
  });

  it("prints nothing", async () => {
    const { model } = await open("anthropic", [
      { kind: "error", status: 400 },
      { kind: "answer", text: "ok" },
    ]);
    const printed: unknown[] = [];
    const real = { ...console };
    Object.assign(console, {
      error: (...words: unknown[]) => printed.push(words),
      warn: (...words: unknown[]) => printed.push(words),
      info: (...words: unknown[]) => printed.push(words),
    });
    try {
      await failure(model.call(request()));
      await model.call(request());
    } finally {
      Object.assign(console, real);
    }
    expect(printed).toEqual([]);
  });
});
