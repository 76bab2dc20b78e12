/** The human view of a session: its lines and streamed text, told as a timeline. */
import { canonicalName } from "../../dialects/spelling.ts";
import type { Decision } from "../../model/decision.ts";
import type { HookEvent } from "../../model/events.ts";
import type { LineAgent, OnText, SessionLine } from "../../session/lines.ts";
import type { Surface } from "../command.ts";
import { shortPath, shortPaths, type Folders } from "../render/paths.ts";
import { wrap } from "../render/text.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { DecisionReader, type DecisionView } from "./decision-view.ts";
import { closingLines, rowLines, wrapHard } from "./layout.ts";
import { Printer } from "./printer.ts";
import { placeText, rowsOf, shortName, type Row } from "./rows.ts";
import { headLines, isRewritten, resultLines, toldLines } from "./tool-block.ts";
import { joinParts, Totals, type ContextUse } from "./totals.ts";
import { ANSWERS, PURPOSES, TOLD_ELSEWHERE, TURN_ENDS } from "./watch-words.ts";
import { newLane, type Lane, type OpenCall } from "./lane.ts";

/** Eyes on a session: spread into the options of `createSession`. */
export interface SessionWatch {
  readonly onLine: (line: SessionLine) => void;
  readonly onText: OnText;
  readonly onProgress: (text: string, agent: LineAgent) => void;
  /** Sees decisions before their lines: only they tell which hook had which effect. */
  readonly onDecision: (decision: Decision, event: HookEvent) => void;
  /** Shows a prompt that nobody typed here. */
  readonly onPrompt: (prompt: string) => void;
  /** A prompt was typed here, below what was shown so far. */
  readonly onTyped: () => void;
}

/** How a session is told. */
export interface WatchOptions {
  /** The folders that paths are shortened by. Default: the surface's. */
  readonly folders?: Folders;
  /** When the totals are told. */
  readonly totals?: "turn" | "session";
  /** How full the context is; without it, what the model last reported. */
  readonly contextUse?: () => ContextUse | null;
  readonly now?: () => number;
}

/** Tells a session on a surface. */
export function watchSession(surface: Surface, options: WatchOptions = {}): SessionWatch {
  const view = new View(surface, options);
  return {
    onLine: (line) => view.line(line),
    onText: (delta, agent) => view.text(delta, agent),
    onProgress: () => {},
    onDecision: (decision, event) => view.decisions.saw(decision, event),
    onPrompt: (prompt) => view.prompt(prompt),
    onTyped: () => view.typed(),
  };
}

class View {
  readonly decisions = new DecisionReader();
  readonly #printer: Printer;
  readonly #options: WatchOptions;
  readonly #folders: Folders;
  readonly #lanes = new Map<string, Lane>();
  readonly #told = new Set<string>();
  readonly #now: () => number;
  #totals = new Totals();
  #reported = 0;

  constructor(surface: Surface, options: WatchOptions) {
    this.#printer = new Printer(surface);
    this.#options = options;
    this.#folders = options.folders ?? { cwd: surface.cwd, home: surface.env["HOME"] ?? "" };
    this.#now = options.now ?? (() => performance.now());
  }

  prompt(prompt: string): void {
    const { columns, paint } = this.#printer.look(null);
    const lines = cleanText(prompt)
      .split("\n")
      .flatMap((line) => wrap(line, columns - 2));
    this.#printer.gap(null);
    this.#printer.lines(
      lines.map((line, index) => `${index === 0 ? paint("bold", ">") : " "} ${line}`),
      null,
    );
    this.#printer.gap(null);
  }

  typed(): void {
    this.#printer.written();
  }

  text(delta: string, agent: LineAgent): void {
    const lane = this.#lane(agent);
    if (agent || PURPOSES[lane.purpose] !== undefined) return;
    lane.streamed = true;
    this.#printer.text(delta);
  }

  line(line: SessionLine): void {
    const lane = this.#lane(line.agent);
    switch (line.type) {
      case "event":
        return this.#event(line, lane);
      case "model.request":
        lane.purpose = line.purpose;
        lane.streamed = false;
        return this.#remark(PURPOSES[line.purpose], line.agent);
      case "model.response":
        return this.#response(line, lane);
      case "approval":
        return this.#approval(line, lane);
      case "tool.result":
        return this.#result(line, lane);
      case "notice":
        return this.#notice(line, line.agent);
      case "turn.end":
        return this.#turnEnd(line, lane);
      case "session.end":
        if (this.#options.totals !== "turn") this.#tellTotals();
        return undefined;
    }
  }

  #event({ event, decision: json, agent }: Extract<SessionLine, { type: "event" }>, lane: Lane): void {
    const decision = this.decisions.read(json);
    if (!decision) return;
    this.#count(decision);
    if (event === "prompt.submit") lane.refusal = decision.reason ?? "";
    if (event === "tool.before") this.#begin(decision, agent, lane);
    else this.#head(event, decision, agent, lane);
    const { call } = lane;
    if (call) this.#follow(call, { event, decision });
    this.#rows(rowsOf(decision, { event, folders: this.#folders }), agent);
    for (const notice of decision.notices) if (!TOLD_ELSEWHERE.includes(notice.kind) && !this.#told.has(notice.message)) this.#noticeRow(notice.message, agent);
  }

  /** A call begins: whatever was open before it was given up. */
  #begin(decision: DecisionView, agent: LineAgent, lane: Lane): void {
    const [use, ...waiting] = lane.waiting;
    lane.waiting = waiting;
    const known = use ?? { id: "", name: "tool", input: decision.originalInput ?? {} };
    lane.call = { use: known, startedAt: this.#now(), durationMs: null, ownOutput: null, denied: false, remark: "", recorded: decision.id };
    this.#totals.calls += 1;
    if (isRewritten(decision)) this.#totals.rewritten += 1;
    this.#printer.gap(agent);
    this.#printer.lines(headLines(known, decision, { look: this.#printer.look(agent), folders: this.#folders }), agent);
  }

  /** Outside of a call, hooks stand below the canonical name of their event. */
  #head(event: string, decision: DecisionView, agent: LineAgent, lane: Lane): void {
    if (lane.call || (decision.hooks.length === 0 && decision.reason === null)) return;
    const { paint } = this.#printer.look(agent);
    this.#printer.gap(agent);
    this.#printer.lines([`${paint("dim", "○")} ${event}`], agent);
  }

  #follow(call: OpenCall, { event, decision }: { event: string; decision: DecisionView }): void {
    if (event === "permission.denied" || (event !== "tool.after" && event !== "tool.failed" && decision.verdict === "deny")) this.#deny(call);
    const feedback = decision.effects?.find(({ effect }) => effect.kind === "feedback");
    const from = feedback && decision.hooks[feedback.hook];
    if (from && typeof decision.toolOutput === "string") call.ownOutput = decision.toolOutput;
    if (from) call.remark = `hook feedback appended (${from.dialect}, ${shortName(from.name)})`;
    if (event === "tool.before") call.startedAt = this.#now();
    if (event === "tool.after" || event === "tool.failed") call.durationMs = decision.toolMs ?? this.#now() - call.startedAt;
  }

  #deny(call: OpenCall): void {
    if (!call.denied) this.#totals.denied += 1;
    call.denied = true;
  }

  #response({ text, toolCalls, usage, agent }: Extract<SessionLine, { type: "model.response" }>, lane: Lane): void {
    lane.waiting = toolCalls;
    if (!agent && usage.input + usage.output > 0) this.#reported = usage.input + usage.output;
    this.#printer.endText();
    if (lane.streamed || text.trim() === "" || lane.purpose === "compaction") return;
    const { columns } = this.#printer.look(agent);
    this.#printer.gap(agent);
    this.#printer.lines(
      cleanText(text)
        .trimEnd()
        .split("\n")
        .flatMap((line) => wrapHard(line, columns)),
      agent,
    );
  }

  #approval({ tool, answer, by, text, agent }: Extract<SessionLine, { type: "approval" }>, { call }: Lane): void {
    const { who, granted } = ANSWERS[answer] ?? { who: answer, granted: false };
    const answered = granted && canonicalName(tool) === "ask";
    if (granted && !answered) this.#totals.approved += 1;
    if (call) call.startedAt = this.#now();
    if (call && !granted) this.#deny(call);
    this.#rows(
      [
        {
          who: answered ? "answered" : who,
          name: answer === "none" ? "there to ask" : `by ${shortPath(cleanLine(by), this.#folders)}`,
          word: "",
          durationMs: null,
          place: "",
          says: text === undefined ? "" : cleanText(text).trim(),
        },
      ],
      agent,
    );
  }

  #result({ output, isError, agent }: Extract<SessionLine, { type: "tool.result" }>, lane: Lane): void {
    const { call } = lane;
    lane.call = null;
    const look = this.#printer.look(agent);
    if (call?.denied) return this.#printer.lines(toldLines(shortPaths(output, this.#folders), look, call.recorded), agent);
    if (isError) this.#totals.failed += 1;
    this.#printer.lines(
      resultLines(
        { output: shortPaths(call?.ownOutput ?? output, this.#folders), isError, durationMs: call?.durationMs ?? 0, remark: call?.remark ?? "" },
        look,
      ),
      agent,
    );
  }

  #notice({ message, file, line }: Extract<SessionLine, { type: "notice" }>, agent: LineAgent): void {
    this.#told.add(message);
    const { columns, paint } = this.#printer.look(agent);
    const place = file === undefined ? "" : `  ${placeText({ file, line }, this.#folders)}`;
    const lines = wrapHard(`${cleanLine(shortPaths(message, this.#folders))}${place}`, columns - 2);
    this.#printer.lines(
      lines.map((text, index) => `${index === 0 ? paint("yellow", "!") : " "} ${text}`),
      agent,
    );
  }

  #noticeRow(message: string, agent: LineAgent): void {
    this.#rows([{ who: "notice", name: "", word: "", durationMs: null, place: "", says: shortPaths(cleanText(message), this.#folders) }], agent);
  }

  #turnEnd({ reason, error, agent }: Extract<SessionLine, { type: "turn.end" }>, lane: Lane): void {
    const look = this.#printer.look(agent);
    this.#printer.endText();
    if (lane.call) this.#printer.lines(closingLines("not finished", look), agent);
    const why = reason === "error" ? (error ?? "") : reason === "denied" ? lane.refusal : "";
    const word = TURN_ENDS[reason];
    if (word !== undefined) {
      const { columns, paint } = look;
      this.#printer.gap(agent);
      this.#printer.lines(
        wrapHard(`${word}${why === "" ? "" : `: ${cleanLine(shortPaths(why, this.#folders))}`}`, columns).map((line) => paint("yellow", line)),
        agent,
      );
    }
    if (agent) this.#lanes.delete(agent.id);
    else Object.assign(lane, newLane());
    if (!agent && this.#options.totals === "turn") this.#tellTotals();
  }

  #tellTotals(): void {
    const { columns, paint } = this.#printer.look(null);
    const context = this.#options.contextUse?.() ?? { used: this.#reported, contextWindow: null };
    const parts = this.#totals.parts(context);
    this.#totals = new Totals();
    if (parts.length === 0) return;
    this.#printer.gap(null);
    this.#printer.lines(
      joinParts(parts, columns - 2).map((line) => `  ${paint("dim", line)}`),
      null,
    );
  }

  #remark(text: string | undefined, agent: LineAgent): void {
    if (text === undefined) return;
    this.#printer.gap(agent);
    this.#printer.lines([`${this.#printer.look(agent).paint("dim", "○")} ${text}`], agent);
  }

  #rows(rows: readonly Row[], agent: LineAgent): void {
    const look = this.#printer.look(agent);
    this.#printer.lines(
      rows.flatMap((row) => rowLines(row, look)),
      agent,
    );
  }

  #count({ hooks }: DecisionView): void {
    this.#totals.hooks += hooks.length;
    this.#totals.hooksMs += hooks.reduce((sum, hook) => sum + hook.durationMs, 0);
  }

  #lane(agent: LineAgent): Lane {
    const key = agent?.id ?? "";
    const known = this.#lanes.get(key);
    if (known) return known;
    const lane = newLane();
    this.#lanes.set(key, lane);
    if (agent) this.#remark(`subagent ${cleanLine(agent.type)}`, agent);
    return lane;
  }
}
