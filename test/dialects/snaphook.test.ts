import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { EVENTS } from "../../src/model/events.ts";
import { conformance, exited, payloadAs, returned } from "../../src/testing/index.ts";

conformance(
  DIALECTS.snaphook,
  [
    {
      says: "a verdict with its reason",
      wire: "tool.before",
      run: exited(0, '{"verdict":"ask","reason":"sure?"}'),
      means: { verdict: "ask", reason: "sure?" },
    },
    {
      says: "deny without a reason says which hook",
      wire: "tool.before",
      run: returned({ verdict: "deny" }),
      means: { verdict: "deny", reason: 'tool.before hook "hook" denied without a reason' },
    },
    { says: "ok: false denies", wire: "tool.before", run: returned({ ok: false, reason: "no" }), means: { verdict: "deny", reason: "no" } },
    {
      says: "an unknown verdict is a fault",
      wire: "tool.before",
      run: exited(0, '{"verdict":"block"}'),
      means: { fault: { kind: "answer", message: 'verdict "block" is not one of allow, ask, deny' } },
    },
    {
      says: "input that is no object is a fault",
      wire: "tool.before",
      run: exited(0, '{"verdict":"allow","input":"ls"}'),
      means: { fault: { kind: "answer", message: "input is not an object" } },
    },
    {
      says: "unknown keys are told",
      wire: "tool.before",
      run: exited(0, '{"verdict":"allow","reasons":"x"}'),
      means: { verdict: "allow", remarks: ['"reasons" is not a key of an answer and was ignored'] },
    },
    {
      says: "exit 2 denies: an answer's reason before stderr before stdout",
      wire: "tool.before",
      run: exited(2, '{"reason":"json"}', "err"),
      means: { verdict: "deny", reason: "json" },
    },
    {
      says: "exit 2 keeps effects but no rewrite and no rule",
      wire: "tool.before",
      run: exited(2, '{"reason":"r","context":"c","input":{"a":1},"rules":"Read"}'),
      means: { verdict: "deny", reason: "r", effects: [{ kind: "context", text: "c" }] },
    },
    {
      says: "plain text is context where the model is about to read",
      wire: "prompt.submit",
      run: exited(0, "hi"),
      means: { effects: [{ kind: "context", text: "hi" }] },
    },
    {
      says: "every effect, one text or a list of texts",
      wire: "tool.before",
      run: returned({ context: ["a", "b"], feedback: "f", message: "m", input: { x: 1 }, rules: ["Read"], interrupt: true }),
      means: {
        effects: [
          { kind: "context", text: "a" },
          { kind: "context", text: "b" },
          { kind: "feedback", text: "f" },
          { kind: "message", text: "m" },
          { kind: "input", value: { x: 1 } },
          { kind: "rule", allow: "Read" },
          { kind: "interrupt" },
        ],
      },
    },
  ],
  { describe, test, expect },
);

test("an answer of one word is read as a longer one that says the same", () => {
  const { returned: reader, events } = DIALECTS.snaphook;
  const how = { wireName: "tool.before", row: events["tool.before"] ?? expect.unreachable() };
  const words = fc.constantFrom<unknown>("allow", "ask", "deny", "maybe", "toString", "", null, undefined, 7, { verdict: "deny" });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("verdict", "id", "ok", "__proto__", "colour"), words), (answer) => {
      // A key without a value makes it an answer that is read word by word.
      expect(reader.read(answer, how)).toEqual(reader.read({ ...answer, reason: undefined }, how));
    }),
  );
});

test("its events are the canonical ones", () => {
  expect(Object.keys(DIALECTS.snaphook.events)).toEqual(Object.keys(EVENTS));
});

test("its payload is the event itself, the tool spelled canonically", () => {
  const { stdin, env } = payloadAs(DIALECTS.snaphook, "tool.before", {
    name: "tool.before",
    sessionId: "s",
    cwd: "/p",
    tool: { name: "developer__shell", input: { command: "ls" } },
  });
  expect(stdin).toEqual({ event: "tool.before", sessionId: "s", cwd: "/p", tool: { name: "shell", input: { command: "ls" } } });
  expect(env).toEqual({ SNAPHOOK_EVENT: "tool.before", SNAPHOOK_PROJECT_DIR: "/p", SNAPHOOK_TOOL: "shell", SNAPHOOK_SESSION_ID: "s" });
});
