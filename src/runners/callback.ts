import { pathToFileURL } from "node:url";
import { linkSignals } from "../lib/abort.ts";
import { messageOf } from "../lib/errors.ts";
import { isObject, jsonCopy } from "../lib/json.ts";
import type { Callback, Hook } from "../model/hook.ts";
import { plain, type RunContext, type Runner, type RunnerResult } from "./runner.ts";

/** Calls a function. At the timeout its signal is aborted and nobody waits any longer. */
export const runCallback: Runner = async (hook, payload, context) => {
  const found = await findCallback(hook, context);
  if (typeof found === "string") return plain({ kind: "failed", fault: "callback", message: found });
  const link = linkSignals(context.signal);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), hook.timeoutMs);
    link.signal.addEventListener("abort", () => resolve("late"), { once: true });
  });
  try {
    // The payload is copied: a callback that changes it changes nothing.
    const first = await Promise.race([invoke(found, structuredClone(payload.stdin), payload.toolUseId, link.signal), late]);
    if (first !== "late") return first;
    link.abort(new Error(`no answer within ${hook.timeoutMs} ms`));
    return plain(context.signal.aborted ? { kind: "skipped", why: "the caller cancelled the event" } : { kind: "timed-out", afterMs: hook.timeoutMs });
  } finally {
    clearTimeout(timer);
    link.unlink();
  }
};

/** Never rejects, also long after everyone has stopped listening. The answer is copied here: its getters may throw, its objects may be cyclic. */
async function invoke(callback: Callback, input: unknown, toolUseId: string | undefined, signal: AbortSignal): Promise<RunnerResult> {
  try {
    const answer = await callback(input, toolUseId, { signal });
    if (typeof answer !== "object") return plain({ kind: "returned", value: answer });
    const { value, lost } = jsonCopy(answer);
    return { ...plain({ kind: "returned", value }), remarks: lost.map((path) => `${path} in its answer is nothing that JSON can hold and was left out`) };
  } catch (error) {
    return plain({ kind: "failed", fault: "exception", message: `it threw: ${messageOf(error)}` });
  }
}

/** The function itself, an own export of the module given, or one of the module beside the settings file [W2]. A text says why not. */
async function findCallback({ action }: Hook, { callbacks }: RunContext): Promise<Callback | string> {
  if (action.type !== "callback") return `a ${action.type} hook is no callback`;
  if (typeof action.callback === "function") return action.callback;
  const name = action.callback;
  const given = callbacks && exported(callbacks, name);
  if (given) return given;
  if (callbacks || action.module === null) return `there is no callback "${name}"; export a function of that name from the callbacks module`;
  try {
    const beside: unknown = await import(pathToFileURL(action.module).href);
    return (isObject(beside) && exported(beside, name)) || `${action.module} exports no function "${name}"`;
  } catch (error) {
    return `callback "${name}": ${action.module} can't be loaded: ${messageOf(error)}; give the module with --callbacks`;
  }
}

function exported(module: { readonly [name: string]: unknown }, name: string): Callback | undefined {
  const value = Object.hasOwn(module, name) ? module[name] : undefined;
  return isCallback(value) ? value : undefined;
}

function isCallback(value: unknown): value is Callback {
  return typeof value === "function";
}
