/** Finds JSON objects in text that also holds other things. */
import { isObject, parseJson, type JsonObject } from "./json.ts";

/** One complete object and where it stood. */
export interface FoundObject {
  readonly value: JsonObject;
  readonly start: number;
  readonly end: number;
}

export type ScanResult = { readonly kind: "found"; readonly objects: readonly FoundObject[] } | { readonly kind: "too-much" };

/** How much work a scan may do, as a multiple of the text's length: a text of open braces must not cost its square. */
const WORK_FACTOR = 16;
const WORK_FLOOR_CHARACTERS = 65_536;

/** All complete top-level JSON objects of a text, in order. */
export function findObjects(text: string): ScanResult {
  const whole = parseJson(text);
  if (isObject(whole)) return { kind: "found", objects: [{ value: whole, start: 0, end: text.length }] };
  const objects: FoundObject[] = [];
  let work = WORK_FLOOR_CHARACTERS + text.length * WORK_FACTOR;
  for (let start = text.indexOf("{"); start >= 0; ) {
    const end = balancedEnd(text, start);
    work -= (end < 0 ? text.length : end) - start + 1;
    if (work < 0) return { kind: "too-much" };
    const value = end < 0 ? undefined : parseJson(text.slice(start, end));
    if (isObject(value)) objects.push({ value, start, end });
    start = text.indexOf("{", isObject(value) ? end : start + 1);
  }
  return { kind: "found", objects };
}

/** The index after the brace that closes the one at `start`; braces inside strings do not count. -1: it stays open. */
function balancedEnd(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    else if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return at + 1;
  }
  return -1;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;
