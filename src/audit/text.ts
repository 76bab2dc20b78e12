/** A value as the text of a record: without secrets, within limits, the same text for the same value. */
import { hash } from "node:crypto";
import { isObject } from "../lib/json.ts";
import { isSecretName } from "../lib/secret-name.ts";
import { mayHoldSecret, redactedWord, redactText } from "./redact.ts";

/** How much of a value a record holds. */
export interface TextLimits {
  /** A longer text is kept as its beginning, its length and its hash. */
  readonly textLength: number;
  /** What is kept of such a text. */
  readonly previewLength: number;
  /** Entries of a list or object. */
  readonly entries: number;
  readonly depth: number;
  /** Characters of all texts of one record; behind them only previews of `scantLength` are kept. */
  readonly totalLength: number;
  readonly scantLength: number;
}

/** The limits of a record, so that a line stays below 256 KiB. */
export const TEXT_LIMITS: TextLimits = { textLength: 4_096, previewLength: 1_024, entries: 100, depth: 12, totalLength: 32_768, scantLength: 128 };

/** Texts above this length are redacted where they are shown; their hash is of the text as it was. */
const REDACTED_WHOLE = 262_144;
/** A secret that begins in a preview ends in it: what is redacted reaches this much further. */
const MARGIN = 8_192;

/** Writes values as JSON text. `secrets` are values known by heart. */
export class RecordText {
  readonly #secrets: readonly string[];
  readonly #limits: TextLimits;
  /** Texts that were looked at before and hold no secret: names of hooks, folders, reasons. */
  readonly #clean = new Set<string>();
  /** Texts that have to be looked at. */
  #fresh = "";
  #left = 0;

  constructor(secrets: readonly string[] = [], limits: TextLimits = TEXT_LIMITS) {
    this.#secrets = secrets;
    this.#limits = limits;
  }

  /** The text of an object. */
  write(record: object): string {
    return this.#plain(record) ?? this.#careful(record);
  }

  /** Most records are small and hold nothing that looks like a secret: those are written as they are. */
  #plain(record: object): string | undefined {
    this.#fresh = "";
    if (this.#roomAfter(record, Math.min(this.#limits.textLength, this.#limits.totalLength), 0) < 0) return undefined;
    return this.#fresh === "" || this.#isClean(this.#fresh) ? JSON.stringify(record) : undefined;
  }

  #isClean(fresh: string): boolean {
    if (mayHoldSecret(fresh) || this.#secrets.some((secret) => fresh.includes(secret))) return false;
    if (this.#clean.size > CLEAN_KEPT) this.#clean.clear();
    if (fresh.length <= CLEAN_LENGTH) for (const text of fresh.split(BETWEEN)) this.#clean.add(text);
    return true;
  }

  /** What a value leaves of so many characters; below zero where it takes more, holds what JSON does not, or has a secret's name in it. */
  #roomAfter(value: unknown, room: number, depth: number): number {
    switch (typeof value) {
      case "string":
        if (value.length >= SHORTEST && !this.#clean.has(value)) this.#fresh = this.#fresh === "" ? value : this.#fresh + BETWEEN + value;
        return room - value.length;
      case "number":
      case "boolean":
        return room - 1;
      case "undefined":
        return room;
      case "object":
        if (value === null) return room - 1;
        if (depth > this.#limits.depth) return -1;
        return Array.isArray(value) ? this.#roomAfterItems(value, room, depth + 1) : this.#roomAfterEntries(value, room, depth + 1);
      case "bigint":
      case "function":
      case "symbol":
        return -1;
    }
  }

  #roomAfterItems(items: readonly unknown[], room: number, depth: number): number {
    let left = room;
    for (const item of items) {
      left = this.#roomAfter(item, left - 1, depth);
      if (left < 0) return left;
    }
    return left;
  }

  #roomAfterEntries(object: object, room: number, depth: number): number {
    if (!isObject(object) || Object.getPrototypeOf(object) !== Object.prototype) return -1;
    let left = room;
    // Nothing is inherited here, and a loop over keys makes no list of them.
    for (const key in object) {
      if (key.length > PLAIN_KEY_LENGTH || isSecretName(key)) return -1;
      left = this.#roomAfter(object[key], left - key.length, depth);
      if (left < 0) return left;
    }
    return left;
  }

  #careful(record: object): string {
    this.#left = this.#limits.totalLength;
    return this.#value(record, 0) ?? "{}";
  }

  #value(value: unknown, depth: number): string | undefined {
    switch (typeof value) {
      case "string":
        return this.#string(value);
      case "number":
        return Number.isFinite(value) ? String(value) : "null";
      case "boolean":
        return value ? "true" : "false";
      case "bigint":
        return `"${value}"`;
      case "object":
        if (value === null) return "null";
        if (depth > this.#limits.depth) return '"[cut: too deep]"';
        return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth);
      case "undefined":
      case "function":
      case "symbol":
        return undefined;
    }
  }

  #list(items: readonly unknown[], depth: number): string {
    const { entries } = this.#limits;
    let text = "";
    for (const item of items.length > entries ? items.slice(0, entries) : items) text += `${text === "" ? "" : ","}${this.#value(item, depth + 1) ?? "null"}`;
    if (items.length > entries) text += `,"[cut: ${items.length} items in all]"`;
    return `[${text}]`;
  }

  #object(object: object, depth: number): string {
    let text = "";
    let count = 0;
    for (const [key, value] of Object.entries(object)) {
      if (++count > this.#limits.entries) {
        text += `,"…":"[cut: ${Object.keys(object).length} keys in all]"`;
        break;
      }
      const written = isSecretName(key) && isSecretValue(value) ? `"${redactedWord("by name")}"` : this.#value(value, depth + 1);
      if (written !== undefined) text += `${text === "" ? "" : ","}${PLAIN_KEY.test(key) ? `"${key}"` : this.#string(key)}:${written}`;
    }
    return `{${text}}`;
  }

  #string(text: string): string {
    const short = this.#shortened(text);
    this.#left -= short.length;
    return PLAIN.test(short) ? `"${short}"` : JSON.stringify(short);
  }

  #shortened(text: string): string {
    const { textLength, previewLength, scantLength } = this.#limits;
    const limit = this.#left > textLength ? textLength : Math.min(textLength, Math.max(this.#left, scantLength));
    if (text.length <= limit) return redactText(text, this.#secrets);
    const kept = Math.min(previewLength, limit);
    const whole = text.length <= REDACTED_WHOLE;
    const clean = redactText(whole ? text : text.slice(0, kept + MARGIN), this.#secrets);
    const hashed = whole ? clean : text;
    return `${wellFormed(clean.slice(0, kept))}…[cut: ${text.length} characters in all, sha256 ${hash("sha256", hashed, "hex")}]`;
  }
}

/** A flag or an absent value under a secret's name is no secret. */
function isSecretValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== "" && typeof value !== "boolean";
}

/** A cut may go through the middle of a character. */
function wellFormed(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** A text below this length holds no secret. */
const SHORTEST = 6;
const CLEAN_KEPT = 1_000;
const CLEAN_LENGTH = 2_000;
/** Stands in no text that is a secret or a mark of one. */
const BETWEEN = "\n\u0000\n";
const PLAIN_KEY_LENGTH = 40;
const PLAIN_KEY = /^[A-Za-z_][\w.-]{0,39}$/;
/** Text that stands in JSON as it is. */
const PLAIN = /^[\u0020\u0021\u0023-\u005B\u005D-\uD7FF\uE000-\uFFFF]*$/;
