import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { flag, optional, text } from "../../../src/session/tools/define.ts";
import { inputSchemaOf } from "../../../src/session/tools/input-schema.ts";
import { TOOL_LIST, toolNamed } from "../../../src/session/tools/index.ts";
import { bench, wrong } from "./context.ts";

test("[S2] the tools in the order in which they are offered", () => {
  expect(TOOL_LIST.map(({ name }) => name).join(" ")).toBe(
    "Bash Read Write Edit Glob Grep WebFetch Agent AskUserQuestion TaskCreate TaskUpdate TaskList BashOutput KillShell",
  );
});

test("[W8] the inputs that must be given are Claude Code's", () => {
  expect(Object.fromEntries(TOOL_LIST.map(({ name, inputSchema }) => [name, inputSchema["required"]]))).toEqual({
    Bash: ["command"],
    Read: ["file_path"],
    Write: ["file_path", "content"],
    Edit: ["file_path", "old_string", "new_string"],
    Glob: ["pattern"],
    Grep: ["pattern"],
    WebFetch: ["url", "prompt"],
    Agent: ["description", "prompt"],
    AskUserQuestion: ["questions"],
    TaskCreate: ["subject"],
    TaskUpdate: ["taskId"],
    TaskList: [],
    BashOutput: ["bash_id"],
    KillShell: ["shell_id"],
  });
});

test.each([
  ["bash", "Bash"],
  ["developer__shell", "Bash"],
  ["read_file", "Read"],
  ["grep_search", "Grep"],
  ["Task", "Agent"],
  ["TaskList", "TaskList"],
])("[E3] %s is understood as %s", (name, tool) => {
  expect(toolNamed(name)?.name).toBe(tool);
});

test.each(["toString", "__proto__", "Nope", "mcp__a__b"])("%s is no tool", (name) => {
  expect(toolNamed(name)).toBeUndefined();
});

test("only the question to the user is answered by the approver", () => {
  expect(TOOL_LIST.filter((tool) => tool.asksApprover).map(({ name }) => name)).toEqual(["AskUserQuestion"]);
});

describe("wrong input is an error result that names the key [W8]", () => {
  test.each([
    ["Read", {}, "file_path is missing"],
    ["Read", { file_path: 3 }, "file_path is not text"],
    ["Read", { file_path: "" }, "file_path is empty"],
    ["Read", { file_path: "x", offset: "1" }, "offset is not a number"],
    ["Read", { file_path: "x", limit: 0 }, "limit is below 1"],
    ["Write", { file_path: "x" }, "content is missing"],
    ["Edit", { file_path: "x", old_string: "a" }, "new_string is missing"],
    ["Bash", { command: "  " }, "command is empty"],
    ["Bash", { command: null }, "command is not text"],
    ["Bash", { command: "true", timeout: 600_001 }, "timeout is above 600000 milliseconds"],
    ["Bash", { command: "true", run_in_background: "yes" }, "run_in_background is not true or false"],
    ["Grep", { pattern: "x", output_mode: "lines" }, "output_mode is not one of files_with_matches, content, count"],
    ["AskUserQuestion", { questions: "x" }, "questions is not a list"],
    ["AskUserQuestion", { questions: [] }, "questions is empty"],
    ["AskUserQuestion", { questions: [{ question: "x" }] }, "questions.0.options is missing"],
    ["Agent", { description: "x" }, "prompt is missing"],
    ["TaskUpdate", { taskId: "1", status: "done" }, "status is not one of pending, in_progress, completed, deleted"],
  ])("%s %j: %s", async (tool, input, message) => {
    expect(await bench().run(tool, input)).toEqual(wrong(message));
  });

  test("null is the same as nothing where a field may be left out", async () => {
    expect(await bench().run("Bash", { command: "echo x", timeout: null, description: null, run_in_background: null })).toEqual({
      output: "x",
      isError: false,
    });
  });

  test("[E3] the keys of other dialects are understood", async () => {
    const { run } = bench();
    await run("Write", { filePath: "a.txt", content: "x" });
    expect(await run("Read", { filePath: "a.txt" })).toEqual({ output: "x", isError: false });
  });
});

test("the JSON Schema of an input is the one that valibot's own converter gives", () => {
  const schema = v.object({
    list: v.pipe(v.array(v.object({ name: text("a name"), one: optional(v.picklist(["a", "b"])) })), v.minLength(1), v.description("a list")),
    flag: optional(flag("a flag")),
    number: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)),
  });
  const { $schema: _, ...reference } = toJsonSchema(
    v.object({
      ...schema.entries,
      flag: v.optional(flag("a flag")),
      list: v.pipe(v.array(v.object({ name: text("a name"), one: v.optional(v.picklist(["a", "b"])) })), v.minLength(1), v.description("a list")),
    }),
  );
  expect(withoutStrictness(inputSchemaOf(schema))).toEqual(reference);
});

/** We also say that no other key is known. */
function withoutStrictness(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === "additionalProperties" ? undefined : value)));
}
