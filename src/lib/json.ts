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

/** Whether objects and lists stand inside each other more than so many levels deep. Level by level, so that depth costs no stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** A copy that JSON can hold, and where something was left out that it can't: a function, a symbol, a cycle. Throws what a getter throws. */
export function jsonCopy(value: unknown): { readonly value: unknown; readonly lost: readonly string[] } {
  const flat = flatCopy(value);
  if (flat) return { value: flat, lost: NOTHING_LOST };
  const lost: string[] = [];
  return { value: copyOf(value, { path: [], above: [], lost }), lost };
}

const NOTHING_LOST: readonly string[] = [];

/** The copy of a plain object that holds texts, numbers and the like, as most answers are. Undefined: it has to be looked at more closely. */
function flatCopy(value: unknown): JsonObject | undefined {
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype || "toJSON" in value) return undefined;
  const copy: { [key: string]: unknown } = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    if ((item !== null && FLAT[typeof item] !== true) || key === "__proto__") return undefined;
    copy[key] = item;
  }
  return copy;
}

const FLAT: { readonly [type: string]: true } = { string: true, number: true, boolean: true };

interface Copying {
  readonly path: readonly string[];
  readonly above: readonly object[];
  readonly lost: string[];
}

function copyOf(value: unknown, { path, above, lost }: Copying): unknown {
  const json = isObject(value) && typeof value["toJSON"] === "function" ? (value["toJSON"] as () => unknown)() : value;
  if (typeof json === "bigint") return Number.isSafeInteger(Number(json)) ? Number(json) : String(json);
  if (typeof json === "function" || typeof json === "symbol" || above.some((each) => each === json)) {
    lost.push(path.join("."));
    return undefined;
  }
  if (typeof json !== "object" || json === null) return json;
  const inside = (key: string): Copying => ({ path: [...path, key], above: [...above, json], lost });
  if (Array.isArray(json)) return json.map((item: unknown, index) => copyOf(item, inside(String(index))) ?? null);
  const copy: { [key: string]: unknown } = {};
  for (const [key, item] of Object.entries(json)) {
    const kept = copyOf(item, inside(key));
    if (kept !== undefined) Object.defineProperty(copy, key, { value: kept, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}
