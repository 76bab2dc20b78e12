/** One conversation and its state, from start to end [S1–S9]. */
import { setTimeout as wait } from "node:timers/promises";
import { permittedMode } from "../config/authority.ts";
import { SnaphookError } from "../model/errors.ts";
import type { Mode } from "../model/rule.ts";
import { compact } from "./compaction.ts";
import { SessionCore, type CoreOptions } from "./core.ts";
import type { Message } from "./messages.ts";
import { disposeTools } from "./tools/index.ts";
import { runTurn, type TurnResult } from "./turn.ts";
import type { McpServers } from "./mcp/servers.ts";
import type { Transcript } from "./transcript.ts";

/** What a session is put together from. */
export interface SessionParts extends Omit<CoreOptions, "id" | "transcript" | "agent" | "learned" | "approved" | "toolNames"> {
  /** Opens the record of a conversation with this id. */
  readonly openTranscript: (id: string) => Transcript | null;
  readonly mcp: McpServers | null;
  /** Background work of subagents. */
  readonly backgroundSettled: () => Promise<void>;
}

/** How long the end of a session waits for a turn that was cancelled. */
const TURN_END_LIMIT_MS = 5_000;
/** How long it waits for hooks whose events waited for nobody. */
const DETACHED_LIMIT_MS = 10_000;

/** A session. Prompts are answered one after another; a cancelled turn leaves the session alive. */
export class Session {
  readonly #parts: SessionParts;
  #core: SessionCore;
  #turn: AbortController | null = null;
  /** Resolves when the turn has ended, however. */
  #turnOver: Promise<void> = Promise.resolve();
  #ended: Promise<void> | null = null;

  constructor(parts: SessionParts, { id, messages }: { readonly id: string; readonly messages: readonly Message[] }) {
    this.#parts = parts;
    this.#core = this.#newCore(id);
    if (messages.length > 0) this.#core.replace(messages, { record: false });
  }

  get id(): string {
    return this.#core.id;
  }

  get mode(): Mode {
    return this.#parts.modeHolder.mode;
  }

  /** Never looser than managed settings permit. */
  set mode(mode: Mode) {
    this.#parts.modeHolder.mode = permittedMode(mode, this.#parts.world.live.engine.configuration.authority);
  }

  /** The conversation behind the session: for those who show it. */
  get core(): SessionCore {
    return this.#core;
  }

  /** Whether a turn is being answered. */
  get busy(): boolean {
    return this.#turn !== null;
  }

  /** Fires session.start, with the prompt that is about to come where that is known. */
  async start(source: "startup" | "resume" | "clear", prompt?: string): Promise<void> {
    const { world } = this.#parts;
    this.#core.transcript?.append({ type: "session", id: this.id, cwd: world.root, at: world.now().toISOString() });
    this.#core.takeStartContext(await this.#core.fire({ name: "session.start", source, model: this.#core.model.id, ...(prompt !== undefined && { prompt }) }));
  }

  /** Answers one prompt. `/clear` clears, `/compact` compacts. */
  async prompt(text: string): Promise<TurnResult> {
    if (this.#ended) throw new SnaphookError("SNAP_SESSION_ENDED", { id: this.id });
    if (this.#turn) throw new SnaphookError("SNAP_SESSION_BUSY", { id: this.id });
    const turn = new AbortController();
    this.#turn = turn;
    const work = this.#work(text, turn.signal).finally(() => void (this.#turn = null));
    this.#turnOver = work.then(
      () => {},
      () => {},
    );
    return work;
  }

  async #work(text: string, signal: AbortSignal): Promise<TurnResult> {
    if (text.trim() === "/clear") return this.#clear();
    const instructions = /^\/compact(?:\s+([\s\S]+))?$/.exec(text.trim());
    if (instructions) return this.#compact(instructions[1], signal);
    return runTurn(this.#core, text, { signal, stopEvent: "turn.stop" });
  }

  /** Cancels the turn, not the session. False: there was none. */
  cancel(): boolean {
    this.#turn?.abort(new Error("the turn was cancelled"));
    return this.#turn !== null;
  }

  /** Ends the session once: session.end fires on every way out, and what still runs is waited for or ended. */
  async end(reason: string): Promise<void> {
    this.#ended ??= this.#end(reason);
    await this.#ended;
  }

  async #end(reason: string): Promise<void> {
    const { world, mcp, backgroundSettled } = this.#parts;
    this.cancel();
    // The turn ends before its session does, unless a tool does not let go of it.
    await endsWithin(this.#turnOver, TURN_END_LIMIT_MS);
    await backgroundSettled();
    await this.#core.fire({ name: "session.end", reason }).catch(() => undefined);
    this.#core.transcript?.append({ type: "end", reason, at: world.now().toISOString() });
    await disposeTools(world.memory);
    await mcp?.close();
    if (!(await endsWithin(world.live.settled(), DETACHED_LIMIT_MS)))
      this.#core.say({ type: "notice", message: `hooks that nobody waits for still ran ${DETACHED_LIMIT_MS / 1000} s after the session; they are ended` });
    await world.live.close();
    this.#core.say({ type: "session.end", reason, sessionId: this.id });
  }

  /** The old conversation ends, a new one begins, with the same rules and mode. */
  async #clear(): Promise<TurnResult> {
    const { world } = this.#parts;
    await this.#core.fire({ name: "session.end", reason: "clear" });
    this.#core.transcript?.append({ type: "end", reason: "clear", at: world.now().toISOString() });
    this.#core = this.#newCore(world.newId());
    await this.start("clear");
    return { reason: "stop", text: "" };
  }

  async #compact(instructions: string | undefined, signal: AbortSignal): Promise<TurnResult> {
    await compact(this.#core, { round: 0, signal, trigger: "manual", ...(instructions !== undefined && { instructions }) });
    return { reason: "stop", text: "" };
  }

  #newCore(id: string): SessionCore {
    const { openTranscript, mcp: _mcp, backgroundSettled: _settled, ...shared } = this.#parts;
    return new SessionCore({
      ...shared,
      id,
      agent: null,
      transcript: openTranscript(id),
      learned: this.#core?.learned ?? [],
      approved: this.#core?.approved ?? new Set(),
      toolNames: null,
    });
  }
}

/** Whether work ended within a limit. */
async function endsWithin(work: Promise<void>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = wait(limitMs, false, { signal: timer.signal }).catch(() => false);
  const ended = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return ended;
}
