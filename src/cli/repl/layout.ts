/** Rows → lines of text that fit the terminal. */
import type { Colour, Paint } from "../render/colour.ts";
import { pad, shorten, widthOf, wrap } from "../render/text.ts";
import { durationText } from "./numbers.ts";
import type { Row } from "./rows.ts";

/** How wide the terminal is, and whether it has colours. */
export interface Look {
  readonly columns: number;
  readonly paint: Paint;
}

/** Below the least columns do not fit; above the most, lines are tiring to read. */
const COLUMNS = { least: 48, usual: 80, most: 132 } as const;
const WIDTHS = { who: 12, name: 18, leastName: 8, word: 8, time: 6 } as const;
const INDENT = "  ";
/** Columns of a row beside its name: the branch, and each column with its gap. */
const OTHER_COLUMNS = INDENT.length + 2 + WIDTHS.who + 2 + 2 + WIDTHS.word + 1 + WIDTHS.time;
const BELOW = `${INDENT}│   `;

const WORD_COLOURS: { readonly [word: string]: Colour } = {
  deny: "red",
  fault: "red",
  denied: "red",
  ask: "yellow",
  nobody: "yellow",
  allow: "green",
  approved: "green",
  rewrite: "cyan",
  context: "cyan",
  feedback: "cyan",
  message: "cyan",
};

/** The columns that count. A terminal that does not know its width says 0. */
export function usableColumns(columns: number): number {
  return Math.min(Math.max(columns || COLUMNS.usual, COLUMNS.least), COLUMNS.most);
}

/** One row: its columns, and its place at the right edge. What it says stands between them where there is room, else below. */
export function rowLines({ who, name, word, durationMs, place, says }: Row, { columns, paint }: Look): readonly string[] {
  const width = Math.max(WIDTHS.leastName, Math.min(WIDTHS.name, columns - OTHER_COLUMNS) - Math.max(0, widthOf(who) - WIDTHS.who));
  // A rule has no time and nothing to say: its text may take their room.
  const room = durationMs === null && says === "" ? Math.max(width, columns - OTHER_COLUMNS - widthOf(place) + WIDTHS.time) : width;
  const colour = Object.hasOwn(WORD_COLOURS, word) ? WORD_COLOURS[word] : undefined;
  const shownName = name === "" ? "" : `${pad(shorten(name, room), width)}  `;
  const shownWord = word === "" ? "" : pad(colour ? paint(colour, word) : word, WIDTHS.word);
  const time = durationMs === null ? "" : durationText(durationMs).padStart(WIDTHS.time);
  const lead = `${branch("├", paint)}${pad(who, WIDTHS.who)}  ${shownName}${shownWord} ${time}`.trimEnd();
  const left = columns - widthOf(lead) - 2;
  const beside = says !== "" && !says.includes("\n") && widthOf(says) + (place === "" ? 0 : widthOf(place) + 2) <= left;
  const head = beside ? `${lead}  ${says}` : lead;
  const shown = shortPlace(place, columns - widthOf(head) - 2);
  const first = shown === "" ? head : `${pad(head, columns - widthOf(shown))}${paint("dim", shown)}`;
  // Why something is allowed is worth a word, not a line.
  const below = [...(beside || says === "" || word === "allow" ? [] : [says]), ...(shown === "" && place !== "" ? [place] : [])];
  return [first, ...below.flatMap((text) => belowLines(text, { columns, paint }))];
}

/** The end of a path that fits; empty where not even the file's name does. */
function shortPlace(place: string, room: number): string {
  const folders = place.split("/");
  const shown = folders.map((_, from) => (from === 0 ? place : `…/${folders.slice(from).join("/")}`)).find((text) => widthOf(text) <= room);
  return shown ?? "";
}

/** Text that stands below its row. */
export function belowLines(text: string, { columns, paint }: Look): readonly string[] {
  return text.split("\n").flatMap((line) => wrapHard(line, columns - widthOf(BELOW)).map((part) => `${paint("dim", BELOW)}${part}`.trimEnd()));
}

/** The last line of a block: what came of it. */
export function closingLines(text: string, { columns, paint }: Look): readonly string[] {
  return wrapHard(text, columns - 4).map((line, index) => `${index === 0 ? branch("└", paint) : `${INDENT}  `}${line}`.trimEnd());
}

/** Text in lines of a width; a word that is wider than a line is broken. */
export function wrapHard(text: string, width: number): readonly string[] {
  return wrap(text, width).flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const parts: string[] = [];
    let part = "";
    for (const character of line) {
      if (widthOf(part + character) > width) {
        parts.push(part);
        part = "";
      }
      part += character;
    }
    return [...parts, part];
  });
}

/** `├ `, indented. */
export function branch(mark: "├" | "│" | "└" | "┌", paint: Paint): string {
  return `${INDENT}${paint("dim", mark)} `;
}
