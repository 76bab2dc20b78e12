import * as v from "valibot";
import { defineTool, filledText, flag, optional, text } from "./define.ts";
import { toolError } from "./tool.ts";

const option = v.object({ label: filledText("The answer in a few words"), description: optional(text("What it means")) }, "is not an object");

const question = v.object(
  {
    question: filledText("The whole question"),
    header: optional(text("A word or two that name it")),
    options: v.pipe(v.array(option, "is not a list"), v.description("The answers to choose from")),
    multiSelect: optional(flag("More than one may be chosen")),
  },
  "is not an object",
);

/** Asks the user; the approver's answer takes the place of the result. */
export const askUserQuestionTool = defineTool({
  name: "AskUserQuestion",
  description: "Asks the user one or more questions, each with answers to choose from, and gives what they answered.",
  asksApprover: true,
  input: { questions: v.pipe(v.array(question, "is not a list"), v.minLength(1, "is empty"), v.description("The questions")) },
  run: async () => toolError("nobody was there to answer"),
});
