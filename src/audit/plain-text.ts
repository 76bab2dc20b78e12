/** The text of records that are small and hold nothing that looks like a secret, as most are: each value is looked at once, and written. */
import { isObject } from "../lib/json.ts";
import { isSecretName } from "../lib/secret-name.ts";
import { mayHoldSecret } from "./redact.ts";

/** How much a record may hold to be plain. */
export interface PlainLimits {
  /** Characters of all keys and texts. */
  readonly length: number;
  readonly depth: number;
}

/** A key as it stands in a record, first in its object and behind others. */
interface KeyText {
  readonly first: string;
  readonly next: string;
}

/** Writes plain records. What it wrote once it knows by heart: keys, names of hooks, folders, reasons. */
export class PlainText {
  readonly #secrets: readonly string[];
  readonly #limits: PlainLimits;
  /** Keys; null where one has a secret's name, or is odd. */
  readonly #keys = new Map<string, KeyText | null>();
  /** Texts that hold no secret, as they stand in a record. */
  readonly #known = new Map<string, string>();
  /** Texts that have to be looked at. */
  readonly #fresh: string[] = [];
  /** Characters that are left; below zero, the record is not plain. */
  #left = 0;

  constructor(secrets: readonly string[], limits: PlainLimits) {
    this.#secrets = secrets;
    this.#limits = limits;
  }

  /** The text that `JSON.stringify` makes of an object; null where it is not plain: too large, with a secret's name, or with what JSON does not hold. */
  write(record: object): string | null {
    // A getter may have thrown: what was new then was never looked at.
    if (this.#fresh.length > 0) this.#forgetFresh();
    this.#left = this.#limits.length;
    const text = this.#object(record, 0);
    const isClean = this.#fresh.length === 0 || this.#areClean();
    return isClean && this.#left >= 0 ? text : null;
  }

  #value(value: unknown, depth: number): string {
    switch (typeof value) {
      case "string":
        this.#left -= value.length;
        return this.#known.get(value) ?? this.#new(value);
      case "number":
        this.#left -= 1;
        return Number.isFinite(value) ? String(value) : "null";
      case "boolean":
        this.#left -= 1;
        return value ? "true" : "false";
      case "undefined":
        return "";
      case "object":
        this.#left -= 1;
        if (value === null) return "null";
        if (depth > this.#limits.depth) return this.#giveUp();
        return Array.isArray(value) ? this.#list(value, depth + 1) : this.#object(value, depth + 1);
      case "bigint":
      case "function":
      case "symbol":
        return this.#giveUp();
    }
  }

  #list(items: readonly unknown[], depth: number): string {
    let text = "[";
    for (const item of items) {
      if (this.#left < 0) return "";
      if (text !== "[") text += ",";
      text += this.#value(item, depth) || "null";
    }
    return `${text}]`;
  }

  #object(object: object, depth: number): string {
    if (!isObject(object) || Object.getPrototypeOf(object) !== Object.prototype) return this.#giveUp();
    let text = "";
    // Nothing is inherited here, and a loop over keys makes no list of them.
    for (const key in object) {
      const name = this.#keys.get(key) ?? this.#newKey(key);
      if (name === null || this.#left < 0) return this.#giveUp();
      this.#left -= key.length;
      const value = this.#value(object[key], depth);
      if (value !== "") text += text === "" ? name.first + value : name.next + value;
    }
    return text === "" ? "{}" : `${text}}`;
  }

  #giveUp(): string {
    this.#left = -1;
    return "";
  }

  #newKey(key: string): KeyText | null {
    if (this.#keys.size >= MOST_KEPT) this.#keys.clear();
    const written = PLAIN.test(key) ? `"${key}"` : JSON.stringify(key);
    const text = key.length > LONGEST_KEY || isSecretName(key) ? null : { first: `{${written}:`, next: `,${written}:` };
    this.#keys.set(key, text);
    return text;
  }

  #new(text: string): string {
    const written = JSON.stringify(text);
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    if (text.length <= LONGEST_KEPT) this.#known.set(text, written);
    if (text.length >= SHORTEST) this.#fresh.push(text);
    return written;
  }

  /** Whether nothing that is new looks like a secret; else none of it is known any more. */
  #areClean(): boolean {
    const all = this.#fresh.length === 1 ? (this.#fresh[0] ?? "") : this.#fresh.join(BETWEEN);
    const isClean = !mayHoldSecret(all) && !this.#secrets.some((secret) => all.includes(secret));
    if (isClean) this.#fresh.length = 0;
    else this.#forgetFresh();
    return isClean;
  }

  #forgetFresh(): void {
    for (const text of this.#fresh) this.#known.delete(text);
    this.#fresh.length = 0;
  }
}

/** Text that stands in JSON as it is. */
export const PLAIN = /^[\u0020\u0021\u0023-\u005B\u005D-\uD7FF\uE000-\uFFFF]*$/;
/** A text below this length holds no secret. */
const SHORTEST = 6;
const LONGEST_KEY = 40;
/** Keys, and texts of some length, that are known by heart. */
const MOST_KEPT = 1_000;
const LONGEST_KEPT = 2_000;
/** Stands in no text that is a secret or a mark of one. */
const BETWEEN = "\n\u0000\n";
