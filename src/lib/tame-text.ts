/** Text that a stranger wrote, for models and terminals: nothing in it acts, hides or pretends. Pure. */

/** Whether there is anything to do: most texts hold none of this. */
const ODD =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\uFFF9-\uFFFB\p{Surrogate}\u{E0000}-\u{E0FFF}]|\r(?!\n)|<\s{0,9}\/?\s{0,9}system-reminder/iu; // oxlint-disable-line no-control-regex, no-misleading-character-class -- they are what is looked for

/** Escape sequences of terminals: colours, cursor moves, titles, links. Each stops at the next escape, so the search is linear. */
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])|\u009B[0-?]*[ -/]*[@-~]/g; // oxlint-disable-line no-control-regex -- they are what is looked for

/** Controls, a lone carriage return, characters that turn the direction or have no shape, halves of characters. */
const HIDDEN =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\p{Surrogate}]|\r(?!\n)/gu; // oxlint-disable-line no-control-regex -- they are what is looked for

/** Joiners between letters of ASCII, or at an edge: there they join nothing. In other scripts and in emoji they are spelling. */
const JOINERS = /(?<![^\u0000-\u007F])[\u200C\u200D]|[\u200C\u200D](?![^\u0000-\u007F])/gu; // oxlint-disable-line no-control-regex -- the range of ASCII

/** One selector behind a character chooses its look; more of them, or those of the supplement and tags, can only carry bytes that nobody sees. Flags of regions are spelled with seven tags at most. */
const SELECTORS = /(?<=[\uFE00-\uFE0F])[\uFE00-\uFE0F]+|(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,7})[\u{E0000}-\u{E0FFF}]/gu;

/** The tags with which a session marks what is not the user's. Blanks are counted, so that a long row of them costs no square. */
const MARKS = /<(\s{0,9}\/?\s{0,9}system-reminder[^<>]*)(>?)/gi;

/** The text with controls and invisible characters made visible, terminal escapes taken out, and marks of ours escaped. Itself where there is nothing to do. */
export function tameText(text: string): string {
  if (!ODD.test(text)) return text;
  return text
    .replace(ESCAPES, "")
    .replace(HIDDEN, shown)
    .replace(JOINERS, shown)
    .replace(SELECTORS, shownEach)
    .replace(MARKS, (_, tag: string, end: string) => `&lt;${tag}${end === "" ? "" : "&gt;"}`);
}

/** Unicode has pictures of the old controls; anything else is shown by its number. */
function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

function shownEach(characters: string): string {
  return Array.from(characters, shown).join("");
}
