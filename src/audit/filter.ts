/** Which records are asked for. */
import { canonicalName } from "../dialects/spelling.ts";
import { isObject } from "../lib/json.ts";
import type { Verdict } from "../model/verdict.ts";
import { STORY_TYPES, type AuditRecord, type StoryType } from "./record.ts";

/** What a query asks for; what is left out is not asked. */
export interface AuditFilter {
  /** From this moment on, in milliseconds since 1970. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** A session's id, or how it begins. */
  readonly session?: string;
  /** A tool in any dialect's spelling. */
  readonly tool?: string;
  readonly verdict?: Verdict | "none";
  readonly event?: string;
  /** Part of a hook's name. */
  readonly hook?: string;
  /** Words that each begin a word of the record's text. */
  readonly text?: string;
  readonly type?: StoryType;
}

/** A filter as a test of records. */
export function testOf(filter: AuditFilter): (record: AuditRecord) => boolean {
  const { sinceMs, untilMs, session, verdict, event, hook, type } = filter;
  const tool = filter.tool === undefined ? undefined : toolWord(filter.tool);
  const words = wordsOf(filter.text ?? "").map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "iu"));
  return (record) =>
    (sinceMs === undefined || Date.parse(record.at) >= sinceMs) &&
    (untilMs === undefined || Date.parse(record.at) < untilMs) &&
    (session === undefined || (record.session?.startsWith(session) ?? false)) &&
    (tool === undefined || (record.tool !== undefined && toolWord(record.tool.name) === tool)) &&
    (verdict === undefined || (verdictOf(record) ?? "none") === verdict) &&
    (event === undefined || eventOf(record) === event) &&
    (hook === undefined || hooksOf(record).some(({ name }) => name.toLowerCase().includes(hook.toLowerCase()))) &&
    (type === undefined || record.type === type) &&
    (words.length === 0 || wordsIn(record, words));
}

function wordsIn(record: AuditRecord, words: readonly RegExp[]): boolean {
  const text = textOf(record);
  return words.every((word) => word.test(text));
}

/** How an index and a filter call a tool: by its canonical name, whoever spelled it. */
export function toolWord(name: string): string {
  return canonicalName(name) ?? name;
}

/** What a record decided, as a verdict. */
export function verdictOf(record: AuditRecord): Verdict | undefined {
  switch (record.type) {
    case "decision":
      return record.verdict;
    case "approval":
      return record.answer === "allow" || record.answer === "always" ? "allow" : "deny";
    case "detached":
      return undefined;
  }
}

/** The event that a record is about. */
export function eventOf(record: AuditRecord): string | undefined {
  return record.type === "approval" ? undefined : record.event;
}

/** The hooks that a record tells of. */
export function hooksOf(record: AuditRecord): NonNullable<Extract<AuditRecord, { type: "decision" }>["hooks"]> {
  return record.type === "approval" ? [] : (record.hooks ?? []);
}

/** The words of a search: letters and digits, as an index splits text. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Keys whose values are no text that people search for. */
const NO_TEXT = ["seq", "type", "id", "at", "hash", "session", "turn", "request"];

/** What people can search for in a record: every text in it, but for ids, times and hashes. */
export function textOf(record: AuditRecord): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (isObject(value)) for (const [key, each] of Object.entries(value)) if (!NO_TEXT.includes(key)) collect(each);
  };
  collect(record);
  return texts.join("\n");
}

/** A type of records by name. */
export function storyType(word: string): StoryType | undefined {
  return STORY_TYPES.find((type) => type === word);
}
