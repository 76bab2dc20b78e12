/** What one line on a worker's stdout says. Pure. */
import { isObject, own, parseJson, type JsonObject } from "../lib/json.ts";
import { findObjects } from "../lib/json-scan.ts";

/** A line, or one of several things in it. */
export type WorkerLine =
  /** What the worker can do: how many events at once, and whether it wants to hear of those that were cancelled. */
  | { readonly kind: "hello"; readonly concurrency: number; readonly hearsCancel: boolean }
  /** The value still holds the id: copying it without would cost more than reading it. */
  | { readonly kind: "answer"; readonly id: number; readonly value: JsonObject }
  /** The worker says that it failed on this event. */
  | { readonly kind: "error"; readonly id: number; readonly message: string }
  | { readonly kind: "unnamed"; readonly value: JsonObject }
  | { readonly kind: "noise"; readonly text: string };

/** How many events a worker may ask for at once. */
export const CONCURRENCY_LIMIT = 64;

/** Reads a line, and gives what is in it to `take`. Text around an answer is noise, and the answer in it counts: its id says whose it is. */
export function readWorkerLine(line: string, take: (said: WorkerLine) => void): void {
  const silent = SILENT.exec(line);
  if (silent) return take(readSilent(Number(silent[1])));
  const whole = line.startsWith("{") ? parseJson(line) : undefined;
  if (isObject(whole)) take(readObject(whole));
  else for (const said of readNoisyLine(line.trim())) take(said);
}

/** No opinion, as most answers are: nothing but the id. */
const SILENT = /^\{"id": ?([1-9]\d{0,14})\}$/;

function readSilent(id: number): WorkerLine {
  return { kind: "answer", id, value: { id } };
}

function readNoisyLine(text: string): readonly WorkerLine[] {
  if (!text.includes("{")) return text === "" ? [] : [{ kind: "noise", text }];
  const scan = findObjects(text);
  const objects = scan.kind === "found" ? scan.objects.map(({ value }) => readObject(value)) : [];
  const [only] = objects;
  if (only && scan.kind === "found" && scan.objects[0]?.start === 0 && scan.objects[0].end === text.length) return [only];
  return [{ kind: "noise", text }, ...objects.filter(({ kind }) => kind === "answer" || kind === "error")];
}

function readObject(object: JsonObject): WorkerLine {
  if (!Object.hasOwn(object, "id")) return Object.hasOwn(object, "hello") ? readHello(object) : { kind: "unnamed", value: object };
  const given = object["id"];
  const id = typeof given === "string" ? Number(given) : given;
  if (typeof id !== "number") return { kind: "noise", text: JSON.stringify(object) };
  const error = own(object, "error");
  if (error === undefined || error === null) return { kind: "answer", id, value: object };
  return { kind: "error", id, message: typeof error === "string" ? error : JSON.stringify(error) };
}

function readHello(hello: JsonObject): WorkerLine {
  const wanted = own(hello, "concurrency");
  const concurrency = typeof wanted === "number" && Number.isInteger(wanted) && wanted >= 1 ? Math.min(wanted, CONCURRENCY_LIMIT) : 1;
  return { kind: "hello", concurrency, hearsCancel: own(hello, "cancel") === true };
}
