/** The state of one conversation and the few things that everything in it does: fire, say, call the model. */
import { decisionJson } from "../model/decision-json.ts";
import type { Decision } from "../model/decision.ts";
import type { EveryEvent, HookEvent } from "../model/events.ts";
import type { Rule } from "../model/rule.ts";
import { textTokens, messageTokens, usedTokens } from "./budget.ts";
import { placeContext } from "./context.ts";
import type { LineAgent, LineBody } from "./lines.ts";
import type { Message } from "./messages.ts";
import type { Model, ModelRequest, ModelResponse, ToolOffer } from "./model/model.ts";
import type { Transcript } from "./transcript.ts";
import type { ModeHolder, World } from "./world.ts";

/** What a conversation is made of. */
export interface CoreOptions {
  readonly id: string;
  readonly world: World;
  readonly model: Model;
  readonly agent: LineAgent;
  readonly modeHolder: ModeHolder;
  readonly transcript: Transcript | null;
  readonly cwd: string;
  /** Rules and approvals that the parent has learned. */
  readonly learned: readonly Rule[];
  readonly approved: ReadonlySet<string>;
  readonly basePrompt: string;
  /** Names of the tools this agent may use; null: all. */
  readonly toolNames: readonly string[] | null;
}

/** One conversation: the session's own, or a subagent's. */
export class SessionCore {
  readonly id: string;
  readonly world: World;
  readonly model: Model;
  readonly agent: LineAgent;
  readonly modeHolder: ModeHolder;
  readonly transcript: Transcript | null;
  readonly offers: readonly ToolOffer[];
  readonly approved: Set<string>;
  learned: readonly Rule[];
  cwd: string;
  turnId = "";
  /** The model call whose tool calls are being worked on. */
  requestId = "";
  /** The prompt that is being answered, and the context hooks gave with it: compaction keeps both. */
  openPrompt: { readonly prompt: string; readonly contexts: readonly string[] } | null = null;
  #messages: Message[] = [];
  #messageTokens = 0;
  #reported = 0;
  readonly #basePrompt: string;
  readonly #toolNames: readonly string[] | null;
  #systemTexts: readonly string[] = [];
  readonly #slots = new Map<string, string>();
  /** Context of session.start that the next user message will carry. */
  #pending: readonly string[] = [];

  constructor(options: CoreOptions) {
    this.id = options.id;
    this.world = options.world;
    this.model = options.model;
    this.agent = options.agent;
    this.modeHolder = options.modeHolder;
    this.transcript = options.transcript;
    this.cwd = options.cwd;
    this.learned = options.learned;
    this.approved = new Set(options.approved);
    this.#basePrompt = options.basePrompt;
    this.#toolNames = options.toolNames;
    const tools = [...options.world.tools.values()];
    this.offers = tools.filter((tool) => this.mayUse(tool.name));
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get system(): string {
    return [this.#basePrompt, this.#systemTexts.join("\n"), ...this.#slots.values()].filter((text) => text !== "").join("\n\n");
  }

  /** Tokens that the next call will take. */
  get used(): number {
    return usedTokens({ reported: this.#reported, estimated: this.#messageTokens + textTokens(this.system) });
  }

  /** Whether this agent may use a tool: a subagent's definition may leave some out. */
  mayUse(tool: string): boolean {
    return this.#toolNames === null || this.#toolNames.includes(tool);
  }

  /** Says a line, in this agent's name. */
  say(line: LineBody): void {
    this.world.emit({ ...line, agent: this.agent });
  }

  /** Adds a message to the conversation and to its record. */
  add(message: Message): void {
    this.#messages.push(message);
    this.#messageTokens += messageTokens(message);
    this.transcript?.append({ type: "message", message });
  }

  /** Puts other messages in place of all: after compaction, clear or resume. */
  replace(messages: readonly Message[], { record }: { readonly record: boolean }): void {
    this.#messages = [...messages];
    this.#messageTokens = messages.reduce((sum, message) => sum + messageTokens(message), 0);
    this.#reported = 0;
    if (record) this.transcript?.append({ type: "replaced", messages });
  }

  /** What every event of this conversation carries. */
  get scene(): EveryEvent {
    return {
      sessionId: this.id,
      cwd: this.cwd,
      permissionMode: this.modeHolder.mode,
      ...(this.turnId !== "" && { turnId: this.turnId }),
      ...(this.requestId !== "" && { requestId: this.requestId }),
      ...(this.transcript && { transcriptPath: this.transcript.path }),
      ...(this.agent && { agent: this.agent }),
    };
  }

  /** Fires an event with what every event of this conversation carries, and tells of it. */
  async fire(event: HookEvent, signal?: AbortSignal): Promise<Decision> {
    await this.#followConfiguration(signal);
    return this.#fire(event, signal);
  }

  /** Calls the model, and tells of it. */
  async callModel(
    request: Pick<ModelRequest, "purpose" | "signal" | "tools"> & { readonly round: number; readonly messages?: readonly Message[] },
  ): Promise<ModelResponse> {
    const { round, purpose, tools, signal, messages = this.#messages } = request;
    const { system } = this;
    this.requestId = this.world.newId();
    this.say({ type: "model.request", round, purpose, system, messages: [...messages], tools: tools.map((tool) => tool.name) });
    const response = await this.model.call({ system, messages, tools, purpose, signal, onText: (delta) => this.world.onText(delta, this.agent) });
    signal.throwIfAborted();
    if (purpose === "turn") this.#reported = response.usage.input + response.usage.output;
    this.say({ type: "model.response", text: response.text, toolCalls: response.toolCalls, usage: response.usage });
    return response;
  }

  /** Takes the context of a session.start decision: it comes before the next prompt, or stands in the system prompt. */
  takeStartContext(decision: Decision): void {
    const { reminder, system } = placeContext(decision);
    this.#pending = [...this.#pending, ...reminder];
    this.#systemTexts = system;
  }

  /** Gives the waiting context away, once. */
  givePending(): readonly string[] {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }

  /** Context that replaces its own earlier text each turn; a slot that is silent this turn is emptied. */
  setSlots(slots: ReadonlyMap<string, string>): void {
    this.#slots.clear();
    for (const [slot, text] of slots) this.#slots.set(slot, text);
  }

  async #fire(event: HookEvent, signal: AbortSignal | undefined): Promise<Decision> {
    const decision = await this.world.live.engine.fire({ ...this.scene, ...event }, { learned: this.learned, ...(signal && { signal }) });
    this.say({ type: "event", event: event.name, decision: decisionJson(decision) });
    return decision;
  }

  async #followConfiguration(signal: AbortSignal | undefined): Promise<void> {
    const refresh = await this.world.live.refresh(async (event) => (await this.#fire(event, signal)).verdict !== "deny");
    if (refresh.kind === "broken") this.say({ type: "notice", message: `${refresh.message}; the configuration before it stays in force`, file: refresh.file });
    if (refresh.kind === "refused")
      this.say({ type: "notice", message: `a hook refused the change of ${refresh.file}; the configuration before it stays in force`, file: refresh.file });
  }
}
