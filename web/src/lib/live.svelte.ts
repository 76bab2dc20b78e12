/** What the page knows of running sessions: filled once, then kept up by the stream; a lost connection loses nothing. */
import { trusted } from "../../../src/lib/trusted";
import { Api, ApiError } from "./api";
import { readEvents } from "./events";
import type { Answer, Entry, Question, Session } from "./shapes";
import { inSlices, linesOf } from "./slices";
import { Timeline } from "./timeline";

/** First and longest wait before the stream is opened again. */
const RETRY_MS = { first: 250, longest: 5_000 } as const;

/** Readings in a row that bring nothing, after which a session's beginning is given up: its place was cleared away. */
const IDLE_READS = 3;

interface State {
  readonly seq: number;
  readonly life: string;
  readonly version: string;
  readonly cwd: string;
  readonly sessions: readonly Session[];
  readonly questions: readonly Question[];
  readonly answered: readonly Asked[];
}

/** What the stream tells. */
interface Item {
  readonly session?: Session;
  readonly sessionId?: string;
  readonly entry?: Entry;
  readonly question?: Question;
  readonly answer?: Answer | null;
}

/** Sessions whose end is read at once; the others when somebody looks at them. */
const FIRST_READ = 3;

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
  /** Sessions whose beginning is being read, and how much of it was. */
  earlier = $state.raw<ReadonlyMap<string, number>>(new Map());
  readonly timelines = new Map<string, Timeline>();
  readonly #api: Api;
  readonly #reading = new Map<string, Promise<void>>();
  /** The highest number of a line that the stream told of, by session. */
  readonly #heard = new Map<string, number>();
  #seq = 0;
  #life = "";
  #changed = false;

  constructor(api: Api) {
    this.#api = api;
  }

  timeline(sessionId: string): Timeline {
    const known = this.timelines.get(sessionId) ?? new Timeline();
    this.timelines.set(sessionId, known);
    return known;
  }

  /** Reads what is new of a session; of one that was not seen yet, its end. */
  async fetchLines(sessionId: string): Promise<void> {
    const running = this.#reading.get(sessionId);
    if (running) return running;
    const reading = this.#read(sessionId).finally(() => this.#reading.delete(sessionId));
    this.#reading.set(sessionId, reading);
    return reading;
  }

  /** Once more while lines were heard of that were not in what was read. */
  async #read(sessionId: string): Promise<void> {
    const timeline = this.timeline(sessionId);
    for (let before = -1; before < timeline.last && (before < 0 || timeline.last < (this.#heard.get(sessionId) ?? 0));) {
      before = timeline.last;
      const { text, start } = await this.#api.lines(`/sessions/${sessionId}/lines?after=${before}`);
      if (before === 0 && timeline.last === 0) timeline.start = start;
      await addLines(timeline, text);
      this.ticks += 1;
    }
  }

  /** Reads a long session from its beginning, piece by piece, and shows it when it is whole. */
  async fetchEarlier(sessionId: string): Promise<void> {
    const shown = this.timeline(sessionId);
    if (shown.start === 0 || this.earlier.has(sessionId)) return;
    const whole = new Timeline();
    try {
      for (let [from, idle] = [0, 0]; idle < IDLE_READS;) {
        this.#tellEarlier(sessionId, Math.min(1, from / shown.start));
        const { text, next } = await this.#api.lines(`/sessions/${sessionId}/lines?from=${from}`);
        await addLines(whole, text);
        if (next > from) idle = 0;
        else if (whole.last < shown.last) idle += 1;
        else {
          whole.prepended = shown.prepended + whole.rows.length - shown.rows.length;
          this.timelines.set(sessionId, whole);
          break;
        }
        from = next;
      }
    } finally {
      this.#tellEarlier(sessionId, null);
      this.ticks += 1;
    }
  }

  #tellEarlier(sessionId: string, share: number | null): void {
    const others = [...this.earlier].filter(([id]) => id !== sessionId);
    this.earlier = new Map(share === null ? others : [...others, [sessionId, share]]);
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
    if (this.#life === "") await this.#fill();
    const stream = await this.#api.stream(`/stream?after=${this.#seq}&life=${this.#life}`, signal);
    for await (const { id, kind, data } of readEvents(stream)) {
      this.connection = "open";
      opened();
      if (kind === "reset") await this.#fill();
      else this.#take(kind, data);
      if (id !== "") this.#seq = Number(id);
    }
  }

  async #fill(): Promise<void> {
    const state = trusted<State>(await this.#api.get("/state"));
    this.#seq = state.seq;
    this.#life = state.life;
    this.version = state.version;
    this.cwd = state.cwd;
    this.sessions = state.sessions;
    this.questions = [...state.answered, ...state.questions.map((question) => ({ question, answer: null }))];
    await Promise.all(
      state.sessions.filter((session, index) => index < FIRST_READ || this.timelines.has(session.id)).map(async ({ id }) => this.fetchLines(id)),
    );
  }

  #take(kind: string, data: string): void {
    if (kind === "hello" || kind === "beat") return;
    const item = trusted<Item>(JSON.parse(data));
    if (item.session) this.#session(item.session);
    if (item.sessionId !== undefined && item.entry) this.#line(item.sessionId, item.entry);
    if (item.question) this.#question({ question: item.question, answer: item.answer ?? null });
  }

  /** A line that does not follow the last one means that some were not read yet. */
  #line(sessionId: string, entry: Entry): void {
    const timeline = this.timeline(sessionId);
    this.#heard.set(sessionId, entry.seq);
    if (entry.seq > timeline.last + 1) void this.fetchLines(sessionId).catch(() => {});
    else if (timeline.add(entry)) this.#tick();
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

/** A line that nobody can read was cut off by a crash: it is left out. */
async function addLines(timeline: Timeline, text: string): Promise<void> {
  await inSlices(linesOf(text), (line) => {
    try {
      timeline.add(line);
    } catch {
      return;
    }
  });
}
