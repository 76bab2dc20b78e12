/** The terminal as an approver. */
import { canonicalName } from "../../dialects/spelling.ts";
import { lookup } from "../../lib/json.ts";
import type { Approval, ApprovalRequest, Mouth } from "../../session/approvals.ts";
import { shortPaths, type Folders } from "../render/paths.ts";
import { shorten, widthOf } from "../render/text.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { belowLines, usableColumns } from "./layout.ts";
import { choose, enterText, type ReplTerminal } from "./modal.ts";
import { answerQuestions, questionsOf } from "./questions.ts";
import { callPattern, callSubject } from "./tool-text.ts";

/** Who answered. */
const BY = "terminal";

/** Asks whoever sits at the terminal, one question after another. */
export function terminalMouth(terminal: ReplTerminal, folders: Folders): Mouth {
  let last: Promise<unknown> = Promise.resolve();
  const answer = async (request: ApprovalRequest, signal: AbortSignal): Promise<Approval | undefined> => {
    if (signal.aborted) return undefined;
    const questions = questionsOf(request);
    return questions ? answered(await answerQuestions(terminal, questions, signal)) : approve(terminal, request, { folders, signal });
  };
  return {
    ask: async (request, signal) => {
      const mine = last.then(async () => answer(request, signal));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

function answered(text: string | null | undefined): Approval | undefined {
  if (text === undefined) return undefined;
  return text === null ? { answer: "deny", by: BY } : { answer: "allow", by: BY, text };
}

type Answer = Exclude<Approval["answer"], "none">;

/** The answers in the order of the menu. */
const ANSWERS: readonly { readonly answer: Answer; readonly key: string; readonly label: (pattern: string) => string }[] = [
  { answer: "allow", key: "y", label: () => "yes, once" },
  { answer: "always", key: "a", label: (pattern) => `yes, and remember ${pattern} for this session` },
  { answer: "deny", key: "n", label: () => "no, and tell the agent why" },
];

/** Columns that the menu takes beside the call to remember. */
const ANSWER_WIDTH = 48;

/** What stands between the name of a tool and what the call is about. */
const PREPOSITIONS: { readonly [tool: string]: string } = { write: " to ", edit: " of ", read: " of ", glob: " of ", grep: " in ", fetch: " of " };

async function approve(
  terminal: ReplTerminal,
  request: ApprovalRequest,
  { folders, signal }: { folders: Folders; signal: AbortSignal },
): Promise<Approval | undefined> {
  const { screen } = terminal;
  const call = { name: request.tool, input: request.input };
  const subject = callSubject(call, folders);
  const columns = usableColumns(screen.columns);
  const whole = `Allow ${cleanLine(request.tool)}${subject === "" ? "" : `${lookup(PREPOSITIONS, canonicalName(request.tool)) ?? ": "}${subject}`}?`;
  const title = widthOf(whole) <= columns - 6 ? whole : `Allow ${cleanLine(request.tool)}?`;
  const details = [
    ...(title === whole ? [] : [subject]),
    ...inputDetails(request, subject),
    ...cleanText(shortPaths(request.reason, folders)).trim().split("\n"),
  ];
  screen.write(`${details.flatMap((text) => belowLines(text, { columns, paint: terminal.paint })).join("\n")}\n`);
  const pattern = shorten(callPattern(call, folders), columns - ANSWER_WIDTH);
  const picked = await choose(terminal, { title, choices: ANSWERS.map(({ key, label }) => ({ key, label: label(pattern) })) }, signal);
  const answer = picked && ANSWERS[picked[0] ?? -1]?.answer;
  if (answer === undefined) return undefined;
  if (answer !== "deny") return { answer, by: BY };
  const why = await enterText(terminal, { title: "Tell the agent why (Enter alone: no reason)" }, signal);
  return why === undefined ? undefined : { answer, by: BY, ...(why !== "" && { text: why }) };
}

/** Lines of one input value that are shown. */
const PREVIEW_LINES = 8;

/** Whatever else is in the input: nobody should approve what they have not seen. */
function inputDetails({ input }: ApprovalRequest, subject: string): readonly string[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const text = cleanText(typeof value === "string" ? value : JSON.stringify(value)).trimEnd();
    const lines = text.split("\n");
    if (cleanLine(text) === subject && lines.length === 1) return [];
    if (subject.length > 0 && typeof value === "string" && value.endsWith(`/${subject}`)) return [];
    if (lines.length === 1) return [`${cleanLine(key)}: ${text}`];
    const more = lines.length - PREVIEW_LINES;
    return [`${cleanLine(key)}:`, ...lines.slice(0, PREVIEW_LINES), ...(more > 0 ? [`… ${more} more lines`] : [])];
  });
}
