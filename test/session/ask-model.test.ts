import { describe, expect, it } from "vitest";
import { askAgent, askModel, readAnswer, type AgentQuestion, type Question } from "../../src/session/ask-model.ts";
import type { Model, ModelRequest } from "../../src/session/model/model.ts";
import { scriptedModel } from "../../src/session/model/script.ts";
import type { Tool, ToolContext } from "../../src/session/tools/tool.ts";

type Turns = Parameters<typeof scriptedModel>[0]["turns"];

function recorded(turns: Turns): { readonly model: Model; readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const inner = scriptedModel({ turns });
  const model: Model = {
    ...inner,
    call: async (request) => {
      requests.push(request);
      return inner.call(request);
    },
  };
  return { model, requests };
}

const question = (over: Partial<Question> = {}): Question => ({
  prompt: "Is this safe?",
  payload: '{"tool_name":"Bash","cost":"$&$1"}',
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  ...over,
});

const HELD: Model = { id: "test:held", contextWindow: 1, call: async () => new Promise(() => {}), forAgent: () => HELD };

describe("a prompt hook asks one question [R6]", () => {
  it("appends the payload, says the form, and offers no tools", async () => {
    const { model, requests } = recorded([{ text: '{"ok": true}' }]);
    expect(await askModel(model, question())).toEqual({ kind: "answered", answer: { ok: true, reason: undefined } });
    expect(requests.map(({ messages, tools, purpose }) => ({ messages, tools, purpose }))).toEqual([
      { messages: [{ role: "user", text: 'Is this safe?\n\n{"tool_name":"Bash","cost":"$&$1"}' }], tools: [], purpose: "hook" },
    ]);
    expect(requests[0]?.system).toContain('{"ok": true}');
  });

  it("puts the payload where $ARGUMENTS stands, letter for letter", async () => {
    const { model, requests } = recorded([{ text: '{"ok": true}' }]);
    await askModel(model, question({ prompt: "Look: $ARGUMENTS. Safe? $ARGUMENTS" }));
    expect(requests[0]?.messages).toEqual([{ role: "user", text: 'Look: {"tool_name":"Bash","cost":"$&$1"}. Safe? {"tool_name":"Bash","cost":"$&$1"}' }]);
  });

  it("names a model that fails", async () => {
    expect(await askModel(scriptedModel({ turns: [{ error: "overloaded" }] }), question())).toEqual({ kind: "failed", message: "overloaded" });
  });

  it("stops waiting at the timeout, and aborts the call", async () => {
    const { model, requests } = recorded([{ text: "late", delayMs: 600_000 }]);
    expect(await askModel(model, question({ timeoutMs: 5 }))).toEqual({ kind: "timed-out" });
    expect(requests[0]?.signal.aborted).toBe(true);
    expect(await askModel(HELD, question({ timeoutMs: 5 }))).toEqual({ kind: "timed-out" });
  });

  it("ends when the event is cancelled", async () => {
    const cancel = new AbortController();
    const asked = askModel(HELD, question({ signal: cancel.signal }));
    cancel.abort();
    expect(await asked).toEqual({ kind: "cancelled" });
    expect(await askModel(HELD, question({ signal: cancel.signal }))).toEqual({ kind: "cancelled" });
  });
});

describe("the answer of a model [R6]", () => {
  it.each([
    ["bare", '{"ok": false, "reason": "rm"}', { ok: false, reason: "rm" }],
    ["in a code fence", '```json\n{"ok": false, "reason": "rm"}\n```', { ok: false, reason: "rm" }],
    ["with words around it", 'I think so.\n{"ok": true, "reason": "fine"} That is all.', { ok: true, reason: "fine" }],
    [
      "a refusal counts beside a quoted pass",
      '{"ok": false, "reason": "it tries to pass"} The command prints {"ok": true}',
      { ok: false, reason: "it tries to pass" },
    ],
    ["more than ok and reason is not said", '{"ok": true, "verdict": "allow", "rules": ["Bash(*)"]}', { ok: true, reason: undefined }],
    ["ok that is no boolean is left to the reader of answers", '{"ok": "yes"}', { ok: "yes", reason: undefined }],
  ])("%s", (_says, text, answer) => {
    expect(readAnswer(text)).toEqual({ kind: "answered", answer });
  });

  it.each([
    ["words", "Looks fine to me.", '"Looks fine to me."'],
    ["nothing", " ", "nothing"],
    ["another object", '{"approved": true}', '"{\\"approved\\": true}"'],
    ["a list", "[true]", '"[true]"'],
    ["an object that stays open", '{"ok": true', '"{\\"ok\\": true"'],
  ])("%s is no answer", (_says, text, shown) => {
    expect(readAnswer(text)).toEqual({ kind: "unreadable", message: `the model did not answer {"ok": true or false, "reason"}; it said ${shown}` });
  });
});

describe("an agent hook may look first [R6]", () => {
  const ran: unknown[] = [];
  const read: Tool = {
    name: "Read",
    description: "Reads",
    inputSchema: { type: "object" },
    asksApprover: false,
    run: async (input) => {
      ran.push(input);
      return { output: "x".repeat(60_000), isError: false };
    },
  };
  const context = (signal: AbortSignal): ToolContext => ({
    cwd: "/",
    root: "/",
    env: {},
    tempDir: "/tmp",
    signal,
    memory: new Map(),
    setCwd: () => {},
    subagent: async () => ({ output: "", isError: true }),
    taskCompleted: async () => {},
  });
  const looking = (): AgentQuestion => ({ ...question(), tools: [read], context });
  const look = { toolCalls: [{ name: "Read", input: { file_path: "a" } }] };

  it("uses its tools, gets bounded results, and answers", async () => {
    ran.length = 0;
    const { model, requests } = recorded([look, { text: '```\n{"ok": false, "reason": "the file says so"}\n```' }]);
    expect(await askAgent(model, looking())).toEqual({ kind: "answered", answer: { ok: false, reason: "the file says so" } });
    expect(ran).toEqual([{ file_path: "a" }]);
    expect(requests[0]?.tools).toEqual([{ name: "Read", description: "Reads", inputSchema: { type: "object" } }]);
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    const result = requests[1]?.messages[2];
    expect(result?.role === "tool" && result.results[0]?.output.length).toBe(50_011);
  });

  it("can't use a tool that it was not given", async () => {
    const { model, requests } = recorded([{ toolCalls: [{ name: "Bash", input: { command: "rm -rf /" } }] }, { text: '{"ok": true}' }]);
    await askAgent(model, looking());
    expect(requests[1]?.messages[2]).toMatchObject({ role: "tool", results: [{ name: "Bash", output: "there is no tool Bash here: Read.", isError: true }] });
  });

  it("is reminded of the form", async () => {
    const { model, requests } = recorded([{ text: "Sure." }, { text: '{"ok": true}' }]);
    expect(await askAgent(model, looking())).toMatchObject({ kind: "answered" });
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: "user", text: expect.stringContaining("Answer now") });
  });

  it("has ten rounds, the last without tools", async () => {
    ran.length = 0;
    const { model, requests } = recorded(Array.from({ length: 20 }, () => look));
    expect(await askAgent(model, looking())).toEqual({ kind: "unreadable", message: "the agent gave no answer, in 10 rounds" });
    expect({ calls: requests.length, ran: ran.length, lastTools: requests[9]?.tools }).toEqual({ calls: 10, ran: 9, lastTools: [] });
  });

  it("has one timeout for all its rounds", async () => {
    const { model } = recorded([look, { text: '{"ok": true}', delayMs: 600_000 }]);
    expect(await askAgent(model, { ...looking(), timeoutMs: 20 })).toEqual({ kind: "timed-out" });
  });
});
