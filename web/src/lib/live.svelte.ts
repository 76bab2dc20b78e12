/** What the page knows of running sessions: filled once, then kept up by the stream; a lost connection loses nothing. */
import { Api, ApiError } from "./api";
import { readEvents } from "./events";
import type { Answer, Entry, Question, Session } from "./shapes";
import { Timeline } from "./timeline";

/** First and longest wait before the stream is opened again. */
const RETRY_MS = { first: 250, longest: 5_000 } as const;

/** A question and, once somebody answered, how. */
export interface Asked {
  readonly question: Question;
  readonly answer: Answer | null;
}

/** The live state of the page. */
export class Live {
  sessions = $state.raw<readonly Session[]>([]);
  questions = $state.raw<readonly Asked[]>([]);
  connection = $state<"connecting" | "open" | "lost" | "refused">("connecting");
  version = $state("");
  cwd = $state("");
  /** Grows when a timeline changed: timelines themselves are not watched, they are too large. */
  ticks = $state(0);
  readonly timelines = new Map<string, Timeline>();
  readonly #api: Api;
  #seq = 0;
  #changed = false;

  constructor(api: Api) {
    this.#api = api;
  }

  timeline(sessionId: string): Timeline {
    const known = this.timelines.get(sessionId) ?? new Timeline();
    this.timelines.set(sessionId, known);
    return known;
  }

  /** Reads a session that is not in the stream any more. */
  async fetchLines(sessionId: string): Promise<void> {
    const timeline = this.timeline(sessionId);
    const { lines } = (await this.#api.get(`/sessions/${sessionId}/lines?after=${timeline.last}`)) as { lines: readonly Entry[] };
    for (const entry of lines) timeline.add(entry);
    this.ticks += 1;
  }

  /** Follows the server until the signal ends it. */
  async follow(signal: AbortSignal): Promise<void> {
    let wait: number = RETRY_MS.first;
    while (!signal.aborted) {
      try {
        await this.#connect(signal, () => (wait = RETRY_MS.first));
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          this.connection = "refused";
          return;
        }
      }
      if (signal.aborted) return;
      this.connection = "lost";
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, RETRY_MS.longest);
    }
  }

  async #connect(signal: AbortSignal, opened: () => void): Promise<void> {
    if (this.#seq === 0) await this.#fill();
    const stream = await this.#api.stream(`/stream?after=${this.#seq}`, signal);
    for await (const { id, kind, data } of readEvents(stream)) {
      this.connection = "open";
      opened();
      if (kind === "reset") await this.#fill();
      else this.#take(kind, data);
      if (id !== "") this.#seq = Number(id);
    }
  }

  async #fill(): Promise<void> {
    const state = (await this.#api.get("/state")) as {
      seq: number;
      version: string;
      cwd: string;
      sessions: readonly Session[];
      questions: readonly Question[];
    };
    this.#seq = state.seq;
    this.version = state.version;
    this.cwd = state.cwd;
    this.sessions = state.sessions;
    this.questions = state.questions.map((question) => ({ question, answer: null }));
    await Promise.all(
      state.sessions.filter((session) => session.state === "running" || this.timelines.has(session.id)).map(async ({ id }) => this.fetchLines(id)),
    );
  }

  #take(kind: string, data: string): void {
    if (kind === "hello" || kind === "beat") return;
    const item = JSON.parse(data) as { session?: Session; sessionId?: string; entry?: Entry; question?: Question; answer?: Answer | null };
    if (item.session) this.#session(item.session);
    if (item.sessionId !== undefined && item.entry && this.timeline(item.sessionId).add(item.entry)) this.#tick();
    if (item.question) this.#question({ question: item.question, answer: item.answer ?? null });
  }

  /** Many lines a second are drawn once a frame. */
  #tick(): void {
    if (this.#changed) return;
    this.#changed = true;
    requestAnimationFrame(() => {
      this.#changed = false;
      this.ticks += 1;
    });
  }

  #session(session: Session): void {
    const others = this.sessions.filter(({ id }) => id !== session.id);
    this.sessions = [session, ...others].sort((left, right) => right.startedAt.localeCompare(left.startedAt));
  }

  #question(asked: Asked): void {
    const others = this.questions.filter(({ question }) => question.id !== asked.question.id);
    this.questions = [...others, asked].sort((left, right) => left.question.askedAt.localeCompare(right.question.askedAt)).slice(-200);
  }
}
