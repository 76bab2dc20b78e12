import { endText } from "./bash.ts";
import { defineTool, filledText } from "./define.ts";
import { shellsOf } from "./shells.ts";
import { toolError } from "./tool.ts";

/** Gives what a background command printed since it was last asked. */
export const bashOutputTool = defineTool({
  name: "BashOutput",
  description: "Gives what a background command printed since the last call, and whether it still runs.",
  input: { bash_id: filledText("The id that Bash gave") },
  run: async ({ bash_id }, { memory }) => {
    const shells = shellsOf(memory);
    const run = shells.find(bash_id);
    if (!run) return toolError(`bash_id ${bash_id} is not a background command; known: ${shells.ids.join(", ") || "none"}`);
    const end = run.end;
    if (end?.kind === "not-started") return toolError(`It could not be started: ${end.message}`);
    const state = end === undefined || (await run.runs()) ? "(it still runs)" : `(it has ended: ${endText(end) || "Exit code 0"})`;
    return { output: `${run.take()}\n${state}`.replace(/^\n/, ""), isError: false };
  },
});
