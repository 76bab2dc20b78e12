/** A program of its own: `node worker-host.js MODULE`. It asks the module's default export about each line and prints what that returns. */
import { Console } from "node:console";
import { writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { messageOf } from "../lib/errors.ts";
import { isThenable } from "../lib/function.ts";
import { isObject, jsonCopy, own, parseJson, type JsonObject } from "../lib/json.ts";
import { LineSplitter } from "../lib/line-splitter.ts";
import type { Callback } from "../model/hook.ts";

const [, , file = ""] = process.argv;
const running = new Map<unknown, AbortController>();

// Stdout belongs to the answers: what a module prints is for stderr.
Object.defineProperty(process, "stdout", { value: process.stderr });
globalThis.console = new Console(process.stderr);
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => fail(`${file} left an error behind: ${messageOf(error)}`));
}

/** Few modules look at the signal, and making one costs more than the rest of an answer. */
class CallOptions {
  readonly #id: unknown;

  constructor(id: unknown) {
    this.#id = id;
  }

  get signal(): AbortSignal {
    const controller = running.get(this.#id) ?? new AbortController();
    running.set(this.#id, controller);
    return controller.signal;
  }
}

const { ask, concurrency } = await load();
say({ hello: 1, concurrency, cancel: true });
const lines = new LineSplitter(hear);
process.stdin.on("data", (chunk: Buffer) => lines.write(chunk));
process.stdin.on("end", () => process.exit(0));

async function load(): Promise<{ readonly ask: Callback; readonly concurrency: unknown }> {
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    const exports = isObject(module) ? module : {};
    const found = [exports["default"], isObject(exports["default"]) ? exports["default"]["default"] : undefined].find(isCallback);
    return found ? { ask: found, concurrency: exports["concurrency"] } : fail(`${file} has no default export that is a function`);
  } catch (error) {
    return fail(`${file} can't be loaded: ${messageOf(error)}`);
  }
}

/** One that answers at once is not waited for. */
function hear(line: string): void {
  const said = parseJson(line);
  if (!isObject(said)) return;
  if (Object.hasOwn(said, "cancel")) return running.get(said["cancel"])?.abort(new Error("the caller cancelled the event"));
  const { id, ...input } = said;
  try {
    const answer: unknown = ask(input, toolUseId(input), new CallOptions(id));
    if (isThenable(answer)) void waitFor(answer, id);
    else tell(answer, id);
  } catch (error) {
    failed(error, id);
  }
}

async function waitFor(answer: PromiseLike<unknown>, id: unknown): Promise<void> {
  try {
    tell(await answer, id);
  } catch (error) {
    failed(error, id);
  }
}

function tell(answer: unknown, id: unknown): void {
  say(answer === undefined ? { id } : { ...answerOf(answer), id });
  running.delete(id);
}

function failed(error: unknown, id: unknown): void {
  say({ id, error: messageOf(error) });
  running.delete(id);
}

function toolUseId(input: JsonObject): string | undefined {
  const tool = own(input, "tool");
  return isObject(tool) && typeof tool["useId"] === "string" ? tool["useId"] : undefined;
}

/** Nothing is no opinion; what is no object would be lost in silence. */
function answerOf(answer: unknown): JsonObject {
  if (answer === undefined || answer === null) return {};
  if (!isObject(answer)) throw new TypeError(`the answer is ${Array.isArray(answer) ? "a list" : `a ${typeof answer}`}, not an object`);
  const { value, lost } = jsonCopy(answer);
  for (const path of lost) process.stderr.write(`${path} in its answer is nothing that JSON can hold and was left out\n`);
  return isObject(value) ? value : {};
}

/** Written at once: no stream stands between an answer and whoever waits for it. */
function say(line: JsonObject): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** One line that tells why, where the last line of stderr is what people see. */
function fail(message: string): never {
  process.stderr.write(`${message.replaceAll("\n", " ")}\n`);
  process.exit(1);
}

function isCallback(value: unknown): value is Callback {
  return typeof value === "function";
}
