/** Lines of a session → rows of its timeline: one for each turn, model call, tool call and lonely event. */
import { trusted } from "../../../src/lib/trusted";
import { strictest } from "../../../src/model/verdict";
import { count } from "./text";
import type { Agent, Answer, Decision, Entry, HookReport, Line, Message, ToolUse, Verdict } from "./shapes";

/** A hook that ran within a row, at one of its events. */
export interface RowHook extends HookReport {
  readonly event: string;
}

/** A line of the session: read, or as it stands in its file. A hundred thousand texts are light, as many objects are not. */
export type Source = string | Entry;

/** One row: what the list needs to find its place, and the lines that it was made of. */
export interface Row {
  /** The number of its first line. */
  readonly key: number;
  readonly at: string;
  readonly agent: Agent;
  readonly kind: "turn" | "model" | "tool" | "event" | "notice" | "end";
  readonly title: string;
  readonly detail: string;
  readonly verdict: Verdict | null;
  readonly use: ToolUse | null;
  readonly sources: readonly Source[];
}

/** What the lines of a row tell together. */
export interface RowStory {
  readonly hooks: readonly RowHook[];
  readonly decisions: readonly Decision[];
  readonly approval: Pick<Answer, "answer" | "by" | "text" | "rule"> | null;
  readonly output: { readonly text: string; readonly isError: boolean } | null;
  /** What the model was sent before it answered, as far as it was new. */
  readonly sent: readonly Message[];
}

interface Lane {
  waiting: ToolUse[];
  tool: number | null;
  turn: number | null;
  request: Source | null;
}

/** Builds rows as lines come; what belongs to a row changes it. */
export class Timeline {
  readonly rows: Row[] = [];
  /** The agents, in the order in which they spoke first; the session's own is null. Another list when somebody new speaks. */
  agents: readonly Agent[] = [];
  /** Where in the session's file the first line stood: 0, and nothing is before it. */
  start = 0;
  /** Rows that were put before the ones that somebody already saw. */
  prepended = 0;
  readonly #lanes = new Map<string, Lane>();
  #longest = { stretch: 0, before: 0, now: 0 };
  #last = 0;

  /** True when something changed: a line that was seen before changes nothing. */
  add(source: Source): boolean {
    const entry = read(source);
    if (entry.seq <= this.#last) return false;
    this.#last = entry.seq;
    this.#take(entry, source);
    return true;
  }

  /** The number of the newest line. */
  get last(): number {
    return this.#last;
  }

  /** Where the row of a number stands; -1: nowhere. Numbers grow with the rows. */
  indexOf(key: number): number {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.rows[middle]?.key ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return this.rows[low]?.key === key ? low : -1;
  }

  /** The longest time of a hook in the newest rows: what bars are drawn against. */
  get longestMs(): number {
    return Math.max(1, this.#longest.before, this.#longest.now);
  }

  #take({ seq: key, at, line }: Entry, source: Source): void {
    const lane = this.#lane(line.agent);
    const row = (kind: Row["kind"], title: string, detail: string, sources: readonly Source[] = []): number =>
      this.rows.push({ key, at, agent: line.agent, kind, title, detail, verdict: null, use: null, sources }) - 1;
    switch (line.type) {
      case "event":
        return this.#event(line, { lane, row, source });
      case "model.request":
        return this.#request(line, lane, source);
      case "model.response":
        lane.waiting = [...line.toolCalls];
        lane.tool = null;
        row(
          "model",
          line.text === "" ? "calls tools" : line.text,
          `${count(line.usage.input)} tokens in, ${count(line.usage.output)} out`,
          lane.request === null ? [] : [lane.request],
        );
        lane.request = null;
        return;
      case "tool.result":
      case "approval":
        return this.#change(lane.tool, source);
      case "turn.end":
        row("end", `turn ended: ${line.reason}`, line.error ?? line.text);
        return;
      case "session.end":
        row("end", "session ended", line.reason);
        return;
      case "notice":
        row("notice", line.message, line.file === undefined ? "" : `${line.file}:${line.line ?? 1}`);
        return;
    }
  }

  /** The prompt is told with the first request of its turn. */
  #request({ messages }: Extract<Line, { type: "model.request" }>, lane: Lane, source: Source): void {
    lane.request = source;
    const said = messages.findLast(({ role }) => role === "user")?.text;
    if (lane.turn === null || said === undefined) return;
    this.#change(lane.turn, source, { detail: said.replace(REMINDER, "").trim() });
    lane.turn = null;
  }

  #event({ event, decision }: Extract<Line, { type: "event" }>, { lane, row, source }: { lane: Lane; row: NewRow; source: Source }): void {
    this.#measure(decision);
    if (event === "tool.before") {
      const use = lane.waiting.shift() ?? { id: "", name: "tool", input: decision.input ?? {} };
      lane.tool = row("tool", use.name, subjectOf(decision.input ?? use.input));
      return this.#change(lane.tool, source, { use, verdict: decision.verdict });
    }
    const inTool = lane.tool !== null && (event.startsWith("tool.") || event.startsWith("permission.") || event === "notification");
    const isPrompt = event === "prompt.submit";
    const index = inTool ? lane.tool : row(isPrompt ? "turn" : "event", isPrompt ? "prompt" : event, decision.reason ?? "");
    if (isPrompt && !inTool) lane.turn = index;
    return this.#change(index, source, { verdict: strictest([this.rows[index ?? -1]?.verdict, decision.verdict]) });
  }

  /** The longest times of two neighbouring stretches of rows: one that was long ago is forgotten with its stretch. */
  #measure({ hooks }: Decision): void {
    const stretch = Math.floor(this.rows.length / STRETCH_ROWS);
    if (stretch !== this.#longest.stretch) this.#longest = { stretch, before: this.#longest.now, now: 0 };
    for (const { durationMs } of hooks) this.#longest.now = Math.max(this.#longest.now, durationMs);
  }

  #change(index: number | null, source: Source, change: Partial<Row> = {}): void {
    const found = index === null ? undefined : this.rows[index];
    if (found && index !== null) this.rows[index] = { ...found, ...change, sources: [...found.sources, source] };
  }

  #lane(agent: Agent): Lane {
    const id = agent?.id ?? "";
    const known = this.#lanes.get(id);
    if (known) return known;
    const lane: Lane = { waiting: [], tool: null, turn: null, request: null };
    this.#lanes.set(id, lane);
    this.agents = [...this.agents, agent];
    return lane;
  }
}

/** What hooks put before a prompt. */
const REMINDER = /^(?:<system-reminder>[^]*?<\/system-reminder>\s*)+/;

/** Rows over which bars keep their scale. */
const STRETCH_ROWS = 200;

type NewRow = (kind: Row["kind"], title: string, detail: string) => number;

/** Rows in sight are drawn again and again, and a row that changes is another row. */
const STORIES = new WeakMap<Row, RowStory>();

/** What happened in a row, read from its lines when somebody looks at it. */
export function storyOf(row: Row): RowStory {
  const known = STORIES.get(row);
  if (known) return known;
  const lines = row.sources.map((source) => read(source).line);
  const events = lines.filter((line) => line.type === "event");
  const approval = lines.findLast((line) => line.type === "approval");
  const result = lines.findLast((line) => line.type === "tool.result");
  const story: RowStory = {
    hooks: events.flatMap(({ event, decision }) => decision.hooks.map((hook): RowHook => ({ ...hook, event }))),
    decisions: events.map(({ decision }) => decision),
    approval: approval ?? null,
    output: result ? { text: result.output, isError: result.isError } : null,
    sent: lines.findLast((line) => line.type === "model.request")?.messages ?? [],
  };
  STORIES.set(row, story);
  return story;
}

function read(source: Source): Entry {
  return typeof source === "string" ? trusted<Entry>(JSON.parse(source)) : source;
}

/** What a call is about, in one line. */
export function subjectOf(input: Readonly<Record<string, unknown>>): string {
  const [first] = ["command", "file_path", "path", "pattern", "url", "prompt", "description"].flatMap((key) => {
    const value = input[key];
    return typeof value === "string" ? [value] : [];
  });
  return first ?? (Object.keys(input).length === 0 ? "" : JSON.stringify(input));
}
