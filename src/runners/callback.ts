import { pathToFileURL } from "node:url";
import { linkSignals, type LinkedSignal } from "../lib/abort.ts";
import { copyOf } from "../lib/copy.ts";
import { messageOf } from "../lib/errors.ts";
import { isThenable, takesNothing } from "../lib/function.ts";
import { isObject, jsonCopy } from "../lib/json.ts";
import type { Callback, Hook } from "../model/hook.ts";
import type { RunResult } from "../model/run.ts";
import type { Vouch } from "../trust/vouch.ts";
import { plain, type CallContext, type Payload, type RunnerResult } from "./runner.ts";

/** Calls a function. One that answers at once is not waited for; at the timeout its signal is aborted and nobody waits any longer. */
export function runCallback(hook: Hook, payload: Payload, context: CallContext): RunnerResult | Promise<RunnerResult> {
  const found = findCallback(hook, context);
  const call = (callback: Found): RunnerResult | Promise<RunnerResult> => {
    if (typeof callback === "string") return plain({ kind: "failed", fault: "callback", message: callback });
    if (typeof callback === "object") return plain(callback);
    return callFunction(callback, { hook, input: takesNothing(callback) ? undefined : copyOf(payload.stdin), toolUseId: payload.toolUseId, context });
  };
  return found instanceof Promise ? found.then(call) : call(found);
}

/** What a function is called with besides its input. Its signal is made when it is first read. */
export class CallOptions {
  readonly #context: CallContext;
  #link: LinkedSignal | undefined;

  constructor(context: CallContext) {
    this.#context = context;
  }

  get signal(): AbortSignal {
    return (this.#link ??= linkSignals(this.#context.signal)).signal;
  }

  abort(reason: Error): void {
    (this.#link ??= linkSignals()).abort(reason);
  }

  unlink(): void {
    this.#link?.unlink();
  }
}

/** What a function is called with, and for. */
interface Calling {
  readonly hook: Hook;
  /** Its own copy of the payload: a function that changes it changes nothing. */
  readonly input: unknown;
  readonly toolUseId: string | undefined;
  readonly context: CallContext;
}

/** Calls one function. `SAID_NOTHING` where it had nothing to say, at once. Never rejects, and never throws for what the function does. */
function callFunction(callback: Callback, { hook, input, toolUseId, context }: Calling): RunnerResult | Promise<RunnerResult> {
  const options = new CallOptions(context);
  try {
    const answer = callback(input, toolUseId, options);
    if (answer === undefined) {
      options.unlink();
      return SAID_NOTHING;
    }
    if (isThenable(answer)) return waitFor(answer, { hook, context, options });
    options.unlink();
    return answered(answer);
  } catch (error) {
    options.unlink();
    return threw(error);
  }
}

interface Waiting {
  readonly hook: Hook;
  readonly context: CallContext;
  readonly options: CallOptions;
}

const SETTLED = Promise.resolve();

/** Waits for an answer, and never rejects. One that is there already needs neither a timer nor anyone who listens for the caller. */
export async function waitFor(answer: PromiseLike<unknown>, waiting: Waiting): Promise<RunnerResult> {
  let result: RunnerResult | undefined;
  const ended = new Promise<RunnerResult>((resolve) => {
    follow(
      answer,
      (value) => resolve((result = answered(value))),
      (error) => resolve((result = threw(error))),
    );
  });
  await SETTLED;
  result ??= await firstOf(ended, waiting);
  waiting.options.unlink();
  return result;
}

/** The answer, the timeout or the caller, whoever comes first. */
async function firstOf(ended: Promise<RunnerResult>, { hook, context, options }: Waiting): Promise<RunnerResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), hook.timeoutMs);
    options.signal.addEventListener("abort", () => resolve("late"), { once: true });
    if (options.signal.aborted) resolve("late");
  });
  const first = await Promise.race([ended, late]);
  clearTimeout(timer);
  if (first !== "late") return first;
  return overdue(hook, context, options);
}

/** The result of a function that is not waited for any longer; it is told so. */
export function overdue(hook: Hook, context: CallContext, options: CallOptions | undefined): RunnerResult {
  options?.abort(new Error(`no answer within ${hook.timeoutMs} ms`));
  return plain(context.signal.aborted ? { kind: "skipped", why: "the caller cancelled the event" } : { kind: "timed-out", afterMs: hook.timeoutMs });
}

/** Has the end of an answer told to one of two. A promise of the language's own is asked itself: another one around it would cost as much again. */
export function follow(answer: PromiseLike<unknown>, heard: (value: unknown) => void, failed: (error: unknown) => void): void {
  try {
    if (answer instanceof Promise && answer.constructor === Promise) void answer.then(heard, failed);
    else void Promise.resolve(answer).then(heard, failed);
  } catch (error) {
    // It only looks like a promise, or has a `then` of its own that throws.
    void Promise.reject(error).then(heard, failed);
  }
}

/** The result of a function that answers nothing. */
export const SAID_NOTHING: RunnerResult = plain({ kind: "returned", value: undefined });

/** The result of a function that answered. The answer is copied here: its getters may throw, its objects may be cyclic. */
export function answered(answer: unknown): RunnerResult {
  if (answer === undefined) return SAID_NOTHING;
  if (typeof answer !== "object") return plain({ kind: "returned", value: answer });
  try {
    const { value, lost } = jsonCopy(answer);
    const ran = plain({ kind: "returned", value });
    return lost.length === 0 ? ran : { ...ran, remarks: lost.map((path) => `${path} in its answer is nothing that JSON can hold and was left out`) };
  } catch (error) {
    return threw(error);
  }
}

/** The result of a function that threw. */
export function threw(error: unknown): RunnerResult {
  return plain({ kind: "failed", fault: "exception", message: `it threw: ${messageOf(error)}` });
}

/** A function; or why there is none that may be called. */
type Found = Callback | string | Extract<RunResult, { readonly kind: "changed" }>;

/** The function itself, an own export of the module given, or one of the module beside the settings file [W2]. A text says why not. */
function findCallback(hook: Hook, { callbacks, vouch }: CallContext): Found | Promise<Found> {
  const { action, sandbox } = hook;
  if (action.type !== "callback") return `a ${action.type} hook is no callback`;
  if (typeof action.callback === "function") return action.callback;
  const name = action.callback;
  if (sandbox.level !== "none")
    return `callback "${name}" runs inside Snaphook, and the sandbox ${sandbox.level} can't hold it there: make it a command or a module`;
  const given = callbacks && exported(callbacks, name);
  if (given) return given;
  if (callbacks || action.module === null) return `there is no callback "${name}"; export a function of that name from the callbacks module`;
  return exportedBeside(action.module, name, vouch(hook));
}

/** What was approved of each module when it was loaded; null: it changed meanwhile. A module is loaded once in the life of a process. */
const loaded = new Map<string, string | null>();

async function exportedBeside(module: string, name: string, vouch: Vouch | null): Promise<Found> {
  try {
    const first = !loaded.has(module);
    const beside: unknown = await import(pathToFileURL(module).href);
    const changed = first ? vouch?.changed() : null;
    if (!loaded.has(module) || typeof changed === "string") loaded.set(module, typeof changed === "string" ? null : (vouch?.files ?? ""));
    if (vouch && loaded.get(module) !== vouch.files)
      return notAsApproved(`${changed ?? `${module} was loaded before it became what was approved`}; start anew`);
    return (isObject(beside) && exported(beside, name)) || `${module} exports no function "${name}"`;
  } catch (error) {
    return `callback "${name}": ${module} can't be loaded: ${messageOf(error)}; give the module with --callbacks`;
  }
}

function notAsApproved(message: string): Found {
  return { kind: "changed", message, result: { kind: "failed", fault: "callback", message } };
}

function exported(module: { readonly [name: string]: unknown }, name: string): Callback | undefined {
  const value = Object.hasOwn(module, name) ? module[name] : undefined;
  return isCallback(value) ? value : undefined;
}

function isCallback(value: unknown): value is Callback {
  return typeof value === "function";
}
