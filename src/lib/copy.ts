/** A deep copy of objects and lists as JSON has them; anything else in it (a date, a map) is cloned as a whole. Texts are shared: they can't change. */
export function copyOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? copyOfObject(value) : value;
}

function copyOfObject(value: object): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (value.constructor !== Object && !isPlain(value)) return structuredClone(value);
  const copy: { [key: string]: unknown } = { ...value };
  for (const key in copy) {
    const inner = copy[key];
    if (typeof inner === "object" && inner !== null && Object.hasOwn(copy, key)) copy[key] = copyOfObject(inner);
  }
  return copy;
}

/** Also one without a prototype, or with a key that is called `constructor`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
