/** Follows the desk and tells everybody who listens; who was away gets what was missed. */
import { randomUUID } from "node:crypto";
import { endOfLines, readLines } from "../desk/lines.ts";
import type { DeskAnswer, DeskLine, DeskQuestion } from "../desk/records.ts";
import { deskQuestions, deskSessions, nothingKnown, startWatching, type AskedQuestion, type DeskSession } from "../desk/watch.ts";

/** One thing that happened. */
export type LiveItem =
  | { readonly kind: "session"; readonly session: DeskSession }
  | { readonly kind: "line"; readonly sessionId: string; readonly entry: DeskLine }
  | { readonly kind: "question"; readonly question: DeskQuestion; readonly answer: DeskAnswer | null };

/** An item with its number in this server's life. */
export interface Numbered {
  readonly seq: number;
  readonly item: LiveItem;
}

type Listener = (items: readonly Numbered[]) => void;

/** How often the desk is looked at. */
const LOOK_MS = 100;
/** Items that are kept for those who come back; who was away longer reads the sessions anew. */
const KEPT = 5_000;

interface Followed {
  offset: number;
  card: string;
  answers: Map<string, string>;
}

/** The live side of the server. */
export class Live {
  /** Numbers mean something in one life of one server. */
  readonly life = randomUUID();
  readonly #desk: string;
  readonly #known = nothingKnown();
  readonly #sessions = new Map<string, Followed>();
  readonly #listeners = new Set<Listener>();
  readonly #kept: Numbered[] = [];
  #seq = 0;
  #timer: NodeJS.Timeout | null = null;
  #leave: () => void = () => {};

  constructor(desk: string) {
    this.#desk = desk;
  }

  /** Begins to watch: from now on sessions may ask here. What was before is history, which is asked for. */
  start(): void {
    this.#leave = startWatching(this.#desk);
    for (const session of this.sessions()) {
      const answers = new Map(this.questions(session.id).map(({ question, answer }) => [question.id, JSON.stringify(answer)]));
      this.#sessions.set(session.id, { offset: endOfLines(this.#desk, session.id), card: JSON.stringify(session), answers });
    }
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#leave();
  }

  get seq(): number {
    return this.#seq;
  }

  /** Every session on the desk, newest first. */
  sessions(): readonly DeskSession[] {
    return deskSessions(this.#desk, this.#known);
  }

  /** The questions of one session, oldest first. */
  questions(id: string): readonly AskedQuestion[] {
    return deskQuestions(this.#desk, id, this.#known);
  }

  /** What happened after a number; undefined when some of it is no longer kept, or the number is of another life. */
  since(seq: number, life: string): readonly Numbered[] | undefined {
    const oldest = this.#kept[0]?.seq ?? this.#seq + 1;
    return life !== this.life || seq + 1 < oldest || seq > this.#seq ? undefined : this.#kept.slice(seq + 1 - oldest);
  }

  /** Tells everything from now on, until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #look(): void {
    const numbered: Numbered[] = [];
    for (const session of this.sessions()) for (const item of this.#news(session)) numbered.push({ seq: (this.#seq += 1), item });
    if (numbered.length === 0) return;
    for (const one of numbered) this.#kept.push(one);
    // Taken away in large pieces, so that each item is moved once or twice in its life.
    if (this.#kept.length > 2 * KEPT) this.#kept.splice(0, this.#kept.length - KEPT);
    for (const listener of this.#listeners) listener(numbered);
  }

  *#news(session: DeskSession): Generator<LiveItem> {
    const followed = this.#sessions.get(session.id) ?? { offset: 0, card: "", answers: new Map<string, string>() };
    this.#sessions.set(session.id, followed);
    const card = JSON.stringify(session);
    if (session.state !== "running" && followed.card === card) return;
    if (followed.card !== card) yield { kind: "session", session };
    followed.card = card;
    for (;;) {
      const { lines, next } = readLines(this.#desk, session.id, followed.offset);
      if (next === followed.offset) break;
      followed.offset = next;
      for (const entry of lines) yield { kind: "line", sessionId: session.id, entry };
    }
    for (const { question, answer } of this.questions(session.id)) {
      const state = JSON.stringify(answer);
      if (followed.answers.get(question.id) === state) continue;
      followed.answers.set(question.id, state);
      yield { kind: "question", question, answer };
    }
  }
}
