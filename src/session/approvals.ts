/** One broker, several mouths: whoever answers first has answered. "Nobody was there" is not "denied" [S12]. */
import { canonicalName } from "../dialects/spelling.ts";
import { linkSignals } from "../lib/abort.ts";
import type { JsonObject } from "../lib/json.ts";
import type { LineAgent } from "./lines.ts";

/** What an approver is asked. */
export interface ApprovalRequest {
  readonly tool: string;
  readonly input: JsonObject;
  /** Why it is asked: the rule, the mode or the hook. */
  readonly reason: string;
  readonly agent: LineAgent;
}

/** What somebody answered, and who. */
export interface Approval {
  readonly answer: "allow" | "always" | "deny" | "none";
  /** Who answered. */
  readonly by: string;
  /** Words for the model: why not, or the answer to a question. */
  readonly text?: string;
  /** With `allow`: a rule that holds for the rest of the session. */
  readonly rule?: string;
}

/** One way to reach somebody. Undefined: nobody is there. */
export interface Mouth {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Approval | undefined>;
}

/** Nobody answered. */
export const NOBODY: Approval = { answer: "none", by: "nobody" };

/** Why a mouth's signal was given: somebody else has answered. */
class AnsweredElsewhere extends Error {
  readonly approval: Approval;

  constructor(approval: Approval) {
    super(`answered by ${approval.by}`);
    this.approval = approval;
  }
}

/** What another mouth was told; undefined: the question was withdrawn. */
export function answeredElsewhere({ reason }: AbortSignal): Approval | undefined {
  return reason instanceof AnsweredElsewhere ? reason.approval : undefined;
}

/** Asks every mouth at once. The first answer wins, the others are told by their signal. */
export async function askMouths(mouths: readonly Mouth[], request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
  const link = linkSignals(signal);
  let answered = NOBODY;
  try {
    answered = await new Promise<Approval>((resolve, reject) => {
      let silent = 0;
      link.signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      if (mouths.length === 0) resolve(NOBODY);
      for (const mouth of mouths) {
        const listen = async (): Promise<void> => {
          const approval = await mouth.ask(request, link.signal).catch(() => undefined);
          if (approval) resolve(approval);
          else if (++silent === mouths.length) resolve(NOBODY);
        };
        void listen();
      }
    });
    return answered;
  } finally {
    link.unlink();
    link.abort(new AnsweredElsewhere(answered));
  }
}

/** `--approve allow|deny`: the same answer to everything. */
export function fixedMouth(answer: "allow" | "deny"): Mouth {
  return { ask: async () => ({ answer, by: `--approve ${answer}` }) };
}

/** One entry of `--approvals FILE` [K3]. */
export interface PreparedAnswer {
  readonly tool: string;
  /** Text that the call must contain: in its command, path or any other input. */
  readonly match?: string | undefined;
  readonly answer: "allow" | "always" | "deny";
  readonly text?: string | undefined;
}

/** A file of answers: the first entry that fits a call answers it; none fits: nobody is there. */
export function preparedMouth(answers: readonly PreparedAnswer[], file: string): Mouth {
  return {
    ask: async ({ tool, input }) => {
      const entry = answers.find((each) => sameTool(each.tool, tool) && (each.match === undefined || contains(input, each.match)));
      return entry && { answer: entry.answer, by: file, ...(entry.text !== undefined && { text: entry.text }) };
    },
  };
}

function sameTool(left: string, right: string): boolean {
  return left === right || (canonicalName(left) !== undefined && canonicalName(left) === canonicalName(right));
}

function contains(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  return typeof value === "object" && value !== null && Object.values(value).some((each) => contains(each, text));
}
