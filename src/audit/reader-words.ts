/** What a reader of a log is asked and what it says, a line of JSON each. */
import type { AuditFilter } from "./filter.ts";
import type { Answer } from "./query.ts";
import type { AuditRecord } from "./record.ts";
import type { Series } from "./series.ts";
import type { AuditStats } from "./stats.ts";

/** Questions that a reader answers. */
export interface ReaderQuestions {
  /** Brings the index up to date. */
  readonly index: (words: object) => Promise<void>;
  /** The newest records that a filter lets through, behind the newest so many. */
  readonly query: (words: { readonly filter: AuditFilter; readonly limit: number; readonly skip: number }) => Promise<Answer>;
  /** What they add up to, at all and over time. */
  readonly numbers: (words: { readonly filter: AuditFilter }) => Promise<AuditNumbers>;
  /** One record by its id. */
  readonly record: (words: { readonly id: string }) => Promise<AuditRecord | null>;
}

/** Numbers of the records that a filter lets through. */
export interface AuditNumbers {
  readonly stats: AuditStats;
  readonly series: Series;
}

/** One question on its way. */
export interface ReaderQuestion {
  readonly id: number;
  readonly ask: keyof ReaderQuestions;
  readonly words: object;
}

/** One line of the reader. */
export type ReaderLine =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }
  /** How much of the log is indexed: from 0 to 1. */
  | { readonly progress: number };
