/** Replacing old messages by a summary [S3]. */
import { mustCompact } from "./budget.ts";
import { reminderBlock, withBlocks } from "./context.ts";
import type { SessionCore } from "./core.ts";
import type { Message } from "./messages.ts";

/** What the model is asked for. */
const INSTRUCTIONS =
  "Summarise the conversation so far, so that the work can go on from the summary alone: the task, decisions taken, files touched, commands run with their results, what is open. Answer with the summary only.";

/** Compacts when the next call would be above the limit. */
export async function compactIfNeeded(core: SessionCore, options: { readonly round: number; readonly signal: AbortSignal }): Promise<void> {
  if (mustCompact(core.used, core.model.contextWindow) && core.messages.length > 1) await compact(core, { ...options, trigger: "auto" });
}

/** Compacts now: compact.before, a call for the summary, compact.after, session.start with source compact. */
export async function compact(
  core: SessionCore,
  {
    round,
    signal,
    trigger,
    instructions,
  }: { readonly round: number; readonly signal: AbortSignal; readonly trigger: "auto" | "manual"; readonly instructions?: string },
): Promise<void> {
  const before = await core.fire({ name: "compact.before", trigger, ...(instructions !== undefined && { instructions }) }, signal);
  const ask: Message = { role: "user", text: [INSTRUCTIONS, ...(instructions === undefined ? [] : [instructions]), ...before.context].join("\n\n") };
  const response = await core.callModel({ purpose: "compaction", round, tools: [], signal, messages: [...core.messages, ask] });
  await core.fire({ name: "compact.after", trigger, summary: response.text }, signal);
  const { prompt, contexts } = core.openPrompt ?? { prompt: "", contexts: [] };
  const start = await core.fire({ name: "session.start", source: "compact", ...(core.openPrompt && { prompt }) }, signal);
  core.takeStartContext(start);
  const blocks = [reminderBlock([...core.givePending(), ...contexts]), `Summary of the conversation so far:\n${response.text}`];
  core.replace([{ role: "user", text: withBlocks(blocks, prompt).trimEnd() }], { record: true });
}
