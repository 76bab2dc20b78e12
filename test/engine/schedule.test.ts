import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { groupsOf } from "../../src/engine/plan.ts";
import { schedule, type Scheduled } from "../../src/engine/schedule.ts";
import { voiceOf } from "../../src/engine/words.ts";
import type { HookEvent } from "../../src/model/events.ts";
import type { Heard } from "../../src/model/heard.ts";
import type { Hook } from "../../src/model/hook.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { callOf, guard, heard } from "../support/events.ts";
import * as fc from "fast-check";

const { lime, claw, goose, mains, "claude-code": claudeCode } = DIALECTS;

type Hear = (hook: Hook, event: HookEvent) => Heard | Promise<Heard>;

function inOrder(hooks: readonly Hook[], event: HookEvent, hear: Hear): Scheduled | Promise<Scheduled> {
  return schedule(groupsOf(hooks.map(voiceOf)), event, { hear: ({ hook }, current) => hear(hook, current) });
}

interface Listener {
  readonly hear: Hear;
  readonly started: string[];
  readonly ended: string[];
  readonly saw: { [name: string]: unknown };
}

/** Answers from a table, and remembers who started and ended when and saw what. With `endOrder` all wait for each other, then end in that order. */
function listener(answers: { readonly [name: string]: Partial<Outcome> }, endOrder: readonly string[] = []): Listener {
  const started: string[] = [];
  const ended: string[] = [];
  const saw: { [name: string]: unknown } = {};
  const waiting = new Map<string, () => void>();
  const releaseNext = (): void => waiting.get(endOrder[ended.length] ?? "")?.();
  const hear: Hear = async (hook, event) => {
    started.push(hook.name);
    saw[hook.name] = event.tool?.input["command"];
    if (endOrder.length > 0) {
      await new Promise<void>((resolve) => {
        waiting.set(hook.name, resolve);
        if (waiting.size === endOrder.length) releaseNext();
      });
    }
    ended.push(hook.name);
    releaseNext();
    return heard(hook, answers[hook.name]);
  };
  return { hear, started, ended, saw };
}

const rewrite = (command: string): Partial<Outcome> => ({ effects: [{ kind: "input", value: { command } }] });
const commandOf = (event: HookEvent): unknown => event.tool?.input["command"];
const namesOf = (all: readonly { readonly hook: { readonly name: string } }[]): string[] => all.map(({ hook }) => hook.name);

describe("sequential dialects", () => {
  test("[P3] each hook sees the rewrite before it", async () => {
    const { hear, saw } = listener({ a: rewrite("second"), b: rewrite("third") });
    const { event, notices } = await inOrder([guard("a", lime), guard("b", lime), guard("c", lime)], callOf("first"), hear);
    expect(saw).toEqual({ a: "first", b: "second", c: "third" });
    expect(commandOf(event)).toBe("third");
    expect(notices).toEqual([]);
  });

  test("a rewrite replaces raw input too", async () => {
    const { event } = await inOrder(
      [guard("a", lime)],
      { name: "tool.before", tool: { name: "shell", input: { raw: "{oops" }, rawInput: "{oops" } },
      listener({ a: rewrite("ls") }).hear,
    );
    expect(event.tool).toEqual({ name: "shell", input: { command: "ls" } });
  });

  test("lime: a deny stops nobody", async () => {
    const { hear, started } = listener({ a: { verdict: "deny" } });
    await inOrder([guard("a", lime), guard("b", lime)], callOf("ls"), hear);
    expect(started).toEqual(["a", "b"]);
  });

  test.each([claw, goose])("$id: a deny skips the rest of its dialect", async (dialect) => {
    const { hear, started } = listener({ a: { verdict: "deny" } });
    const { heard: all } = await inOrder([guard("a", dialect), guard("b", dialect), guard("c", lime), guard("d", dialect)], callOf("ls"), hear);
    expect(started).toEqual(["a", "c"]);
    expect(namesOf(all)).toEqual(["a", "b", "c", "d"]);
    expect(all.map(({ run }) => run.result.kind)).toEqual(["exited", "skipped", "exited", "skipped"]);
  });

  test("claw: a fault whose onFault denies skips the rest too", async () => {
    const { hear, started } = listener({ a: { fault: { kind: "timeout", message: "" } } });
    await inOrder([guard("a", claw, { onFault: "deny" }), guard("b", claw)], callOf("ls"), hear);
    expect(started).toEqual(["a"]);
  });
});

describe("parallel dialects", () => {
  test.each([mains, claudeCode])("$id: all start before any ends, results keep configured order [P2]", async (dialect) => {
    const { hear, started, ended } = listener({}, ["c", "b", "a"]);
    const { heard: all } = await inOrder([guard("a", dialect), guard("b", dialect), guard("c", dialect)], callOf("ls"), hear);
    expect(started).toEqual(["a", "b", "c"]);
    expect(ended).toEqual(["c", "b", "a"]);
    expect(namesOf(all)).toEqual(["a", "b", "c"]);
  });

  test("[P3] of two rewrites the later in configured order wins, and a notice names both", async () => {
    const { hear, saw } = listener({ a: rewrite("of a"), b: rewrite("of b") }, ["b", "a"]);
    const { event, notices } = await inOrder([guard("a", mains), guard("b", mains)], callOf("first"), hear);
    expect(saw).toEqual({ a: "first", b: "first" });
    expect(commandOf(event)).toBe("of b");
    expect(notices).toEqual([
      { kind: "rewrite", message: "a and b rewrote the same call side by side; b stands later in the configuration and wins", hook: "b" },
    ]);
  });

  test("neighbours of another dialect wait their turn [P5]", async () => {
    const { hear, started, saw } = listener({ a: rewrite("of a") });
    await inOrder([guard("a", mains), guard("b", mains), guard("c", lime)], callOf("first"), hear);
    expect(started).toEqual(["a", "b", "c"]);
    expect(saw["c"]).toBe("of a");
  });
});

test("[P2] whatever the mix of dialects, results are in configured order and nobody is lost", async () => {
  const kinds = fc.array(fc.record({ dialect: fc.constantFrom(lime, claw, goose, mains), verdict: fc.constantFrom("deny", "allow", null) }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(kinds, async (all) => {
      const hooks = all.map(({ dialect }, index) => guard(String(index), dialect));
      const { hear } = listener(Object.fromEntries(all.map(({ verdict }, index) => [String(index), { verdict }])));
      expect(namesOf((await inOrder(hooks, callOf("ls"), hear)).heard)).toEqual(hooks.map(({ name }) => name));
    }),
  );
});
