import { defineTool, filledText } from "./define.ts";
import { shellsOf } from "./shells.ts";
import { toolError } from "./tool.ts";

/** Ends a background command with everything it started. */
export const killShellTool = defineTool({
  name: "KillShell",
  description: "Ends a background command with everything it started.",
  input: { shell_id: filledText("The id that Bash gave") },
  run: async ({ shell_id }, { memory }) => {
    const shells = shellsOf(memory);
    if (!shells.find(shell_id)) return toolError(`shell_id ${shell_id} is not a background command; known: ${shells.ids.join(", ") || "none"}`);
    await shells.remove(shell_id);
    return { output: `Ended ${shell_id}.`, isError: false };
  },
});
