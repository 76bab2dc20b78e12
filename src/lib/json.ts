/** JSON values and how to look into them when they come from outside. */

/** An object as `JSON.parse` gives it. */
export type JsonObject = { readonly [key: string]: unknown };

/** A plain object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Own-property lookup: the key comes from outside, so `toString` must not find `Object.prototype`. */
export function lookup<T>(table: { readonly [key: string]: T }, key: unknown): T | undefined {
  return typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The own value of a key, or undefined: `JSON.parse` keeps `__proto__` as an own key, plain access does not. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Parses text that should be JSON; undefined when it is not. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
