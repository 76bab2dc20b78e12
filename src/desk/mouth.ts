/** Asks whoever watches the desk: a question is a file, and so is its answer, so any process of this user may give it. */
import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { uuidv7 } from "uuidv7";
import { sleep } from "../lib/time.ts";
import { answeredElsewhere, type Approval, type ApprovalRequest, type Mouth } from "../session/approvals.ts";
import { hasWatchers, readJsonFile } from "./files.ts";
import { PLACES, answerFile } from "./places.ts";
import { readAnswer, type DeskAnswer, type DeskQuestion } from "./records.ts";

/** How often an asker looks for its answer. */
const LOOK_MS = 100;

/** Where and how long a session asks. */
export interface DeskMouthOptions {
  readonly desk: string;
  /** The session's folder and id, once it has them. */
  readonly place: () => { readonly folder: string; readonly sessionId: string } | null;
  /** How long a question waits; null: as long as somebody watches. */
  readonly expiresMs: number | null;
  readonly now: () => Date;
}

/** Undefined, so "nobody", where no page is open, when the last one is closed, or when time has run out. */
export function deskMouth({ desk, place, expiresMs, now }: DeskMouthOptions): Mouth {
  return {
    ask: async (request, signal) => {
      const at = place();
      if (!at || !hasWatchers(desk)) return undefined;
      const asked = now();
      const question = lay(request, { ...at, asked, expiresMs });
      try {
        const lastMs = expiresMs === null ? Infinity : asked.getTime() + expiresMs;
        while (!signal.aborted && hasWatchers(desk) && now().getTime() < lastMs) {
          const answer = answerTo(question.file);
          if (answer) return approvalOf(answer);
          await sleep(LOOK_MS);
        }
        // Whoever answered in the last moment has answered: closing fails then.
        const closed = answerQuestion(question.file, { ...ending(signal), at: now().toISOString() });
        const late = closed || signal.aborted ? undefined : answerTo(question.file);
        return late && approvalOf(late);
      } catch {
        return undefined;
      }
    },
  };
}

/** How a question ends that was not answered here: elsewhere, not at all, or its turn was cancelled. */
function ending(signal: AbortSignal): Omit<DeskAnswer, "at"> {
  if (!signal.aborted) return { answer: "none", by: "nobody" };
  return { ...(answeredElsewhere(signal) ?? { answer: "none", by: "cancelled" }) };
}

function lay(
  request: ApprovalRequest,
  { folder, sessionId, asked, expiresMs }: { folder: string; sessionId: string; asked: Date; expiresMs: number | null },
): { readonly file: string } {
  const id = uuidv7();
  const file = join(PLACES.asks(folder), `${id}.json`);
  const question: DeskQuestion = {
    id,
    sessionId,
    tool: request.tool,
    input: { ...request.input },
    reason: request.reason,
    agent: request.agent && { ...request.agent },
    askedAt: asked.toISOString(),
    expiresAt: expiresMs === null ? null : new Date(asked.getTime() + expiresMs).toISOString(),
  };
  writeFileSync(`${file}.new`, JSON.stringify(question), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return { file };
}

function answerTo(file: string): DeskAnswer | undefined {
  return readAnswer(readJsonFile(answerFile(file)));
}

function approvalOf({ answer, by, text, rule }: DeskAnswer): Approval | undefined {
  return answer === "none" ? undefined : { answer, by, ...(text !== undefined && { text }), ...(rule !== undefined && { rule }) };
}

/** Answers a question. False: somebody was faster, or the question is gone. */
export function answerQuestion(file: string, answer: DeskAnswer): boolean {
  if (!existsSync(file)) return false;
  const draft = `${file}.${uuidv7()}`;
  writeFileSync(draft, JSON.stringify(answer), { mode: 0o600 });
  try {
    // A link never replaces what is there: the first one wins, whole.
    linkSync(draft, answerFile(file));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}
