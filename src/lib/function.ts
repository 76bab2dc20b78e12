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

/** What a function's text says never changes, and reading it takes longer than most calls. */
const looked = new WeakMap<object, boolean>();
