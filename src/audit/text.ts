/** A value as the text of a record: without secrets, within limits, the same text for the same value. */
import { hash } from "node:crypto";
import { isSecretName } from "../lib/secret-name.ts";
import { PLAIN, PlainText } from "./plain-text.ts";
import { redactedWord, redactText } from "./redact.ts";

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
  readonly #plain: PlainText;
  #left = 0;

  constructor(secrets: readonly string[] = [], limits: TextLimits = TEXT_LIMITS) {
    this.#secrets = secrets;
    this.#limits = limits;
    this.#plain = new PlainText(secrets, { length: Math.min(limits.textLength, limits.totalLength), depth: limits.depth });
  }

  /** The text of an object. */
  write(record: object): string {
    return this.#plain.write(record) ?? this.#careful(record);
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

const PLAIN_KEY = /^[A-Za-z_][\w.-]{0,39}$/;
