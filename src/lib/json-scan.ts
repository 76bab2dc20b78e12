/** Finds JSON objects in text that also holds other things. */
import { isObject, parseJson, type JsonObject } from "./json.ts";

/** One complete object and where it stood. */
export interface FoundObject {
  readonly value: JsonObject;
  readonly start: number;
  readonly end: number;
}

/** The objects found, or that looking for them would take too long. */
export type ScanResult = { readonly kind: "found"; readonly objects: readonly FoundObject[] } | { readonly kind: "too-much" };

/** How much work a scan may do, as a multiple of the text's length: a text of open braces must not cost its square. */
const WORK_FACTOR = 16;
const WORK_FLOOR_CHARACTERS = 1_048_576;
/** What a failed parse costs on top: the exception is dearer than the characters. */
const FAILED_PARSE_CHARACTERS = 1_024;

/** All complete top-level JSON objects of a text, in order. */
export function findObjects(text: string): ScanResult {
  const whole = parseJson(text);
  if (isObject(whole)) return { kind: "found", objects: [{ value: whole, start: 0, end: text.length }] };
  const objects: FoundObject[] = [];
  let work = WORK_FLOOR_CHARACTERS + text.length * WORK_FACTOR;
  let start = nextOpening(text, 0);
  while (start >= 0) {
    const end = balancedEnd(text, start);
    const value = end < 0 ? undefined : parseJson(text.slice(start, end));
    work -= (end < 0 ? text.length : end) - start + (isObject(value) ? 0 : FAILED_PARSE_CHARACTERS);
    if (work < 0) return { kind: "too-much" };
    if (isObject(value)) objects.push({ value, start, end });
    start = nextOpening(text, isObject(value) ? end : start + 1);
  }
  return { kind: "found", objects };
}

/** Whether a text is an object that begins and does not end: whoever wrote it was stopped. */
export function isCutOff(text: string): boolean {
  const begun = text.trimStart();
  return begun.startsWith("{") && balancedEnd(begun, 0) < 0;
}

/** The next brace with which an object can begin: a quote or the closing brace follows it. */
function nextOpening(text: string, from: number): number {
  const opening = /\{(?=[ \t\r\n]*["}])/g;
  opening.lastIndex = from;
  return opening.exec(text)?.index ?? -1;
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
