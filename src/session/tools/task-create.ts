import { defineTool, filledText, optional, text } from "./define.ts";
import { tasksOf, TASKS_LIMIT } from "./tasks.ts";
import { toolError } from "./tool.ts";

/** Puts a task on the session's list. */
export const taskCreateTool = defineTool({
  name: "TaskCreate",
  description: "Puts a task on the list of this session, as pending.",
  input: { subject: filledText("The task in a few words"), description: optional(text("What is to be done")) },
  run: async ({ subject, description }, { memory }) => {
    const tasks = tasksOf(memory);
    if (tasks.all.length >= TASKS_LIMIT) return toolError(`the list holds ${TASKS_LIMIT} tasks already; complete or delete some`);
    return { output: `Created task ${tasks.add({ subject, description: description ?? "" }).id}: ${subject}`, isError: false };
  },
});
