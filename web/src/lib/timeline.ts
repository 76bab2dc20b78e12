/** Lines of a session → rows of its timeline: one for each turn, model call, tool call and lonely event. */
import type { Agent, Answer, Decision, Entry, HookReport, Line, Message, ToolUse, Verdict } from "./shapes";

/** A hook that ran within a row, at one of its events. */
export interface RowHook extends HookReport {
  readonly event: string;
}

/** One row. */
export interface Row {
  /** The number of its first line. */
  readonly key: number;
  readonly at: string;
  readonly agent: Agent;
  readonly kind: "turn" | "model" | "tool" | "event" | "notice" | "end";
  readonly title: string;
  readonly detail: string;
  readonly verdict: Verdict | null;
  readonly hooks: readonly RowHook[];
  readonly decisions: readonly Decision[];
  readonly use: ToolUse | null;
  readonly approval: Pick<Answer, "answer" | "by" | "text" | "rule"> | null;
  readonly output: { readonly text: string; readonly isError: boolean } | null;
  /** What the model was sent before it answered, as far as it was new. */
  readonly sent: readonly Message[];
}

interface Lane {
  waiting: ToolUse[];
  tool: number | null;
  turn: number | null;
  sent: readonly Message[];
}

/** Builds rows as lines come; what belongs to a row changes it. */
export class Timeline {
  readonly rows: Row[] = [];
  /** The agents, in the order in which they spoke first; the session's own is "". */
  readonly agents: string[] = [];
  /** Where in the session's file the first line stood: 0, and nothing is before it. */
  start = 0;
  /** Rows that were put before the ones that somebody already saw. */
  prepended = 0;
  readonly #lanes = new Map<string, Lane>();
  #last = 0;

  /** True when something changed: a line that was seen before changes nothing. */
  add({ seq, at, line }: Entry): boolean {
    if (seq <= this.#last) return false;
    this.#last = seq;
    this.#take(line, at, seq);
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

  #take(line: Line, at: string, key: number): void {
    const lane = this.#lane(line.agent);
    const row = (kind: Row["kind"], title: string, detail: string): number => this.rows.push({ ...EMPTY, key, at, agent: line.agent, kind, title, detail }) - 1;
    switch (line.type) {
      case "event":
        return this.#event(line, lane, row);
      case "model.request":
        return this.#request(line, lane);
      case "model.response": {
        lane.waiting = [...line.toolCalls];
        lane.tool = null;
        const made = row("model", line.text === "" ? "calls tools" : line.text, `${line.usage.input} in, ${line.usage.output} out`);
        this.#change(made, (found) => ({ ...found, sent: lane.sent }));
        lane.sent = [];
        return;
      }
      case "tool.result":
        return this.#change(lane.tool, (found) => ({ ...found, output: { text: line.output, isError: line.isError } }));
      case "approval": {
        const { answer, by, text, rule } = line;
        return this.#change(lane.tool, (found) => ({
          ...found,
          approval: { answer, by, ...(text !== undefined && { text }), ...(rule !== undefined && { rule }) },
        }));
      }
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
  #request({ messages }: Extract<Line, { type: "model.request" }>, lane: Lane): void {
    lane.sent = messages;
    const said = messages.findLast(({ role }) => role === "user")?.text;
    if (lane.turn === null || said === undefined) return;
    this.#change(lane.turn, (found) => ({ ...found, detail: said.replace(REMINDER, "").trim(), sent: messages }));
    lane.turn = null;
  }

  #event({ event, decision }: Extract<Line, { type: "event" }>, lane: Lane, row: (kind: Row["kind"], title: string, detail: string) => number): void {
    const judged = (found: Row): Row => withDecision(found, event, decision);
    if (event === "tool.before") {
      const use = lane.waiting.shift() ?? { id: "", name: "tool", input: decision.input ?? {} };
      lane.tool = row("tool", use.name, subjectOf(decision.input ?? use.input));
      return this.#change(lane.tool, (found) => ({ ...judged(found), use }));
    }
    const inTool = lane.tool !== null && (event.startsWith("tool.") || event.startsWith("permission.") || event === "notification");
    if (inTool) return this.#change(lane.tool, judged);
    const isPrompt = event === "prompt.submit";
    const made = row(isPrompt ? "turn" : "event", isPrompt ? "prompt" : event, decision.reason ?? "");
    if (isPrompt) lane.turn = made;
    return this.#change(made, judged);
  }

  #change(index: number | null, change: (row: Row) => Row): void {
    const found = index === null ? undefined : this.rows[index];
    if (found && index !== null) this.rows[index] = change(found);
  }

  #lane(agent: Agent): Lane {
    const id = agent?.id ?? "";
    const known = this.#lanes.get(id);
    if (known) return known;
    const lane: Lane = { waiting: [], tool: null, turn: null, sent: [] };
    this.#lanes.set(id, lane);
    this.agents.push(id);
    return lane;
  }
}

/** What hooks put before a prompt. */
const REMINDER = /^(?:<system-reminder>[^]*?<\/system-reminder>\s*)+/;

const EMPTY: Omit<Row, "key" | "at" | "agent" | "kind" | "title" | "detail"> = {
  verdict: null,
  hooks: [],
  decisions: [],
  use: null,
  approval: null,
  output: null,
  sent: [],
};

function withDecision(row: Row, event: string, decision: Decision): Row {
  const hooks = decision.hooks.map((hook): RowHook => ({ ...hook, event }));
  return { ...row, verdict: strictest(row.verdict, decision.verdict), hooks: [...row.hooks, ...hooks], decisions: [...row.decisions, decision] };
}

const ORDER: readonly (Verdict | null)[] = [null, "allow", "ask", "deny"];

/** The stricter of two verdicts. */
export function strictest(left: Verdict | null, right: Verdict | null): Verdict | null {
  return ORDER.indexOf(left) >= ORDER.indexOf(right) ? left : right;
}

/** What a call is about, in one line. */
export function subjectOf(input: Readonly<Record<string, unknown>>): string {
  const [first] = ["command", "file_path", "path", "pattern", "url", "prompt", "description"].flatMap((key) => {
    const value = input[key];
    return typeof value === "string" ? [value] : [];
  });
  return first ?? (Object.keys(input).length === 0 ? "" : JSON.stringify(input));
}
