import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/lib/json.ts";
import { bench, fine, wrong } from "./context.ts";

test("[S2] [S8] Agent starts a subagent and gives its last words", async () => {
  const { run } = bench();
  expect(JSON.parse((await run("Agent", { description: "a job", prompt: "look", subagent_type: "explorer" })).output)).toEqual({
    type: "explorer",
    prompt: "look",
    description: "a job",
    background: false,
  });
  expect(JSON.parse((await run("Agent", { description: "", prompt: "look", run_in_background: true })).output)).toEqual({
    type: "general-purpose",
    prompt: "look",
    description: "",
    background: true,
  });
});

test("[S12] AskUserQuestion without an approver says that nobody was there", async () => {
  const questions = [{ question: "Which colour?", header: "Colour", multiSelect: false, options: [{ label: "red", description: "warm" }] }];
  expect(await bench().run("AskUserQuestion", { questions })).toEqual(wrong("nobody was there to answer"));
});

test("[S2] the task list: made, changed, shown, and told when completed", async () => {
  const { run } = bench();
  const completed: JsonObject[] = [];
  const changes = { taskCompleted: async (task: JsonObject) => void completed.push(task) };
  expect(await run("TaskList", {})).toEqual(fine("There are no tasks."));
  expect(await run("TaskCreate", { subject: "one", description: "first" })).toEqual(fine("Created task 1: one"));
  await run("TaskCreate", { subject: "two" });
  expect(await run("TaskUpdate", { taskId: "1", status: "in_progress" }, changes)).toEqual(fine("Task 1 is in_progress: one"));
  expect(completed).toEqual([]);
  await run("TaskUpdate", { taskId: "1", status: "completed" }, changes);
  await run("TaskUpdate", { taskId: "1", status: "completed" }, changes);
  expect(completed).toEqual([{ id: "1", subject: "one", description: "first", status: "completed" }]);
  expect(await run("TaskList", {})).toEqual(fine("1. [completed] one\n2. [pending] two"));
  await run("TaskUpdate", { taskId: "2", status: "deleted" });
  expect(await run("TaskUpdate", { taskId: "2", subject: "x" })).toEqual(wrong("taskId 2 is not on the list; TaskList shows what is"));
});
