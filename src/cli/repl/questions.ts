/** Questions of the agent to the user, with answers to choose from. */
import * as v from "valibot";
import { canonicalName } from "../../dialects/spelling.ts";
import type { ApprovalRequest } from "../../session/approvals.ts";
import { cleanLine } from "./clean.ts";
import { choose, enterText, type ReplTerminal } from "./modal.ts";

const Questions = v.object({
  questions: v.pipe(
    v.array(
      v.object({
        question: v.string(),
        options: v.optional(v.array(v.object({ label: v.string(), description: v.nullish(v.string(), "") })), []),
        multiSelect: v.nullish(v.boolean(), false),
      }),
    ),
    v.minLength(1),
  ),
});

type Question = v.InferOutput<typeof Questions>["questions"][number];

/** The questions of a call that asks the user something; undefined: it asks for permission. */
export function questionsOf({ tool, input }: Pick<ApprovalRequest, "tool" | "input">): readonly Question[] | undefined {
  if (canonicalName(tool) !== "ask") return undefined;
  const parsed = v.safeParse(Questions, input);
  return parsed.success ? parsed.output.questions : undefined;
}

/** Asks them one after another. Null: the user does not want to answer; undefined: the signal came first. */
export async function answerQuestions(terminal: ReplTerminal, questions: readonly Question[], signal: AbortSignal): Promise<string | null | undefined> {
  const answers: string[] = [];
  for (const question of questions) {
    const answer = await answerOne(terminal, question, signal);
    if (answer === undefined || answer === null) return answer;
    answers.push(questions.length === 1 ? answer : `${question.question} ${answer}`);
  }
  return answers.join("\n");
}

/** Beside what the agent offers, the user may say something else, or nothing. */
const OWN_CHOICES = [
  { label: "something else", key: "e" },
  { label: "do not answer", key: "n" },
];

async function answerOne(terminal: ReplTerminal, { question, options, multiSelect }: Question, signal: AbortSignal): Promise<string | null | undefined> {
  const offered = options.map(({ label, description }, index) => ({
    label: [cleanLine(label), ...(description ? [terminal.paint("dim", cleanLine(description))] : [])].join("  "),
    key: String(index + 1),
  }));
  const title = cleanLine(question);
  const picked = await choose(terminal, { title, choices: [...offered, ...OWN_CHOICES], several: multiSelect }, signal);
  if (!picked) return undefined;
  if (picked.includes(options.length + 1)) return null;
  const own = picked.includes(options.length) ? await enterText(terminal, { title }, signal) : "";
  if (own === undefined) return undefined;
  return [...picked.flatMap((index) => options[index]?.label ?? []), ...(own === "" ? [] : [own])].join(", ");
}
