/** Text that a stranger wrote, for models and terminals: nothing in it acts, hides or pretends. Pure. */
import { showHidden } from "./hidden.ts";

/** Whether there is anything to do: most texts hold none of this. */
const ODD =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\uFFF9-\uFFFB\uD800-\uDFFF\u{E0000}-\u{E0FFF}]|\r(?!\n)|<\s{0,9}\/?\s{0,9}system-reminder/iu; // oxlint-disable-line no-control-regex, no-misleading-character-class -- they are what is looked for

/** Escape sequences of terminals: colours, cursor moves, titles, links. Each stops at the next escape, so the search is linear. */
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])|\u009B[0-?]*[ -/]*[@-~]/g; // oxlint-disable-line no-control-regex -- they are what is looked for

/** The tags with which a session marks what is not the user's. Blanks are counted, so that a long row of them costs no square. */
const MARKS = /<(\s{0,9}\/?\s{0,9}system-reminder[^<>]*)(>?)/gi;

/** The text with controls and invisible characters made visible, terminal escapes taken out, and marks of ours escaped. Itself where there is nothing to do. */
export function tameText(text: string): string {
  if (!ODD.test(text)) return text;
  return showHidden(text.replace(ESCAPES, "")).replace(MARKS, (_, tag: string, end: string) => `&lt;${tag}${end === "" ? "" : "&gt;"}`);
}
