/** The runners of prompt and agent hooks: they ask the session's model, or the one that a hook names. */
import { messageOf } from "../lib/errors.ts";
import type { Action, ActionType } from "../model/hook.ts";
import type { RunResult } from "../model/run.ts";
import { TOOLS } from "../model/tools.ts";
import { plain, type RunContext, type Runner, type RunnerResult } from "../runners/runner.ts";
import { askAgent, askModel, type Asked, type Question } from "./ask-model.ts";
import type { ToolUse } from "./messages.ts";
import type { Model } from "./model/model.ts";
import { resolveModel } from "./model/resolve.ts";
import { toolError, type Tool, type ToolContext } from "./tools/tool.ts";

/** Why a call of an agent hook may not run; null: it may. */
export type LookGate = (call: Pick<ToolUse, "name" | "input">, context: RunContext) => string | null | Promise<string | null>;

type AskingAction = Extract<Action, { type: "prompt" | "agent" }>;

/** Runners for hooks that ask a language model. Of the tools, an agent gets those that only read; `gate` is asked before each. */
export function modelRunners(model: Model, tools: readonly Tool[], { gate }: { readonly gate?: LookGate } = {}): { readonly [type in ActionType]?: Runner } {
  const readers = tools.filter(({ name }) => READ_ONLY.includes(name));
  const modelFor = finder(model);
  const asking =
    (ask: (chosen: Model, question: Question, context: RunContext) => Promise<Asked>): Runner =>
    async ({ action, timeoutMs }, payload, context): Promise<RunnerResult> => {
      if (action.type !== "prompt" && action.type !== "agent")
        return plain({ kind: "failed", fault: "unsupported", message: `a ${action.type} hook asks no model` });
      const found = await modelFor(action, context);
      if ("failure" in found) return plain({ kind: "failed", fault: "unsupported", message: found.failure });
      const question = { prompt: action.prompt, payload: payload.stdinText, signal: context.signal, timeoutMs };
      return { result: resultOf(await ask(found.model, question, context), timeoutMs), stubbed: [], remarks: found.remarks };
    };
  return {
    prompt: asking(askModel),
    agent: asking(async (chosen, question, context) =>
      askAgent(chosen, {
        ...question,
        tools: gate ? readers.map((tool) => gated(tool, gate, context)) : readers,
        context: (signal) => toolContext(context, signal),
      }),
    ),
  };
}

const READ_ONLY: readonly string[] = Object.values(TOOLS).flatMap(({ kind, ruleName }) => (kind === "read" ? [ruleName] : []));

type Found = { readonly model: Model; readonly remarks: readonly string[] } | { readonly failure: string };

/** A hook's own model, found once each. A bare name is a model of the session's provider. */
function finder(model: Model): (action: AskingAction, context: RunContext) => Promise<Found> {
  const known = new Map<string, Promise<Model>>();
  const [provider = ""] = model.id.split(":", 1);
  return async ({ model: name }, { env, cwd }) => {
    if (name === null) return { model, remarks: [] };
    if (!name.includes(":") && provider === "script")
      return { model, remarks: [`the model "${name}" was not asked: the session's model is a script, which answered in its place`] };
    const spec = name.includes(":") ? name : `${provider}:${name}`;
    const own = known.get(spec) ?? resolveModel(spec, { env, cwd });
    known.set(spec, own);
    try {
      return { model: await own, remarks: [] };
    } catch (error) {
      known.delete(spec);
      return { failure: messageOf(error) };
    }
  };
}

function resultOf(asked: Asked, timeoutMs: number): RunResult {
  switch (asked.kind) {
    case "answered":
      return { kind: "returned", value: asked.answer };
    case "unreadable":
      return { kind: "failed", fault: "answer", message: asked.message };
    case "failed":
      return { kind: "not-started", message: `the model could not be asked: ${asked.message}` };
    case "timed-out":
      return { kind: "timed-out", afterMs: timeoutMs };
    case "cancelled":
      return { kind: "skipped", why: "the caller cancelled the event" };
  }
}

function gated(tool: Tool, gate: LookGate, context: RunContext): Tool {
  return {
    ...tool,
    run: async (input, toolContextHere) => {
      const refused = await gate({ name: tool.name, input }, context);
      return refused === null ? tool.run(input, toolContextHere) : toolError(refused);
    },
  };
}

/** What reading needs, and nothing that starts or changes anything. */
function toolContext({ cwd, projectDir, env, tempDir }: RunContext, signal: AbortSignal): ToolContext {
  return {
    cwd,
    setCwd: () => {},
    root: projectDir,
    env,
    tempDir,
    signal,
    memory: new Map(),
    subagent: async () => toolError("a hook starts no agents"),
    taskCompleted: async () => {},
  };
}
