/** A session started by a session: the parent's hooks, rules and mode, and never more than the parent may [S8, A9]. */
import { SessionCore } from "./core.ts";
import { runTurn, type TurnResult } from "./turn.ts";
import type { SubagentRequest } from "./world.ts";
import { toolError, type ToolOutcome } from "./tools/tool.ts";

const SUBAGENT_PROMPT = "You are a subagent. Do the task you are given and answer with what your caller needs to know.";

/** The type of a subagent where none is named. */
const GENERAL = "general-purpose";

/** Subagents can't start subagents of their own. */
const FORBIDDEN_TOOLS = ["Agent"];

/** Runs a subagent to its end; in the background, says at once that it runs. */
export async function runSubagent(parent: SessionCore, request: SubagentRequest, signal: AbortSignal): Promise<ToolOutcome> {
  if (!request.background) return outcomeOf(await run(parent, request, signal), request);
  const ended = new AbortController();
  const work = run(parent, request, ended.signal).then(async (result) => {
    await parent.fire({ name: "teammate.idle", teammate: { name: request.description, type: request.type } });
    parent.world.emit({ type: "notice", agent: null, message: `the subagent "${request.description}" has ended (${result.reason}): ${result.text}` });
  });
  parent.world.background(work);
  return { output: `The subagent "${request.description}" runs in the background.`, isError: false };
}

async function run(parent: SessionCore, { type, prompt }: SubagentRequest, signal: AbortSignal): Promise<TurnResult> {
  const { world } = parent;
  const agentType = type === "" ? GENERAL : type;
  const definition = world.agents.get(agentType);
  const allowed = (definition?.tools ?? parent.offers.map((offer) => offer.name)).filter((name) => !FORBIDDEN_TOOLS.includes(name));
  const core = new SessionCore({
    id: parent.id,
    world,
    model: parent.model.forAgent(agentType),
    agent: { id: world.newId(), type: agentType },
    modeHolder: parent.modeHolder,
    transcript: null,
    cwd: parent.cwd,
    learned: parent.learned,
    approved: parent.approved,
    basePrompt: definition?.prompt || SUBAGENT_PROMPT,
    toolNames: allowed.filter((name) => parent.offers.some((offer) => offer.name === name)),
  });
  const start = await core.fire({ name: "subagent.start" }, signal);
  core.takeStartContext(start);
  const result = await runTurn(core, prompt, { signal, stopEvent: "subagent.stop" });
  // Every subagent that started stops, once; only one that ended by itself could be sent on.
  if (result.reason !== "stop") await core.fire({ name: "subagent.stop", stopActive: true, lastMessage: result.text }).catch(() => undefined);
  return result;
}

function outcomeOf(result: TurnResult, { type }: SubagentRequest): ToolOutcome {
  switch (result.reason) {
    case "stop":
    case "max-rounds":
      return { output: result.text, isError: false };
    case "error":
      return toolError(`The subagent ${type} failed: ${result.error ?? "unknown error"}`);
    case "cancelled":
    case "interrupted":
    case "denied":
      return toolError(`The subagent ${type} was ${result.reason}. ${result.text}`);
  }
}
