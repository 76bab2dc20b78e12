import { describe, expect, test } from "vitest";
import { readEvent } from "../../src/engine/event-input.ts";

describe("the input of a call [C2]", () => {
  test.each<[string, unknown, object]>([
    ["an object", { command: "ls" }, { input: { command: "ls" } }],
    ["text that holds an object", '{"command":"ls"}', { input: { command: "ls" } }],
    ["text that does not", "{oops", { input: { raw: "{oops" }, rawInput: "{oops" }],
    ["a list", [1], { input: { raw: "[1]" }, rawInput: "[1]" }],
    ["nothing", undefined, { input: {} }],
    ["null", null, { input: {} }],
  ])("%s", (_, input, expected) => {
    expect(readEvent("tool.before", { tool: { name: "Bash", input } })).toEqual({ name: "tool.before", tool: { name: "Bash", ...expected } });
  });

  test("one nested without end is refused by name; as text it is shown raw", () => {
    const deep = `{"a":${"[".repeat(6_000)}${"]".repeat(6_000)}}`;
    const read = (input: unknown): unknown => readEvent("tool.before", { tool: { name: "x", input } });
    expect(() => read(JSON.parse(deep))).toThrow("tool is nested deeper than 2000 levels");
    expect(read(deep)).toMatchObject({ tool: { input: { raw: deep } } });
  });

  test("__proto__ stays an own key and poisons nothing", () => {
    const event = readEvent("tool.before", JSON.parse('{"tool":{"name":"Bash","input":{"__proto__":{"polluted":true}}}}'));
    expect(JSON.stringify(event.tool?.input)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

test("null fields are absent, also inside a tool", () => {
  expect(readEvent("tool.after", { sessionId: null, cwd: "/p", tool: { name: "Bash", output: null } })).toEqual({
    name: "tool.after",
    cwd: "/p",
    tool: { name: "Bash", input: {} },
  });
});

test("a false output is an output", () => {
  expect(readEvent("tool.after", { tool: { name: "x", output: false, isError: false } }).tool).toEqual({ name: "x", input: {}, output: false, isError: false });
});

test.each([
  ["prompt", { prompt: 1 }, "the event is not valid: prompt is not text"],
  ["agent", { agent: "x" }, "the event is not valid: agent is not an object"],
  ["tool.isError", { tool: { name: "x", isError: "no" } }, "the event is not valid: tool.isError is not true or false"],
  ["the whole", "x", "the event is not valid: it is not an object"],
])("a wrong %s is the caller's mistake, with a code", (_, value, message) => {
  expect(() => readEvent("tool.before", value)).toThrow(expect.objectContaining({ code: "SNAP_BAD_EVENT", message }));
});
