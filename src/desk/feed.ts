/** The session's side of the desk: what it says is laid out line by line. */
import { appendFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionLine } from "../session/lines.ts";
import { isObject } from "../lib/json.ts";
import { withOutputs } from "./hook-output.ts";
import { namesIn, readJsonFile } from "./files.ts";
import { isRunning } from "../lib/running.ts";
import { PLACES, privateFolder } from "./places.ts";
import { readCard, type DeskLine, type SessionCard } from "./records.ts";
import { readTail } from "./lines.ts";

/** What one session may lay out; beyond it only the end is told. */
const FEED_LIMIT_BYTES = 64 * 1_048_576;
/** Text of one field that is laid out; the transcript has the whole. */
const TEXT_LIMIT = 64 * 1_024;
/** Sessions that stay on the desk after their end. */
const KEPT_SESSIONS = 100;

/** A session's place on the desk. */
export class Feed {
  readonly folder: string;
  #card: SessionCard;
  #seq: number;
  #bytes = 0;
  /** Messages that were told, and the system prompt, by agent. */
  readonly #told = new Map<string, { messages: number; system: string }>();

  constructor(desk: string, card: Omit<SessionCard, "endedAt">) {
    this.folder = privateFolder(PLACES.session(privateFolder(desk), card.id));
    privateFolder(PLACES.asks(this.folder));
    prune(desk);
    // A session that is resumed goes on in its own place.
    this.#seq = readTail(desk, card.id).lines.at(-1)?.seq ?? 0;
    this.#card = { ...card, endedAt: null };
    this.#write();
  }

  /** Lays out one line. */
  line(line: SessionLine, at: string): void {
    const body = line.type === "session.end" || this.#bytes < FEED_LIMIT_BYTES ? this.#shown(line) : undefined;
    if (body === undefined) return;
    const record: DeskLine = { seq: (this.#seq += 1), at, line: body };
    const text = `${JSON.stringify(record, shorten)}\n`;
    this.#bytes += text.length;
    appendFileSync(PLACES.lines(this.folder), text, { mode: 0o600 });
  }

  end(at: string): void {
    this.#card = { ...this.#card, endedAt: at };
    this.#write();
  }

  /** A request to the model repeats the conversation: only what is new in it is laid out. */
  #shown(line: SessionLine): DeskLine["line"] {
    if (line.type === "event" && isObject(line.decision)) return { ...line, decision: withOutputs(line.decision) };
    if (line.type !== "model.request") return { ...line };
    const { messages, system, ...rest } = line;
    const told = this.#told.get(line.agent?.id ?? "") ?? { messages: 0, system: "" };
    const known = messages.length < told.messages ? 0 : told.messages;
    this.#told.set(line.agent?.id ?? "", { messages: messages.length, system });
    return { ...rest, messages: messages.slice(known), before: known, ...(system !== told.system && { system }) };
  }

  #write(): void {
    const path = PLACES.card(this.folder);
    writeFileSync(`${path}.new`, JSON.stringify(this.#card), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
}

function shorten(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || value.length <= TEXT_LIMIT) return value;
  return `${value.slice(0, TEXT_LIMIT)}… (${value.length - TEXT_LIMIT} more characters)`;
}

/** Old sessions make room for new ones; one that runs stays. */
function prune(desk: string): void {
  const folders = namesIn(PLACES.sessions(desk))
    .map((name) => join(PLACES.sessions(desk), name))
    .map((folder) => ({ folder, changedMs: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((left, right) => right.changedMs - left.changedMs);
  for (const { folder } of folders.slice(KEPT_SESSIONS)) {
    const card = readCard(readJsonFile(PLACES.card(folder)));
    if (card && card.endedAt === null && isRunning(card.pid)) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}
