import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ModelError, type ModelRequest } from "../../../src/session/model/model.ts";
import { loadScript, scriptedModel } from "../../../src/session/model/script.ts";
import { SnaphookError } from "../../../src/model/errors.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snaphook-script-"));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "",
  messages: [{ role: "user", text: "go" }],
  tools: [],
  purpose: "turn",
  signal: new AbortController().signal,
  ...over,
});

async function written(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const YAML = `contextWindow: 1000
summary: all that was said
turns:
  - text: First I look.
    toolCalls:
      - name: Bash
        input: { command: ls }
      - name: Read
    usage: { input: 12, output: 3 }
  - text:
  - error: provider exploded
agents:
  explorer:
    turns:
      - text: found it
    summary: what the explorer saw
`;

describe("the scripted model [K2] [S14]", () => {
  it("answers one entry for each call, from YAML", async () => {
    const model = await loadScript(await written("model.yaml", YAML));
    const deltas: string[] = [];
    const first = await model.call(request({ onText: (delta) => deltas.push(delta) }));
    expect(first).toEqual({
      text: "First I look.",
      toolCalls: [
        { id: expect.any(String), name: "Bash", input: { command: "ls" } },
        { id: expect.any(String), name: "Read", input: {} },
      ],
      usage: { input: 12, output: 3 },
    });
    expect(deltas).toEqual(["First ", "I ", "look."]);
    expect(await model.call(request())).toEqual({ text: "", toolCalls: [], usage: { input: 0, output: 0 } });
    expect(model.contextWindow).toBe(1000);
  });

  it("reads JSON too, with the default window and the path as it was written", async () => {
    const model = await loadScript(await written("model.json", `{"turns": [{"text": "hi"}]}`), "./model.json");
    expect({ id: model.id, window: model.contextWindow, text: (await model.call(request())).text }).toEqual({
      id: "script:./model.json",
      window: 200_000,
      text: "hi",
    });
  });

  it("gives every tool call an id of its own, over all models of the process", async () => {
    const script = {
      turns: [
        {
          toolCalls: [
            { name: "Bash", input: {} },
            { name: "Bash", input: {} },
          ],
        },
      ],
    };
    const answers = await Promise.all([scriptedModel(script), scriptedModel(script), scriptedModel(script)].map(async (model) => model.call(request())));
    const ids = answers.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id));
    expect(new Set(ids).size).toBe(6);
    expect(ids.every((id) => /^[\w-]+$/.test(id))).toBe(true);
  });

  it("rejects where the script says error", async () => {
    const model = scriptedModel({ turns: [{ error: "provider exploded" }, { text: "back again" }] });
    await expect(model.call(request())).rejects.toEqual(new ModelError("provider exploded"));
    expect((await model.call(request())).text).toBe("back again");
  });

  it("rejects a call beyond the script and says how many it holds", async () => {
    const model = scriptedModel({ turns: [{ text: "only" }] }, "script:model.yaml");
    await model.call(request());
    await expect(model.call(request())).rejects.toEqual(new ModelError("the script has no answer 2: it holds 1 turns (script:model.yaml)."));
  });

  it("answers compaction and forced summaries with the summary, without using up a turn", async () => {
    const model = await loadScript(await written("summary.yaml", YAML));
    expect((await model.call(request({ purpose: "compaction" }))).text).toBe("all that was said");
    expect((await model.call(request({ purpose: "summary" }))).text).toBe("all that was said");
    expect((await model.call(request())).text).toBe("First I look.");
    expect((await model.forAgent("explorer").call(request({ purpose: "summary" }))).text).toBe("what the explorer saw");
    expect((await scriptedModel({ turns: [] }).call(request({ purpose: "compaction" }))).text).toBe("Summary of the conversation so far.");
  });

  it("gives each subagent the script of its type, from the beginning", async () => {
    const model = scriptedModel({ turns: [{ text: "main" }], agents: { explorer: { turns: [{ text: "found it" }] } } });
    const [one, two] = [model.forAgent("explorer"), model.forAgent("explorer")];
    expect([(await one.call(request())).text, (await two.call(request())).text, (await one.forAgent("explorer").call(request())).text]).toEqual([
      "found it",
      "found it",
      "found it",
    ]);
    await expect(one.call(request())).rejects.toEqual(new ModelError("the script has no answer 2 for the agent explorer: it holds 1 turns (script:inline)."));
    expect((await model.call(request())).text).toBe("main");
  });

  it.each(["builder", "toString", "__proto__"])("rejects the calls of an agent that it has no script for: %s", async (type) => {
    const model = scriptedModel({ turns: [{ text: "main" }] });
    await expect(model.forAgent(type).call(request())).rejects.toEqual(
      new ModelError(`the script has no agent "${type}": add agents.${type}.turns to it (script:inline).`),
    );
  });

  it("waits delayMs, and a cancelled wait ends at once with the reason of the cancellation", async () => {
    const model = scriptedModel({
      turns: [
        { text: "late", delayMs: 600_000 },
        { text: "soon", delayMs: 1 },
      ],
    });
    const cancel = new AbortController();
    const call = model.call(request({ signal: cancel.signal }));
    const reason = new Error("Esc");
    cancel.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect((await model.call(request())).text).toBe("soon");
    await expect(model.call(request({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
  });
});

describe("a wrong script is told with its place [K2] [W5]", () => {
  const rows: readonly (readonly [says: string, name: string, text: string, message: string])[] = [
    [
      "an unknown key",
      "a.yaml",
      "turns:\n  - txt: hi\n",
      'a.yaml:2:5: turns[0].txt is not known here, did you mean "text"; known are text, toolCalls, usage, delayMs, error.',
    ],
    ["text that is a number", "b.yaml", "turns:\n  - text: 42\n", "b.yaml:2:5: turns[0].text is not text; put it in quotes."],
    ["a call without a name", "c.json", '{"turns":[{"toolCalls":[{"input":{}}]}]}', "c.json:1:25: turns[0].toolCalls[0].name is missing."],
    ["turns that are no list", "d.yaml", "turns: hello\n", "d.yaml:1:1: turns is not a list with one entry for each model call."],
    ["a turn that is text", "e.yaml", "turns:\n  - hello\n", "e.yaml:2:5: turns[0] is not an object."],
    ["tokens below zero", "f.yaml", "turns:\n  - usage:\n      input: -1\n", "f.yaml:3:7: turns[0].usage.input is below zero."],
    ["a list as the script", "g.yaml", "- text: hi\n", "g.yaml:1:1: the script is not an object."],
    ["broken JSON", "h.json", '{"turns": [', "h.json:1:12: close bracket expected."],
  ];
  it.each(rows)("%s", async (_says, name, text, message) => {
    const failure = await loadScript(await written(name, text), name).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SnaphookError);
    expect(failure).toMatchObject({ code: "SNAP_BAD_CONFIG", exitCode: 78, message });
  });

  it("a file that is not there", async () => {
    const failure = await loadScript(join(folder, "none.yaml"), "none.yaml").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "SNAP_BAD_CONFIG", exitCode: 78, message: "the model script none.yaml can't be read: there is no such file." });
  });
});
