/** One user prompt and all the work that answers it [S1]. */
import { messageOf } from "../lib/errors.ts";
import { callTool } from "./call-tool.ts";
import { compactIfNeeded } from "./compaction.ts";
import { placeContext, reminderBlock, withBlocks } from "./context.ts";
import { textTokens } from "./budget.ts";
import type { SessionCore } from "./core.ts";
import type { TurnEnd } from "./lines.ts";
import type { ToolAnswer, ToolUse } from "./messages.ts";
import { unanswered } from "./transcript.ts";

/** How a turn ended, and the model's last words. */
export interface TurnResult {
  readonly reason: TurnEnd;
  readonly text: string;
  readonly error?: string;
}

/** How often turn.stop and subagent.stop may send the agent on in one turn [W12]. */
export const SENT_ON_LIMIT = 8;

/** Said to the model when the rounds have run out [S5]. */
const FORCED_SUMMARY = "The rounds for this task are used up. Do not call tools. Summarise what was done, what was found and what is still open.";

/** The event at which a turn may be sent on: the session's own, or a subagent's. */
export type StopEvent = "turn.stop" | "subagent.stop";

/** Runs a turn to its end. Never rejects: cancelled and failed turns are results. */
export async function runTurn(
  core: SessionCore,
  prompt: string,
  { signal, stopEvent }: { readonly signal: AbortSignal; readonly stopEvent: StopEvent },
): Promise<TurnResult> {
  core.turnId = core.world.newId();
  core.requestId = "";
  const result = await attempt(core, prompt, { signal, stopEvent });
  core.openPrompt = null;
  core.say({ type: "turn.end", reason: result.reason, text: result.text, ...(result.error !== undefined && { error: result.error }) });
  return result;
}

async function attempt(core: SessionCore, prompt: string, options: { readonly signal: AbortSignal; readonly stopEvent: StopEvent }): Promise<TurnResult> {
  try {
    if (!(await submit(core, prompt, options))) return { reason: "denied", text: "" };
    return await rounds(core, options);
  } catch (error) {
    if (!options.signal.aborted) return { reason: "error", text: "", error: messageOf(error) };
    // The user cancels one turn, however many agents work on it.
    if (options.stopEvent === "turn.stop") await core.fire({ name: "turn.cancel", reason: "cancelled" }).catch(() => undefined);
    return { reason: "cancelled", text: "" };
  }
}

/** prompt.submit, then the prompt behind what hooks put in front of it. False: it was denied, and no model is called. */
async function submit(
  core: SessionCore,
  prompt: string,
  { signal, stopEvent }: { readonly signal: AbortSignal; readonly stopEvent: StopEvent },
): Promise<boolean> {
  const contexts: string[] = [];
  // A subagent's prompt comes from its parent, not from the user.
  if (stopEvent === "turn.stop") {
    const decision = await core.fire({ name: "prompt.submit", prompt }, signal);
    if (decision.verdict === "deny" || decision.interrupt) return false;
    const placed = placeContext(decision);
    core.setSlots(placed.slots);
    contexts.push(...placed.reminder, ...placed.system);
  }
  // Only a prompt that goes to the model takes along what session.start gave.
  contexts.unshift(...core.givePending());
  core.openPrompt = { prompt, contexts };
  core.add({ role: "user", text: withBlocks([reminderBlock(contexts)], prompt) });
  return true;
}

async function rounds(core: SessionCore, { signal, stopEvent }: { readonly signal: AbortSignal; readonly stopEvent: StopEvent }): Promise<TurnResult> {
  let sentOn = 0;
  for (let round = 1; round <= core.world.maxRounds; round++) {
    await compactIfNeeded(core, { round, signal });
    const response = await core.callModel({ purpose: "turn", round, tools: core.offers, signal });
    core.add({ role: "assistant", text: response.text, toolCalls: response.toolCalls });
    if (response.toolCalls.length > 0) {
      if (await callAll(core, response.toolCalls, signal)) return { reason: "interrupted", text: response.text };
      continue;
    }
    const stop = await core.fire({ name: stopEvent, stopActive: sentOn > 0, lastMessage: response.text }, signal);
    if (stop.verdict !== "deny" || stop.interrupt || sentOn >= SENT_ON_LIMIT) return { reason: "stop", text: response.text };
    sentOn += 1;
    core.add({ role: "user", text: withBlocks([reminderBlock(stop.context)], stop.reason ?? "Go on: a hook does not let the turn end yet.") });
  }
  return forcedSummary(core, signal);
}

/** One last call without tools. The message before it is nobody's prompt: no prompt.submit fires. */
async function forcedSummary(core: SessionCore, signal: AbortSignal): Promise<TurnResult> {
  const round = core.world.maxRounds + 1;
  await compactIfNeeded(core, { round, signal });
  core.add({ role: "user", text: FORCED_SUMMARY });
  const response = await core.callModel({ purpose: "summary", round, tools: [], signal });
  core.add({ role: "assistant", text: response.text, toolCalls: [] });
  return { reason: "max-rounds", text: response.text };
}

/** Runs the calls of one answer in order. Whatever happens, each has a result in the end. True: the turn is interrupted. */
async function callAll(core: SessionCore, uses: readonly ToolUse[], signal: AbortSignal): Promise<boolean> {
  const answers: ToolAnswer[] = [];
  const messages: string[] = [];
  let interrupted = false;
  try {
    for (const use of uses) {
      if (interrupted) break;
      const pendingTokens = answers.reduce((sum, answer) => sum + textTokens(answer.output), 0);
      const called = await callTool(core, use, { signal, pendingTokens });
      answers.push(called.answer);
      messages.push(...called.messages);
      interrupted = called.interrupted;
    }
  } finally {
    const open = uses.slice(answers.length).map(unanswered);
    core.add({ role: "tool", results: [...answers, ...open] });
    if (messages.length > 0) core.add({ role: "user", text: reminderBlock(messages) });
  }
  return interrupted;
}
