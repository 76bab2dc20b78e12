/** Our hooks and gate around tools of the AI SDK, in someone else's loop. */
import type { Engine } from "../engine/engine.ts";
import { asText } from "../dialects/payload.ts";
import { messageOf } from "../lib/errors.ts";
import { isObject, type JsonObject } from "../lib/json.ts";
import { trusted } from "../lib/trusted.ts";
import type { HookEvent } from "../model/events.ts";
import type { Mode, Rule } from "../model/rule.ts";
import { askMouths, type Mouth } from "../session/approvals.ts";

/** The part of an AI SDK tool that is wrapped. */
export interface GuardableTool {
  readonly execute?: (input: never, options: never) => unknown;
}

/** What the wrapped tools are guarded with. */
export interface GuardOptions {
  readonly engine: Engine;
  readonly sessionId?: string;
  readonly mode?: Mode;
  /** Who may answer questions. None: nobody is there, and asked calls are refused. */
  readonly mouths?: readonly Mouth[];
}

/** A call that was not run, and why. The AI SDK tells the model of it as a tool error. */
export class ToolDenied extends Error {
  override readonly name = "ToolDenied";
}

/** Wraps every tool that runs here: tool.before, gate and questions, the tool, tool.after or tool.failed. */
export function guardTools<Tools extends { readonly [name: string]: GuardableTool }>(tools: Tools, options: GuardOptions): Tools {
  const guard = new Guard(options);
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool;
    if (!execute) return [name, tool];
    return [
      name,
      { ...tool, execute: async (input: unknown, call: unknown) => guard.call({ name, input, call, run: (given) => execute(trusted(given), trusted(call)) }) },
    ];
  });
  return trusted<Tools>(Object.fromEntries(wrapped));
}

interface GuardedCall {
  readonly name: string;
  readonly input: unknown;
  readonly call: unknown;
  readonly run: (input: unknown) => unknown;
}

/** What the wrapped tools of one loop have in common: an engine, and the rules that its hooks taught. */
class Guard {
  readonly #options: GuardOptions;
  #learned: readonly Rule[] = [];

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  async call({ name, input, call, run }: GuardedCall): Promise<unknown> {
    const useId = isObject(call) && typeof call["toolCallId"] === "string" ? call["toolCallId"] : undefined;
    const signal = isObject(call) && call["abortSignal"] instanceof AbortSignal ? call["abortSignal"] : new AbortController().signal;
    const tool = { name, input: isObject(input) ? input : { value: input }, ...(useId !== undefined && { useId }) };
    const permitted = await this.#permit(tool, signal);
    const earlier = { feedback: permitted.feedback, context: permitted.context };
    let output: unknown;
    try {
      output = await run(isObject(input) ? permitted.input : input);
    } catch (error) {
      const failed = await this.#fire(
        { name: "tool.failed", tool: { ...tool, input: permitted.input, output: messageOf(error), isError: true, earlier } },
        signal,
      );
      throw new Error(asText(failed.result?.output ?? messageOf(error)), { cause: error });
    }
    const after = await this.#fire({ name: "tool.after", tool: { ...tool, input: permitted.input, output, isError: false, earlier } }, signal);
    if (after.result?.isError) throw new ToolDenied(asText(after.result.output));
    return after.result?.output ?? output;
  }

  async #permit(
    tool: { readonly name: string; readonly input: JsonObject },
    signal: AbortSignal,
  ): Promise<{ readonly input: JsonObject; readonly feedback: readonly string[]; readonly context: readonly string[] }> {
    const before = await this.#fire({ name: "tool.before", tool }, signal);
    if (before.verdict !== "deny") this.#learned = [...this.#learned, ...before.rules.map((text): Rule => ({ verdict: "allow", text }))];
    if (before.verdict === "deny" || before.interrupt) throw new ToolDenied(asText(before.result?.output ?? before.reason ?? "denied by a hook"));
    const input = before.input ?? tool.input;
    const said = { feedback: before.feedback, context: before.context };
    if (before.verdict !== "ask") return { input, ...said };
    const reason = before.reason ?? `${tool.name} needs permission`;
    const asked = await this.#fire({ name: "permission.request", tool: { ...tool, input }, reason }, signal);
    if (asked.verdict === "deny") throw new ToolDenied(asked.reason ?? reason);
    if (asked.verdict === "allow") return { input: await this.#judged(tool.name, asked.input ?? input), ...said };
    const { answer, text } = await askMouths(this.#options.mouths ?? [], { tool: tool.name, input, reason, agent: null }, signal);
    if (answer === "allow" || answer === "always") return { input, ...said };
    const why =
      answer === "deny"
        ? `The user denied ${tool.name}${text === undefined ? "." : `: ${text}`}`
        : `${tool.name} was not run: it needs permission (${reason}) and nobody was there to ask.`;
    await this.#fire({ name: "permission.denied", tool: { ...tool, input }, reason: why }, signal);
    throw new ToolDenied(why);
  }

  /** What a permission hook rewrote is judged again. */
  async #judged(name: string, input: JsonObject): Promise<JsonObject> {
    const report = this.#options.engine.gate?.report({ name: "tool.before", tool: { name, input } }, this.#learned);
    if (report?.verdict === "deny") throw new ToolDenied(report.because);
    return input;
  }

  async #fire(event: HookEvent, signal: AbortSignal): ReturnType<Engine["fire"]> {
    const { engine, sessionId, mode } = this.#options;
    return engine.fire(
      { ...(sessionId !== undefined && { sessionId }), ...(mode !== undefined && { permissionMode: mode }), ...event },
      { signal, learned: this.#learned },
    );
  }
}
