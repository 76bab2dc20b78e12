/**
 * Whether a function can't see its arguments: an arrow function without parameters has no `arguments` either. Every other kind might, and
 * counts as one that does.
 */
export function takesNothing(callback: (...args: never[]) => unknown): callback is () => unknown {
  return /^(?:async\s*)?\(\s*\)\s*=>/.test(Function.prototype.toString.call(callback));
}
