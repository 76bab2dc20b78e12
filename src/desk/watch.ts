/** The watcher's side of the desk: sessions and their questions. */
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { namesIn, readJsonFile } from "./files.ts";
import { isRunning } from "../lib/running.ts";
import { PLACES, answerFile, privateFolder } from "./places.ts";
import { readAnswer, readCard, readQuestion, type DeskAnswer, type DeskQuestion, type SessionCard } from "./records.ts";

/** A session on the desk; `lost` when its process is gone without an end. */
export interface DeskSession extends SessionCard {
  readonly state: "running" | "ended" | "lost";
}

/** A question and how it ended, if it has. */
export interface AskedQuestion {
  readonly question: DeskQuestion;
  readonly answer: DeskAnswer | null;
  readonly file: string;
}

/** What was read before, so that somebody who looks again and again reads only what changed. */
export interface Known {
  readonly cards: Map<string, { readonly stamp: string; readonly card: SessionCard }>;
  /** Questions that were answered: nothing about them changes any more. */
  readonly answered: Map<string, AskedQuestion>;
}

/** Nothing was read before. */
export function nothingKnown(): Known {
  return { cards: new Map(), answered: new Map() };
}

/** Every session on the desk, newest first. */
export function deskSessions(desk: string, known: Known = nothingKnown()): readonly DeskSession[] {
  const folder = PLACES.sessions(desk);
  return namesIn(folder)
    .flatMap((id) => cardIn(join(folder, id), known) ?? [])
    .map((card): DeskSession => ({ ...card, state: card.endedAt !== null ? "ended" : isRunning(card.pid) ? "running" : "lost" }))
    .toSorted((left, right) => right.startedAt.localeCompare(left.startedAt));
}

/** A card is replaced as a whole: another file is another card. */
function cardIn(folder: string, { cards }: Known): SessionCard | undefined {
  const path = PLACES.card(folder);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const stamp = `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
  const before = cards.get(path);
  if (before?.stamp === stamp) return before.card;
  const card = readCard(readJsonFile(path));
  if (card) cards.set(path, { stamp, card });
  return card;
}

/** The questions of one session, oldest first. */
export function deskQuestions(desk: string, id: string, { answered }: Known = nothingKnown()): readonly AskedQuestion[] {
  const folder = PLACES.asks(PLACES.session(desk, id));
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .flatMap((name) => {
      const file = join(folder, name);
      const before = answered.get(file);
      if (before) return [before];
      const question = readQuestion(readJsonFile(file));
      if (!question) return [];
      const asked = { question, answer: readAnswer(readJsonFile(answerFile(file))) ?? null, file };
      if (asked.answer) answered.set(file, asked);
      return [asked];
    });
}

/** Says that somebody watches, until the returned function is called. */
export function startWatching(desk: string): () => void {
  const folder = privateFolder(PLACES.watchers(privateFolder(desk)));
  const path = join(folder, String(process.pid));
  writeFileSync(path, "", { mode: 0o600 });
  return () => rmSync(path, { force: true });
}
