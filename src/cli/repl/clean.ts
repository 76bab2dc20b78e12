/** Text of models, hooks and tools, made harmless for a terminal. */
import { stripVTControlCharacters } from "node:util";
import { replaceHidden } from "../../lib/hidden.ts";

/** Text over any number of lines: escape sequences are gone, what else a terminal would obey is shown as a mark. */
export function cleanText(text: string): string {
  const plain = stripVTControlCharacters(text)
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replaceAll("\t", "    ");
  return replaceHidden(plain, () => "\uFFFD");
}

/** The same on one line, with blanks for line ends. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();
}
