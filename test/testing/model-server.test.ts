import { afterEach, describe, expect, it } from "vitest";
import { startModelServer, type FakeReply, type ModelServer } from "../../src/testing/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => server?.close());

async function post(path: string, replies: readonly FakeReply[], body: { readonly [key: string]: unknown } = {}): Promise<Response> {
  server = await startModelServer(replies);
  return fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-mark": "here" },
    body: JSON.stringify({ model: "m", ...body }),
  });
}

const ANSWER: FakeReply = { kind: "answer", text: "Hi.", toolCalls: [{ id: "c1", name: "Bash", input: { command: "ls" } }], usage: { input: 3, output: 2 } };

describe("the fake model server", () => {
  it("answers whole where no stream is asked for: Anthropic", async () => {
    const response = await post("/v1/messages", [ANSWER]);
    expect(await response.json()).toEqual({
      id: "msg_fake",
      type: "message",
      role: "assistant",
      model: "m",
      stop_sequence: null,
      content: [
        { type: "text", text: "Hi." },
        { type: "tool_use", id: "c1", name: "Bash", input: { command: "ls" } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 3, output_tokens: 2 },
    });
    expect(server?.requests).toMatchObject([{ path: "/v1/messages", headers: { "x-mark": "here" }, body: { model: "m" } }]);
    expect(await server?.requests[0]?.ended).toBe("sent");
  });

  it("answers whole where no stream is asked for: chat completions", async () => {
    const response = await post("/v1/chat/completions", [ANSWER]);
    expect(await response.json()).toMatchObject({
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: "Hi.",
            tool_calls: [{ id: "c1", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
  });

  it("answers whole where no stream is asked for: responses", async () => {
    const response = await post("/v1/responses", [ANSWER]);
    expect(await response.json()).toMatchObject({
      output: [
        { type: "message", content: [{ type: "output_text", text: "Hi." }] },
        { type: "function_call", call_id: "c1", name: "Bash", arguments: '{"command":"ls"}' },
      ],
      usage: { input_tokens: 3, output_tokens: 2 },
    });
  });

  it("streams events, slowly where asked to", async () => {
    const response = await post("/v1/chat/completions", [{ kind: "answer", text: "a b", eventMs: 2 }], { stream: true });
    const lines = (await response.text()).split("\n\n").filter((line) => line !== "");
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe("data: [DONE]");
  });

  it("sends scripted errors with their headers", async () => {
    const response = await post("/v1/messages", [{ kind: "error", status: 529, message: "busy", headers: { "retry-after": "3" } }]);
    expect({ status: response.status, after: response.headers.get("retry-after"), body: await response.json() }).toEqual({
      status: 529,
      after: "3",
      body: { type: "error", error: { type: "overloaded_error", message: "busy" } },
    });
  });

  it("says that a request is beyond its script, or at a path that it has not", async () => {
    const beyond = await post("/v1/messages", []);
    expect({ status: beyond.status, body: await beyond.json() }).toMatchObject({ status: 500, body: { error: { message: "the fake server has no reply 1" } } });
    server?.script({ kind: "answer", text: "later" });
    const elsewhere = await fetch(`${server?.url}/v2/messages`, { method: "POST", body: "{}" });
    expect(elsewhere.status).toBe(404);
  });
});
