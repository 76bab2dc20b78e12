import { defineTool } from "./define.ts";
import { tasksOf } from "./tasks.ts";

/** Shows the session's tasks. */
export const taskListTool = defineTool({
  name: "TaskList",
  description: "Shows the tasks of this session and their status.",
  input: {},
  run: async (_input, { memory }) => {
    const lines = tasksOf(memory).all.map(({ id, status, subject }) => `${id}. [${status}] ${subject}`);
    return { output: lines.length === 0 ? "There are no tasks." : lines.join("\n"), isError: false };
  },
});
