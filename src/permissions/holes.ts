/** A place in a word whose text is only known when the shell runs: one word, quoted. */
export const HOLE = "\uFDD0";
/** The same, unquoted: it may vanish or become several words. */
export const SPLIT_HOLE = "\uFDD1";
/** A file name pattern: any text without a slash. */
export const GLOB_HOLE = "\uFDD2";

/** Whether a text has parts that are not known yet. */
export function hasHole(text: string): boolean {
  return ANY_HOLE.test(text);
}

/** One unknown part; a pattern, because it is many times faster than a loop over the characters. */
export const ANY_HOLE = /[\uFDD0-\uFDD2]/;

/** Whether a text begins with a part that is not known yet. */
export function beginsWithHole(text: string): boolean {
  return isHoleCode(text.charCodeAt(0));
}

/** Whether a word is an option of which nothing is known, as `-$X`: it may be any, with words of its own behind it. */
export function isOpenOption(word: string): boolean {
  return OPEN_OPTION.test(word);
}

const OPEN_OPTION = /^--?[\uFDD0-\uFDD2]/;

/** Whether one UTF-16 unit stands for unknown text. */
export function isHoleCode(code: number): boolean {
  return code >= 0xfdd0 && code <= 0xfdd2;
}
