/** Lines of a session → rows of its timeline: one for each turn, model call, tool call and lonely event. */
import type { Agent, Answer, Decision, Entry, HookReport, Line, ToolUse, Verdict } from "./shapes";

/** A hook that ran within a row, at one of its events. */
export interface RowHook extends HookReport {
  readonly event: string;
}

/** One row. */
export interface Row {
  readonly key: string;
  readonly at: string;
  readonly agent: Agent;
  readonly kind: "turn" | "model" | "tool" | "event" | "notice" | "end";
  readonly title: string;
  readonly detail: string;
  readonly verdict: Verdict | null;
  readonly hooks: readonly RowHook[];
  readonly decisions: readonly Decision[];
  readonly lines: readonly Line[];
  readonly use: ToolUse | null;
  readonly approval: Pick<Answer, "answer" | "by" | "text"> | null;
  readonly output: { readonly text: string; readonly isError: boolean } | null;
}

interface Lane {
  waiting: ToolUse[];
  tool: number | null;
}

/** Builds rows as lines come; what belongs to a row changes it. */
export class Timeline {
  rows: Row[] = [];
  readonly #lanes = new Map<string, Lane>();
  #last = 0;

  /** True when something changed: a line that was seen before changes nothing. */
  add({ seq, at, line }: Entry): boolean {
    if (seq <= this.#last) return false;
    this.#last = seq;
    this.#take(line, at, `${seq}`);
    return true;
  }

  get last(): number {
    return this.#last;
  }

  #take(line: Line, at: string, key: string): void {
    const lane = this.#lane(line.agent);
    const row = (kind: Row["kind"], title: string, detail: string): number =>
      this.rows.push(emptyRow({ key, at, agent: line.agent, kind, title, detail, line })) - 1;
    switch (line.type) {
      case "event":
        return this.#event(line, lane, row);
      case "model.request":
        return;
      case "model.response":
        lane.waiting = [...line.toolCalls];
        lane.tool = null;
        row("model", line.text === "" ? "calls tools" : line.text, `${line.usage.input} in, ${line.usage.output} out`);
        return;
      case "tool.result":
        return this.#change(lane, (found) => ({ ...found, output: { text: line.output, isError: line.isError }, lines: [...found.lines, line] }));
      case "approval":
        return this.#change(lane, (found) => ({ ...found, approval: line as Pick<Answer, "answer" | "by" | "text">, lines: [...found.lines, line] }));
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

  #event(line: Extract<Line, { type: "event" }>, lane: Lane, row: (kind: Row["kind"], title: string, detail: string) => number): void {
    const { event, decision } = line;
    if (event === "tool.before") {
      const use = lane.waiting.shift() ?? { id: "", name: "tool", input: decision.input ?? {} };
      lane.tool = row("tool", use.name, subjectOf(decision.input ?? use.input));
      const at = lane.tool;
      const made = this.rows[at];
      if (made) this.rows[at] = { ...withDecision(made, event, decision), use };
      return;
    }
    const inTool = lane.tool !== null && (event.startsWith("tool.") || event.startsWith("permission.") || event === "notification");
    if (inTool) return this.#change(lane, (found) => ({ ...withDecision(found, event, decision), lines: [...found.lines, line] }));
    const at = row(event === "prompt.submit" ? "turn" : "event", event === "prompt.submit" ? "prompt" : event, decision.reason ?? "");
    const made = this.rows[at];
    if (made) this.rows[at] = withDecision(made, event, decision);
  }

  #change(lane: Lane, change: (row: Row) => Row): void {
    const found = lane.tool === null ? undefined : this.rows[lane.tool];
    if (found && lane.tool !== null) this.rows[lane.tool] = change(found);
  }

  #lane(agent: Agent): Lane {
    const id = agent?.id ?? "";
    const lane = this.#lanes.get(id) ?? { waiting: [], tool: null };
    this.#lanes.set(id, lane);
    return lane;
  }
}

function emptyRow({ line, ...rest }: Pick<Row, "key" | "at" | "agent" | "kind" | "title" | "detail"> & { readonly line: Line }): Row {
  return { ...rest, verdict: null, hooks: [], decisions: [], lines: [line], use: null, approval: null, output: null };
}

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
