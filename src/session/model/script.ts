/** The scripted model of tests, tours and offline work: its answers stand in a file [K2]. */
import { readFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { plainValue } from "../../lib/document/node.ts";
import { formatOf, parseDocument } from "../../lib/document/parse.ts";
import { codeOf, messageOf } from "../../lib/errors.ts";
import { SnaphookError } from "../../model/errors.ts";
import { ModelError, type Model, type ModelRequest, type ModelResponse } from "./model.ts";
import { checkScript, type AgentScript, type Script, type ScriptTurn } from "./script-schema.ts";

/** Reads a script once. What is wrong with it is the caller's mistake, with its place. `shown` is the path as the user wrote it. */
export async function loadScript(path: string, shown: string = path): Promise<Model> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new SnaphookError("SNAP_BAD_CONFIG", { message: `the model script ${shown} can't be read: ${readFailure(error)}.` });
  });
  const parsed = await parseDocument(text, formatOf(path));
  if (parsed.kind === "broken") throw badScript(shown, parsed);
  const checked = checkScript(plainValue(parsed.root), parsed.root);
  if (checked.kind === "wrong") throw badScript(shown, checked);
  return scriptedModel(checked.script, `script:${shown}`);
}

/** A model that gives the answers of a script, one for each call. */
export function scriptedModel(script: Script, id = "script:inline"): Model {
  const model = (own: AgentScript, who: string): Model => {
    let calls = 0;
    return {
      id,
      contextWindow: script.contextWindow ?? CONTEXT_WINDOW_TOKENS,
      call: async (request) => {
        request.signal.throwIfAborted();
        if (request.purpose === "compaction" || request.purpose === "summary") return answer({ text: own.summary ?? script.summary ?? SUMMARY }, request);
        const turn = own.turns[calls++];
        if (!turn) throw new ModelError(`the script has no answer ${calls}${who}: it holds ${own.turns.length} turns (${id}).`);
        return answer(turn, request);
      },
      forAgent: (type) => {
        const agent = script.agents && Object.hasOwn(script.agents, type) ? script.agents[type] : undefined;
        return agent ? model(agent, ` for the agent ${type}`) : unscripted(type);
      },
    };
  };
  const unscripted = (type: string): Model => ({
    ...model({ turns: [] }, ""),
    call: async () => {
      throw new ModelError(`the script has no agent "${type}": add agents.${type}.turns to it (${id}).`);
    },
  });
  return model(script, "");
}

const CONTEXT_WINDOW_TOKENS = 200_000;
const SUMMARY = "Summary of the conversation so far.";

async function answer({ text = "", toolCalls = [], usage, delayMs = 0, error }: ScriptTurn, { signal, onText }: ModelRequest): Promise<ModelResponse> {
  if (delayMs > 0) await wait(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  if (error !== undefined) throw new ModelError(error);
  if (onText) for (const [word] of text.matchAll(/\S+\s*|\s+/g)) onText(word);
  return {
    text,
    toolCalls: toolCalls.map(({ name, input }) => ({ id: callId(), name, input: input ?? {} })),
    usage: { input: usage?.input ?? 0, output: usage?.output ?? 0 },
  };
}

/** Also unlike the ids of other processes: a resumed conversation holds both. */
function callId(): string {
  return `call_${PROCESS_MARK}_${++callsMade}`;
}

const PROCESS_MARK = randomBytes(4).toString("hex");
let callsMade = 0;

function badScript(
  shown: string,
  { at, message }: { readonly at: { readonly line: number; readonly column: number }; readonly message: string },
): SnaphookError {
  return new SnaphookError("SNAP_BAD_CONFIG", { message: `${shown}:${at.line}:${at.column}: ${message}.` });
}

function readFailure(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOENT") return "there is no such file";
  return code === "EISDIR" ? "it is a folder" : messageOf(error);
}
