/** The short way and the whole way of an event come to the same decision; what hooks share, and what they can't do to each other. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEngine, type Engine, type EngineOptions } from "../../src/engine/engine.ts";
import { defineHook, type AnyLibraryHook, type NativeAnswer } from "../../src/engine/library-hook.ts";
import { merge, mergeSilence } from "../../src/engine/merge.ts";
import { Silence } from "../../src/engine/silence.ts";
import type { Decision, GateReport } from "../../src/model/decision.ts";
import { EVENTS, type EventName, type HookEvent } from "../../src/model/events.ts";
import type { Rule } from "../../src/model/rule.ts";
import { VERDICTS, type Verdict } from "../../src/model/verdict.ts";
import { runCallback } from "../../src/runners/callback.ts";
import type { Payload } from "../../src/runners/runner.ts";
import { returned } from "../../src/testing/index.ts";
import { callOf, guard, heard } from "../support/events.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

async function engineOf(options: Partial<EngineOptions>): Promise<Engine> {
  const cwd = options.cwd ?? tempFolder();
  return createEngine({ cwd, env: { HOME: cwd, TMPDIR: cwd }, discover: false, ...options });
}

/** A promise of someone else's make. */
class Later<T> extends Promise<T> {}

/** The same with a `then` of its own. */
function withThen(value: object, then: (tell: (answer: unknown) => void) => void): Promise<NativeAnswer> {
  return Object.defineProperty(Object(value), "then", { value: then }); // oxlint-disable-line unicorn/no-thenable -- that is what is tested
}

/** Without what differs from run to run. */
const timeless = ({ hooks, ...decision }: Decision): object => ({ ...decision, hooks: hooks.map((hook) => ({ ...hook, durationMs: 0 })) });

const eventNames = Object.keys(EVENTS).filter((name): name is EventName => Object.hasOwn(EVENTS, name));

describe("the short way", () => {
  const answers: fc.Arbitrary<NativeAnswer | undefined> = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    fc.record(
      {
        verdict: fc.constantFrom(...VERDICTS),
        reason: fc.constantFrom("", "because", "so"),
        input: fc.constantFrom({ command: "rm x" }, { command: "ls" }),
        context: fc.constantFrom("c", ["c", "d"]),
        feedback: fc.constant("f"),
        message: fc.constantFrom("m", "n"),
        rules: fc.constant("Bash(ls)"),
        interrupt: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  );
  const says = fc.record({
    answer: answers,
    how: fc.constantFrom("at once", "at once", "promised", "later", "throws", "rejects", "nonsense", "derived", "thenable", "impostor", "sabotaged"),
    onFault: fc.constantFrom(...VERDICTS),
    takes: fc.constantFrom("its event", "nothing"),
  });
  type Says = typeof says extends fc.Arbitrary<infer T> ? T : never;

  /** A function of each kind: one that takes its event and one that takes nothing go different ways. */
  function hookThat({ answer, how, onFault, takes }: Says, event: EventName, { index, chained }: { index: number; chained: boolean }): AnyLibraryHook {
    const say = (): NativeAnswer | undefined | Promise<NativeAnswer | undefined> => {
      switch (how) {
        case "at once":
          return answer;
        case "promised":
          return Promise.resolve(answer);
        case "later":
          return new Promise((resolve) => void setImmediate(() => resolve(answer)));
        case "throws":
          throw new Error("no");
        case "rejects":
          return Promise.reject(new Error("no"));
        case "derived":
          return Later.resolve(answer);
        case "thenable":
          return withThen({}, (tell) => tell(answer));
        case "impostor": // it has the prototype of a promise and is none
          return Object.create(Promise.prototype);
        case "sabotaged":
          return withThen(Promise.resolve(answer), () => {
            throw new Error("no then");
          });
        default:
          return JSON.parse('{"verdict":"maybe"}');
      }
    };
    const sees = (given: { readonly event: EventName }): ReturnType<typeof say> =>
      given.event === event ? say() : { verdict: "deny", reason: "another event" };
    const call = chained ? async () => say() : takes === "nothing" ? () => say() : sees;
    return { event, name: `hook ${index}`, onFault, call };
  }

  const rules: fc.Arbitrary<readonly Rule[]> = fc.subarray<Rule>([
    { verdict: "deny", text: "Bash(rm *)" },
    { verdict: "ask", text: "Bash(git *)" },
    { verdict: "allow", text: "Bash(ls)" },
  ]);

  test("comes to the same decision as the whole way, whatever functions say and however they say it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(says, { maxLength: 5 }),
        fc.constantFrom(...eventNames),
        fc.constantFrom("ls", "rm x", "git push"),
        rules,
        // Where all of them are asynchronous and take nothing, they are called on a way that is shorter still.
        fc.boolean(),
        async (all, name, command, ruled, chained) => {
          const hooks = all.map((each, index) => hookThat(each, name, { index, chained }));
          const event: HookEvent = { name, sessionId: "s", tool: { name: "Bash", input: { command }, output: "out" } };
          const short = await engineOf({ hooks, rules: ruled });
          // A runner that stands in for the table's makes every function go the whole way.
          const whole = await engineOf({ hooks, rules: ruled, runners: { callback: runCallback } });
          expect(timeless(await short.fire(event))).toEqual(timeless(await whole.fire(event)));
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each<[string, (waits: () => Promise<undefined>) => (event: object) => Promise<undefined>]>([
    ["take nothing and promise", (waits) => async () => waits()],
    ["take nothing", (waits) => () => waits()],
    ["take their event", (waits) => async (_event: object) => waits()],
  ])("functions that %s: one that never answers is left at its time, when the caller cancels, and with the engine", async (_, made) => {
    const asked: string[] = [];
    const calls = (word: string, waits: () => Promise<undefined>): ((event: object) => Promise<undefined>) =>
      made(async () => {
        asked.push(word);
        return waits();
      });
    const soon = async (): Promise<undefined> => undefined;
    const turns = async (): Promise<undefined> => new Promise((resolve) => void setImmediate(() => setImmediate(() => resolve(undefined))));
    const never = async (): Promise<undefined> => new Promise(() => {});
    const hooksThat = (timeoutMs: number): AnyLibraryHook[] => [
      { event: "tool.before", name: "soon", call: calls("soon", soon) },
      { event: "tool.before", name: "turns", call: calls("turns", turns) },
      { event: "tool.before", name: "never", onFault: "deny", timeoutMs, call: calls("never", never) },
      { event: "tool.before", name: "last", call: calls("last", soon) },
    ];
    const late = await (await engineOf({ hooks: hooksThat(20) })).fire(callOf("ls"));
    expect(late.hooks.map(({ name, ended }) => [name, ended])).toEqual([
      ["soon", "returned"],
      ["turns", "returned"],
      ["never", "timed-out"],
      ["last", "returned"],
    ]);
    expect([late.verdict, asked.splice(0)]).toEqual(["deny", ["soon", "turns", "never", "last"]]);

    const engine = await engineOf({ hooks: hooksThat(3_600_000) });
    const controller = new AbortController();
    const cancelled = engine.fire(callOf("ls"), { signal: controller.signal });
    await expect.poll(() => asked.splice(0).includes("never")).toBe(true);
    controller.abort(new Error("enough"));
    await expect(cancelled).rejects.toThrow("enough");

    const closed = engine.fire(callOf("ls"));
    await expect.poll(() => asked.splice(0).includes("never")).toBe(true);
    const ended = expect(closed).rejects.toThrow("aborted");
    await engine.close();
    await ended;
  });

  test("merges silence as any answers are merged", () => {
    const gates: fc.Arbitrary<GateReport | null> = fc.option(
      fc.record({
        verdict: fc.constantFrom<Verdict>(...VERDICTS),
        because: fc.constantFrom("", "a rule"),
        step: fc.constantFrom("mode", "deny"),
        mode: fc.constant("default"),
      }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...eventNames),
        gates,
        fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { maxLength: 4 }),
        fc.boolean(),
        (name, gate, silentMs, hasTool) => {
          const given: HookEvent = hasTool ? { ...callOf("ls"), name } : { name };
          const hooks = silentMs.map((_, index) => guard(`hook ${index}`));
          const all = hooks.map((hook, index) => {
            const silent = heard(hook, {}, returned(undefined));
            return { ...silent, run: { ...silent.run, durationMs: silentMs[index] ?? 0 } };
          });
          const notices = [{ kind: "fault" as const, message: "m" }];
          // An event that was made anew goes through the merge of what is not silent.
          const merged = merge({ given, event: { ...given }, heard: all, beforeGate: all, gate, floors: [], notices });
          expect(mergeSilence(given, gate, new Silence(hooks).reports(silentMs), notices)).toEqual(merged);
          expect(merge({ given, event: given, heard: all, beforeGate: all, gate, floors: [], notices })).toEqual(merged);
        },
      ),
    );
  });

  test("a settings file that can't be read asks also where no hook speaks", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { "broken.json": "{" });
    const engine = await engineOf({ cwd, configs: [{ file: "broken.json", dialect: "lime" }], hooks: [{ event: "tool.before", call: () => undefined }] });
    expect(await engine.fire(callOf("ls"))).toMatchObject({ verdict: "ask", hooks: [{ ended: "returned" }] });
  });

  test("a caller who has cancelled hears of it", async () => {
    const reason = new Error("enough");
    for (const hooks of [
      [],
      [defineHook({ event: "tool.before", call: () => undefined })],
      [defineHook({ event: "tool.before", call: async () => undefined })],
    ]) {
      await expect((await engineOf({ hooks })).fire(callOf("ls"), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    }
  });
});

describe("functions and the event", () => {
  test("what one does to its event, neither the others nor the caller see, nor the next event", async () => {
    const seen: string[] = [];
    const vandal = defineHook({
      event: "tool.after",
      call: (given) => {
        seen.push(JSON.stringify(given));
        const words: { [key: string]: unknown } = Object(given);
        Object.assign(Object(given.tool.input), { command: "changed", nested: null });
        Object.assign(Object(given.agent), { id: "changed" });
        Object.assign(Object(given.tool.output), { text: "changed" });
        words["tool"] = null;
        words["sessionId"] = "changed";
      },
    });
    const engine = await engineOf({ hooks: [vandal, vandal, vandal] });
    const event: HookEvent = {
      name: "tool.after",
      sessionId: "s",
      agent: { id: "a" },
      tool: { name: "shell", input: { command: "ls", nested: { deep: [1] } }, output: { text: "out" } },
    };
    const before = structuredClone(event);
    const decision = await engine.fire(event);
    await engine.fire(event);
    const { name, ...words } = before;
    expect(seen.map((text): unknown => JSON.parse(text))).toEqual(Array.from({ length: 6 }, () => ({ event: name, ...words })));
    expect([event, decision.input, decision.hooks.map(({ fault }) => fault)]).toEqual([before, before.tool?.input, [null, null, null]]);
  });

  test("their signal is there when they read it, and ends with the caller", async () => {
    const caller = new AbortController();
    const seen: AbortSignal[] = [];
    const waits = defineHook({
      event: "tool.before",
      call: async (_, options) => {
        seen.push(options.signal, options.signal);
        caller.abort(new Error("enough"));
        await new Promise(() => {});
      },
    });
    await expect((await engineOf({ hooks: [waits] })).fire(callOf("ls"), { signal: caller.signal })).rejects.toThrow("enough");
    expect(seen[0]).toBe(seen[1]);
    expect(seen[0]?.reason).toEqual(new Error("enough"));
  });

  test("one after another, each waits for the one before it", async () => {
    const order: string[] = [];
    const step = (name: string): AnyLibraryHook => ({
      event: "tool.before",
      call: async () => {
        order.push(`${name} starts`);
        await new Promise((resolve) => void setImmediate(resolve));
        order.push(`${name} ends`);
        return undefined;
      },
    });
    await (await engineOf({ hooks: [step("a"), step("b")] })).fire(callOf("ls"));
    expect(order).toEqual(["a starts", "a ends", "b starts", "b ends"]);
  });
});

describe("[F5] payloads", () => {
  /** Fires through hooks whose runner only looks at what it was given. */
  async function payloadsOf(
    settings: object,
    event: HookEvent,
    { dialect = "lime", answer = () => "" }: { readonly dialect?: string; readonly answer?: (index: number) => string } = {},
  ): Promise<readonly Payload[]> {
    const cwd = tempFolder();
    writeFiles(cwd, { "s.json": settings });
    const payloads: Payload[] = [];
    const engine = await engineOf({
      cwd,
      configs: [{ file: "s.json", dialect }],
      runners: {
        command: (_, payload) => {
          payloads.push(payload);
          expect(payload.stdinText).toBe(payload.stdinText);
          return { result: { kind: "exited", code: 0, stdout: answer(payloads.length), stderr: "" }, stubbed: [], remarks: [] };
        },
      },
    });
    await engine.fire(event);
    await engine.settled();
    return payloads;
  }

  /** An input that counts how often it is written. */
  function counted(): { readonly input: { [key: string]: unknown }; written: number } {
    const count = { input: {}, written: 0 };
    count.input = { command: "ls", toJSON: () => ({ command: "ls", written: (count.written += 1) }) };
    return count;
  }

  test("are written once for all hooks that are shown the same words", async () => {
    const count = counted();
    const payloads = await payloadsOf(
      { hooks: { PreToolUse: ["a", "b", "c", "d", "e"] } },
      { name: "tool.before", tool: { name: "shell", input: count.input } },
    );
    expect(payloads).toHaveLength(5);
    expect(new Set(payloads.map(({ stdinText }) => stdinText)).size).toBe(1);
    expect(count.written).toBe(1);
  });

  test("also for hooks that nobody waits for, beside those that are waited for", async () => {
    const count = counted();
    const hooks = { "tool.before": [{ command: "a", async: true }, { command: "b" }, { command: "c", async: true }] };
    const payloads = await payloadsOf({ hooks }, { name: "tool.before", tool: { name: "shell", input: count.input } }, { dialect: "snaphook" });
    expect([payloads.length, count.written]).toEqual([3, 1]);
  });

  test("are written anew after a rewrite", async () => {
    const rewrite = JSON.stringify({ hookSpecificOutput: { updatedInput: { command: "pwd" } } });
    const payloads = await payloadsOf({ hooks: { PreToolUse: ["a", "b", "c"] } }, callOf("ls"), { answer: (index) => (index === 1 ? rewrite : "") });
    expect(payloads.map(({ stdin }) => stdin["tool_input"])).toEqual([{ command: "ls" }, { command: "pwd" }, { command: "pwd" }]);
  });
});

describe("functions that are waited for", () => {
  const later = async (): Promise<undefined> => new Promise((resolve) => void setTimeout(() => resolve(undefined), 5));
  const never = async (): Promise<undefined> => new Promise(() => {});

  test("one that is late is a fault, and those before and after it are heard", async () => {
    const engine = await engineOf({
      hooks: [
        { event: "tool.before", name: "later", call: later },
        { event: "tool.before", name: "never", call: never, timeoutMs: 20 },
        { event: "tool.before", name: "at once", call: () => ({ verdict: "allow" }) },
      ],
    });
    const { hooks } = await engine.fire(callOf("ls"));
    expect(hooks.map(({ name, ended, fault }) => [name, ended, fault?.kind ?? null])).toEqual([
      ["later", "returned", null],
      ["never", "timed-out", "timeout"],
      ["at once", "returned", null],
    ]);
  });

  test("one that is late sees its signal aborted", async () => {
    const reasons: unknown[] = [];
    const listens = async (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<undefined> =>
      new Promise(() => signal.addEventListener("abort", () => reasons.push(signal.reason)));
    const engine = await engineOf({ hooks: [{ event: "tool.before", call: listens, timeoutMs: 20 }] });
    await engine.fire(callOf("ls"));
    expect(reasons).toEqual([new Error("no answer within 20 ms")]);
  });

  test("a caller who cancels meanwhile is not kept waiting", async () => {
    const engine = await engineOf({ hooks: [{ event: "tool.before", call: never }] });
    const controller = new AbortController();
    const fired = engine.fire(callOf("ls"), { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 5);
    await expect(fired).rejects.toThrow("enough");
  });

  test("one that throws later is a fault", async () => {
    const engine = await engineOf({ hooks: [{ event: "tool.before", call: async () => Promise.reject(new Error("no")) }] });
    expect((await engine.fire(callOf("ls"))).hooks).toMatchObject([{ ended: "returned", fault: { kind: "exception" } }]);
  });
});
