/** The way of one tool call: tool.before, the gate, the tool, tool.after or tool.failed. */
import type { JsonObject } from "../lib/json.ts";
import { asText } from "../dialects/payload.ts";
import { messageOf } from "../lib/errors.ts";
import type { Decision } from "../model/decision.ts";
import { textTokens, tooLarge } from "./budget.ts";
import { placeToolContext } from "./context.ts";
import type { SessionCore } from "./core.ts";
import type { ToolAnswer, ToolUse } from "./messages.ts";
import { learnRules, settleQuestion } from "./permission.ts";
import type { Tool, ToolOutcome } from "./tools/tool.ts";
import { toolError } from "./tools/tool.ts";

/** What one call leaves in the conversation. */
export interface CalledTool {
  readonly answer: ToolAnswer;
  /** Context that goes into a message of its own, behind the results. */
  readonly messages: readonly string[];
  /** A hook wants the turn to end. */
  readonly interrupted: boolean;
}

/** Runs one call from first hook to last. `pendingTokens` are results of the same answer that the model has not seen yet. */
export async function callTool(
  core: SessionCore,
  use: ToolUse,
  { signal, pendingTokens }: { readonly signal: AbortSignal; readonly pendingTokens: number },
): Promise<CalledTool> {
  const before = await core.fire({ name: "tool.before", tool: { name: use.name, input: use.input, useId: use.id } }, signal);
  learnRules(core, before);
  const { result, message } = placeToolContext(before);
  const input = before.input ?? use.input;
  const tool = core.world.findTool(use.name, input);
  if (before.interrupt)
    return finish(core, use, toolError(before.reason ?? "A hook interrupted the turn; the call was not run."), { messages: message, interrupted: true });
  if (before.verdict === "deny" && !(tool?.asksApprover && deniedByModeOnly(before))) {
    if (before.gate?.verdict === "deny") await fireDenied(core, { ...use, input }, before.gate.because, signal);
    return finish(core, use, deniedOutcome(before), { messages: message, interrupted: false });
  }
  if (!tool || !core.mayUse(tool.name)) {
    return finish(core, use, toolError(`There is no tool ${use.name}. Tools: ${core.offers.map((offer) => offer.name).join(", ")}.`), {
      messages: message,
      interrupted: false,
    });
  }
  const permitted = await permit(core, { ...use, input }, { tool, before, signal });
  if (permitted.kind === "denied") {
    await fireDenied(core, { ...use, input }, permitted.reason, signal);
    return finish(core, use, toolError(permitted.reason), { messages: message, interrupted: false });
  }
  const started = performance.now();
  const outcome =
    permitted.text !== undefined && tool.asksApprover ? { output: permitted.text, isError: false } : await runTool(core, tool, permitted.input, signal);
  signal.throwIfAborted();
  const after = await core.fire(
    {
      name: outcome.isError ? "tool.failed" : "tool.after",
      tool: {
        name: use.name,
        input: permitted.input,
        output: outcome.output,
        isError: outcome.isError,
        useId: use.id,
        durationMs: Math.round(performance.now() - started),
        earlier: { feedback: before.feedback, context: result },
      },
    },
    signal,
  );
  const seen = { output: asText(after.result?.output ?? outcome.output), isError: after.result?.isError ?? outcome.isError };
  return finish(core, use, withinBudget(core, seen, pendingTokens), { messages: message, interrupted: after.interrupt });
}

type Permitted = { readonly kind: "run"; readonly input: JsonObject; readonly text?: string } | { readonly kind: "denied"; readonly reason: string };

/** No hook and no rule speaks against the call, only the mode. */
function deniedByModeOnly({ gate, hooks }: Decision): boolean {
  return gate?.step === "mode" && hooks.every((hook) => hook.verdict !== "deny");
}

/** A tool that asks somebody is asked in every mode; a call that can't run is no question. */
async function permit(core: SessionCore, use: ToolUse, { tool, before, signal }: { tool: Tool; before: Decision; signal: AbortSignal }): Promise<Permitted> {
  if (tool.problemOf?.(use.input)) return { kind: "run", input: use.input };
  if (before.verdict !== "ask" && !tool.asksApprover) return { kind: "run", input: use.input };
  return settleQuestion(core, use, { reason: before.reason ?? `mode ${core.modeHolder.mode} asks for ${use.name}`, signal, remembers: !tool.asksApprover });
}

async function runTool(core: SessionCore, tool: Tool, input: JsonObject, signal: AbortSignal): Promise<ToolOutcome> {
  try {
    return await tool.run(input, {
      cwd: core.cwd,
      setCwd: (cwd) => void (core.cwd = cwd),
      root: core.world.root,
      env: core.world.env,
      tempDir: core.world.tempDir,
      signal,
      onProgress: (text) => core.world.onProgress(text, core.agent),
      mayRead: (path) => mayRead(core, path),
      memory: core.world.memory,
      subagent: async (request) => core.world.subagent(core, request, signal),
      taskCompleted: async (task) => void (await core.fire({ name: "task.completed", task }, signal)),
    });
  } catch (error) {
    signal.throwIfAborted();
    return toolError(`${tool.name} failed: ${messageOf(error)}`);
  }
}

/** What a search would read on the way is judged as a Read of that file. */
function mayRead(core: SessionCore, path: string): boolean {
  const { gate } = core.world.live.engine;
  const report = gate?.report(
    { name: "tool.before", cwd: core.cwd, permissionMode: core.modeHolder.mode, tool: { name: "Read", input: { file_path: path } } },
    core.learned,
  );
  return !report || report.verdict === "allow";
}

async function fireDenied(core: SessionCore, use: ToolUse, reason: string, signal: AbortSignal): Promise<void> {
  await core.fire({ name: "permission.denied", tool: { name: use.name, input: use.input, useId: use.id }, reason }, signal);
}

function deniedOutcome(decision: Decision): ToolOutcome {
  return toolError(asText(decision.result?.output ?? decision.reason ?? "denied"));
}

/** Feedback counts too: the budget is applied to what the model would see [S4]. */
function withinBudget(core: SessionCore, outcome: ToolOutcome, pendingTokens: number): ToolOutcome {
  const adds = textTokens(outcome.output);
  const { contextWindow } = core.model;
  const used = core.used + pendingTokens;
  if (!tooLarge({ used, adds, contextWindow })) return outcome;
  const error = `The output was too large: about ${adds} tokens would take the context above 80 % of ${contextWindow}. Ask for less: a range of lines, a filter, a summary.`;
  // Above the limit already, short output is not what is too large: until the next compaction no tool would work.
  if (tooLarge({ used, adds: 0, contextWindow }) && adds <= textTokens(error)) return outcome;
  return toolError(error);
}

function finish(core: SessionCore, use: ToolUse, { output, isError }: ToolOutcome, rest: Pick<CalledTool, "messages" | "interrupted">): CalledTool {
  core.say({ type: "tool.result", useId: use.id, name: use.name, output, isError });
  return { answer: { useId: use.id, name: use.name, output, isError }, ...rest };
}
