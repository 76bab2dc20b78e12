import { createHash } from "node:crypto";
import { isObject } from "./json.ts";

/** JSON with sorted keys and no blanks: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))) : item,
  );
}

/** `sha256:` and the digest of a value's canonical JSON. */
export function hashJson(value: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}
