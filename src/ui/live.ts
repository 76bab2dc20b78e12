/** Follows the desk and tells everybody who listens; who was away gets what was missed. */
import { hasWatchers } from "../desk/files.ts";
import type { DeskAnswer, DeskLine, DeskQuestion } from "../desk/records.ts";
import { deskQuestions, deskSessions, readLines, startWatching, type DeskSession } from "../desk/watch.ts";

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
const KEPT = 20_000;

interface Followed {
  offset: number;
  card: string;
  answers: Map<string, string>;
}

/** The live side of the server. */
export class Live {
  readonly #desk: string;
  readonly #sessions = new Map<string, Followed>();
  readonly #listeners = new Set<Listener>();
  #kept: Numbered[] = [];
  #seq = 0;
  #timer: NodeJS.Timeout | null = null;
  #leave: () => void = () => {};

  constructor(desk: string) {
    this.#desk = desk;
  }

  /** Begins to watch: from now on sessions may ask here. */
  start(): void {
    this.#leave = startWatching(this.#desk);
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#leave();
  }

  get watched(): boolean {
    return hasWatchers(this.#desk);
  }

  get seq(): number {
    return this.#seq;
  }

  /** What happened after a number; undefined when some of it is no longer kept. */
  since(seq: number): readonly Numbered[] | undefined {
    const oldest = this.#kept[0]?.seq ?? this.#seq + 1;
    return seq + 1 < oldest || seq > this.#seq ? undefined : this.#kept.filter((one) => one.seq > seq);
  }

  /** Tells everything from now on, until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #look(): void {
    const items: LiveItem[] = [];
    for (const session of deskSessions(this.#desk)) items.push(...this.#news(session));
    if (items.length === 0) return;
    const numbered = items.map((item): Numbered => ({ seq: (this.#seq += 1), item }));
    this.#kept = [...this.#kept, ...numbered].slice(-KEPT);
    for (const listener of this.#listeners) listener(numbered);
  }

  *#news(session: DeskSession): Generator<LiveItem> {
    const followed = this.#sessions.get(session.id) ?? { offset: 0, card: "", answers: new Map<string, string>() };
    // What ended before it was seen for the first time is history, which is asked for.
    const idle = session.state !== "running" && followed.card === JSON.stringify(session);
    this.#sessions.set(session.id, followed);
    if (idle) return;
    if (followed.card !== JSON.stringify(session)) yield { kind: "session", session };
    followed.card = JSON.stringify(session);
    for (;;) {
      const { lines, next } = readLines(this.#desk, session.id, followed.offset);
      if (next === followed.offset) break;
      followed.offset = next;
      for (const entry of lines) yield { kind: "line", sessionId: session.id, entry };
    }
    for (const { question, answer } of deskQuestions(this.#desk, session.id)) {
      const state = JSON.stringify(answer);
      if (followed.answers.get(question.id) === state) continue;
      followed.answers.set(question.id, state);
      yield { kind: "question", question, answer };
    }
  }
}
