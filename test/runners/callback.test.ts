import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import type { Callback, Hook } from "../../src/model/hook.ts";
import { runCallback } from "../../src/runners/callback.ts";
import { hookFor } from "../../src/testing/index.ts";
import { payloadOf, runContext } from "../support/run-context.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const calling = (callback: string | Callback, changes: Partial<Hook> = {}, module: string | null = null): Hook =>
  hookFor(DIALECTS.mains, "PreToolUse", { action: { type: "callback", callback, module }, timeoutMs: 2_000, ...changes });

describe("[M9] endings", () => {
  test("what it returns is the answer, awaited or not", async () => {
    expect(
      (
        await runCallback(
          calling(() => ({ a: 1 })),
          payloadOf({}),
          runContext(),
        )
      ).result,
    ).toEqual({ kind: "returned", value: { a: 1 } });
    expect(
      (
        await runCallback(
          calling(async () => ({ a: 2 })),
          payloadOf({}),
          runContext(),
        )
      ).result,
    ).toEqual({ kind: "returned", value: { a: 2 } });
  });

  test.each<[string, Callback]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("no");
      },
    ],
    [
      "throws what is no error",
      () => {
        throw "no";
      },
    ], // oxlint-disable-line no-throw-literal -- callbacks of others do
  ])("one that %s is a fault", async (_, callback) => {
    expect((await runCallback(calling(callback), payloadOf({}), runContext())).result).toEqual({ kind: "failed", fault: "exception", message: "it threw: no" });
  });

  test("one whose answer throws when it is read is a fault", async () => {
    const trap: Callback = () => ({
      get decision() {
        throw new Error("no");
      },
    });
    expect((await runCallback(calling(trap), payloadOf({}), runContext())).result).toEqual({ kind: "failed", fault: "exception", message: "it threw: no" });
  });

  test("what JSON can't hold is left out of an answer and told, the rest counts", async () => {
    const input: { [key: string]: unknown } = { command: "ls", count: 1n, at: new Date(0) };
    input["self"] = input;
    const { result, remarks } = await runCallback(
      calling(() => ({ decision: "block", updatedInput: input, log: () => {} })),
      payloadOf({}),
      runContext(),
    );
    expect(result).toEqual({ kind: "returned", value: { decision: "block", updatedInput: { command: "ls", count: 1, at: "1970-01-01T00:00:00.000Z" } } });
    expect(remarks).toEqual(["updatedInput.self", "log"].map((path) => `${path} in its answer is nothing that JSON can hold and was left out`));
  });

  test("one that never answers is told to stop at the timeout", async () => {
    let aborted: unknown;
    const forever: Callback = async (_, __, { signal }) => new Promise(() => signal.addEventListener("abort", () => (aborted = signal.reason)));
    expect((await runCallback(calling(forever, { timeoutMs: 20 }), payloadOf({}), runContext())).result).toEqual({ kind: "timed-out", afterMs: 20 });
    expect(aborted).toEqual(new Error("no answer within 20 ms"));
  });

  test("one that rejects after its timeout harms nobody", async () => {
    const late: Callback = async (_, __, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("late"))));
    expect((await runCallback(calling(late, { timeoutMs: 20 }), payloadOf({}), runContext())).result).toMatchObject({ kind: "timed-out" });
  });

  test("the caller's signal ends the wait", async () => {
    const caller = new AbortController();
    const forever: Callback = async () => new Promise(() => caller.abort());
    expect((await runCallback(calling(forever), payloadOf({}), runContext({ signal: caller.signal }))).result).toMatchObject({ kind: "skipped" });
  });
});

test("it gets the payload and the tool use id; changing the payload changes nothing", async () => {
  const payload = payloadOf({ tool_input: { command: "ls" } }, { toolUseId: "use-1" });
  const seen: unknown[] = [];
  const nosy: Callback = (input, toolUseId) => {
    seen.push(structuredClone(input), toolUseId);
    if (typeof input === "object") Object.assign(input ?? {}, { tool_input: "changed" });
  };
  await runCallback(calling(nosy), payload, runContext());
  expect(seen).toEqual([{ tool_input: { command: "ls" } }, "use-1"]);
  expect(payload.stdin).toEqual({ tool_input: { command: "ls" } });
});

describe("[W2] callbacks by name", () => {
  test("come from the module that was given", async () => {
    expect((await runCallback(calling("guard"), payloadOf({}), runContext({ callbacks: { guard: () => ({ ok: 1 }) } }))).result).toEqual({
      kind: "returned",
      value: { ok: 1 },
    });
  });

  test.each(["missing", "toString", "constructor", "notAFunction"])("%s is a fault", async (name) => {
    const { result } = await runCallback(calling(name), payloadOf({}), runContext({ callbacks: { notAFunction: 1 } }));
    expect(result).toEqual({
      kind: "failed",
      fault: "callback",
      message: `there is no callback "${name}"; export a function of that name from the callbacks module`,
    });
  });

  test("come from callbacks.mjs beside the settings file otherwise", async () => {
    const folder = tempFolder();
    writeFiles(folder, { "callbacks.mjs": "export const guard = () => ({ from: 'beside' });\n", "broken.mjs": "export const = ;" });
    const ran = async (name: string, module: string): Promise<unknown> => (await runCallback(calling(name, {}, module), payloadOf({}), runContext())).result;
    expect(await ran("guard", `${folder}/callbacks.mjs`)).toEqual({ kind: "returned", value: { from: "beside" } });
    expect(await ran("other", `${folder}/callbacks.mjs`)).toMatchObject({
      kind: "failed",
      fault: "callback",
      message: `${folder}/callbacks.mjs exports no function "other"`,
    });
    expect(await ran("guard", `${folder}/none.mjs`)).toMatchObject({ kind: "failed", fault: "callback", message: expect.stringContaining("can't be loaded") });
    expect(await ran("guard", `${folder}/broken.mjs`)).toMatchObject({ kind: "failed", fault: "callback" });
  });
});
