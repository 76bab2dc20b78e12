/** A deep copy of objects and lists as JSON has them; anything else in it (a date, a map) is cloned as a whole. Texts are shared: they can't change. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const copy: { [key: string]: unknown } = { ...value };
  for (const key in copy) {
    const inner = copy[key];
    if (typeof inner === "object" && inner !== null && Object.hasOwn(copy, key)) copy[key] = copyOf(inner);
  }
  return copy;
}
