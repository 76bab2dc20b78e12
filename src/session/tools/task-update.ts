import * as v from "valibot";
import { defineTool, filledText, optional, text } from "./define.ts";
import { TASK_STATES, tasksOf, type Task } from "./tasks.ts";
import { toolError } from "./tool.ts";

/** Changes a task; a task that becomes completed is told to the session. */
export const taskUpdateTool = defineTool({
  name: "TaskUpdate",
  description: "Changes a task of the list: its status, subject or description.",
  input: {
    taskId: filledText("The id that TaskCreate gave"),
    status: optional(v.pipe(v.picklist(TASK_STATES, `is not one of ${TASK_STATES.join(", ")}`), v.description("Its new status"))),
    subject: optional(filledText("Its new name")),
    description: optional(text("What is to be done")),
  },
  run: async ({ taskId, status, subject, description }, { memory, taskCompleted }) => {
    const tasks = tasksOf(memory);
    const before = tasks.find(taskId);
    if (!before) return toolError(`taskId ${taskId} is not on the list; TaskList shows what is`);
    const after: Task = { id: taskId, subject: subject ?? before.subject, description: description ?? before.description, status: status ?? before.status };
    tasks.put(after);
    if (after.status === "completed" && before.status !== "completed") await taskCompleted({ ...after });
    return { output: `Task ${taskId} is ${after.status}: ${after.subject}`, isError: false };
  },
});
