import { types } from "node:util";
import { isObject } from "./json.ts";

/**
 * Whether a function can't see its arguments: an arrow function without parameters has no `arguments` either. Every other kind might, and
 * counts as one that does.
 */
export function takesNothing(callback: (...args: never[]) => unknown): callback is () => unknown {
  let known = looked.get(callback);
  if (known === undefined) {
    known = /^(?:async\s*)?\(\s*\)\s*=>/.test(Function.prototype.toString.call(callback));
    looked.set(callback, known);
  }
  return known;
}

/** Whether a call always gives a promise of the language's own, and never throws. */
export function isPromising(callback: (...args: never[]) => unknown): callback is () => Promise<unknown> {
  return takesNothing(callback) && types.isAsyncFunction(callback);
}

/** What a function's text says never changes, and reading it takes longer than most calls. */
const looked = new WeakMap<object, boolean>();

/** Whether an answer must be waited for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value instanceof Promise || (isObject(value) && typeof value["then"] === "function");
}
