import { defineTool, filledText, flag, optional, text } from "./define.ts";

/** The type of a subagent when the model names none. */
export const DEFAULT_AGENT_TYPE = "general-purpose";

/** Hands a job to a subagent, whose last words are the result. */
export const agentTool = defineTool({
  name: "Agent",
  description:
    "Starts a subagent that works on its own with the same tools and permissions, and gives its final answer. " +
    "It sees nothing of this conversation, so the prompt must say everything it needs.",
  input: {
    description: text("The job in a few words"),
    prompt: filledText("The whole job"),
    subagent_type: optional(filledText(`Which kind of agent; ${DEFAULT_AGENT_TYPE} where it is left out`)),
    run_in_background: optional(flag("Go on without waiting for it")),
  },
  run: async ({ description, prompt, subagent_type, run_in_background }, context) =>
    context.subagent({ type: subagent_type ?? DEFAULT_AGENT_TYPE, prompt, description, background: run_in_background ?? false }),
});
