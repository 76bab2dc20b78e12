/** Characters that nobody sees or that act on what is around them: one list for models, terminals and the page. Pure. */

/** Controls, a lone carriage return, characters that turn the direction or have no shape, halves of characters. */
const HIDDEN =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uD800-\uDFFF]|\r(?!\n)/gu; // oxlint-disable-line no-control-regex -- they are what is looked for

/** Joiners between letters of ASCII, or at an edge: there they join nothing. In other scripts and in emoji they are spelling. */
const JOINERS = /(?<![^\u0000-\u007F])[\u200C\u200D]|[\u200C\u200D](?![^\u0000-\u007F])/gu; // oxlint-disable-line no-control-regex -- the range of ASCII

/** One selector behind a character chooses its look; more of them, or those of the supplement and tags, can only carry bytes that nobody sees. Flags of regions are spelled with seven tags at most. */
const SELECTORS = /(?<=[\uFE00-\uFE0F])[\uFE00-\uFE0F]+|(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,7})[\u{E0000}-\u{E0FFF}]/gu;

/** The text with something else in the place of each such character. */
export function replaceHidden(text: string, put: (character: string) => string): string {
  return text
    .replace(HIDDEN, put)
    .replace(JOINERS, put)
    .replace(SELECTORS, (characters) => Array.from(characters, put).join(""));
}

/** The text with a mark in the place of each such character. */
export function showHidden(text: string): string {
  return replaceHidden(text, shown);
}

/** Unicode has pictures of the old controls; anything else is shown by its number. */
function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
