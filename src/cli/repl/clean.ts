/** Text of models, hooks and tools, made harmless for a terminal. */
import { stripVTControlCharacters } from "node:util";

/** Control characters, marks that turn the direction of text, and tags that nobody can see. */
const UNSAFE = /[^\P{Cc}\n]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;

/** Text over any number of lines: escape sequences are gone, what else a terminal would obey is shown as a mark. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replaceAll("\t", "    ")
    .replace(UNSAFE, "\uFFFD");
}

/** The same on one line, with blanks for line ends. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();
}
