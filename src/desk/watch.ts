/** The watcher's side of the desk: sessions, their lines, their questions. */
import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../lib/json.ts";
import { namesIn, readJsonFile } from "./files.ts";
import { PLACES, answerFile, isRunning, privateFolder } from "./places.ts";
import { readAnswer, readCard, readLine, readQuestion, type DeskAnswer, type DeskLine, type DeskQuestion, type SessionCard } from "./records.ts";

/** A session on the desk; `lost` when its process is gone without an end. */
export interface DeskSession extends SessionCard {
  readonly state: "running" | "ended" | "lost";
}

/** Every session on the desk, newest first. */
export function deskSessions(desk: string): readonly DeskSession[] {
  return namesIn(PLACES.sessions(desk))
    .flatMap((id) => readCard(readJsonFile(PLACES.card(join(PLACES.sessions(desk), id)))) ?? [])
    .map((card): DeskSession => ({ ...card, state: card.endedAt !== null ? "ended" : isRunning(card.pid) ? "running" : "lost" }))
    .toSorted((left, right) => right.startedAt.localeCompare(left.startedAt));
}

/** Bytes that are read at once. */
const CHUNK_BYTES = 1_048_576;

/** Lines of a session from a place in its file, and where the next ones begin; an unfinished line waits. */
export function readLines(desk: string, id: string, from: number): { readonly lines: readonly DeskLine[]; readonly next: number } {
  const path = PLACES.lines(PLACES.session(desk, id));
  if (!existsSync(path)) return { lines: [], next: from };
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.max(0, Math.min(fstatSync(file).size - from, CHUNK_BYTES)));
    const text = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
    const end = text.lastIndexOf(0x0a) + 1;
    const lines = text
      .subarray(0, end)
      .toString("utf8")
      .split("\n")
      .flatMap((line) => readLine(parseJson(line)) ?? []);
    return { lines, next: from + end };
  } finally {
    closeSync(file);
  }
}

/** A question and how it ended, if it has. */
export interface AskedQuestion {
  readonly question: DeskQuestion;
  readonly answer: DeskAnswer | null;
  readonly file: string;
}

/** The questions of one session, oldest first. */
export function deskQuestions(desk: string, id: string): readonly AskedQuestion[] {
  const folder = PLACES.asks(PLACES.session(desk, id));
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .flatMap((name) => {
      const file = join(folder, name);
      const question = readQuestion(readJsonFile(file));
      return question ? [{ question, answer: readAnswer(readJsonFile(answerFile(file))) ?? null, file }] : [];
    });
}

/** Says that somebody watches, until the returned function is called. */
export function startWatching(desk: string): () => void {
  const folder = privateFolder(PLACES.watchers(privateFolder(desk)));
  const path = join(folder, String(process.pid));
  writeFileSync(path, "", { mode: 0o600 });
  return () => rmSync(path, { force: true });
}
