/** A text with parts of it underlined and labelled, as a compiler's message shows them. */
import { counted, widthOf } from "../render/text.ts";
import { layLanes, type Lane } from "./lanes.ts";

/** A part of the text to point at. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly line: "~" | "^";
  /** What stands below it, and what does where that is too wide. */
  readonly label: string;
  readonly short: string;
  /** Colours the line and the label. */
  readonly paint: (text: string) => string;
}

/** One character on the screen. */
interface Cell {
  readonly shown: string;
  readonly offset: number;
  readonly column: number;
  readonly width: number;
}

interface Row {
  readonly cells: readonly Cell[];
  /** Where the text of the row ends, without its line end. */
  readonly end: number;
}

/** How wide the page is, and how many rows of text it shows at most. */
export interface Frame {
  readonly width: number;
  readonly limitRows: number;
}

/** Rows that are always shown of a long text. */
const FIRST_ROWS = 4;
const TAB_COLUMNS = 4;

/** The text in rows, each with the lines and labels that belong below it. */
export function drawMarked(text: string, marks: readonly Mark[], { width, limitRows }: Frame): readonly string[] {
  const rows = rowsOf(text, width);
  const lanes = layLanes(marks);
  const shown = chooseRows(rows, marks, limitRows);
  const lines: string[] = [];
  let hidden = 0;
  for (const [index, row] of rows.entries()) {
    if (!shown.has(index)) {
      hidden += 1;
      continue;
    }
    if (hidden > 0) lines.push(gap(hidden));
    hidden = 0;
    lines.push(
      row.cells
        .map((cell) => cell.shown)
        .join("")
        .trimEnd(),
    );
    for (const lane of lanes) lines.push(...laneLines(lane, row, width));
  }
  return hidden > 0 ? [...lines, gap(hidden)] : lines;
}

/** Characters that a terminal would obey, hide or show as something else: their pictures where Unicode has one. */
const SHOWN: readonly { readonly test: (character: string) => boolean; readonly show: (character: string) => string }[] = [
  { test: (character) => character < " ", show: (character) => String.fromCodePoint(PICTURES + (character.codePointAt(0) ?? 0)) },
  { test: (character) => character === "\u007F", show: () => "\u2421" },
  { test: (character) => character === "\u00A0", show: () => "\u237D" },
  { test: (character) => /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/u.test(character), show: () => "\uFFFD" },
];

const PICTURES = 0x2400;

/** The text on one line, with every character to be seen. */
export function visible(text: string): string {
  return Array.from(text, shownAs).join("");
}

function shownAs(character: string): string {
  return SHOWN.find(({ test }) => test(character))?.show(character) ?? character;
}

function rowsOf(text: string, width: number): readonly Row[] {
  const rows: Row[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    rows.push(...wrapped(line, offset, width));
    offset += line.length + 1;
  }
  return rows;
}

/** One line of the text in rows of a width, broken after a blank where there is one. */
function wrapped(line: string, start: number, width: number): readonly Row[] {
  const rows: Row[] = [];
  let cells: Cell[] = [];
  let offset = start;
  for (const character of line) {
    const [last] = cells.slice(-1);
    const column = last ? last.column + last.width : 0;
    const shown = character === "\t" ? " ".repeat(TAB_COLUMNS - (column % TAB_COLUMNS)) : shownAs(character);
    const cell: Cell = { shown, offset, column, width: widthOf(shown) };
    offset += character.length;
    if (column + cell.width <= width) {
      cells.push(cell);
      continue;
    }
    const blank = cells.findLastIndex((each) => each.shown === " ");
    const cut = blank >= cells.length / 2 ? blank + 1 : cells.length;
    rows.push({ cells: cells.slice(0, cut), end: cells[cut]?.offset ?? cell.offset });
    cells = fromMargin([...cells.slice(cut), cell]);
  }
  return [...rows, { cells, end: start + line.length }];
}

function fromMargin(cells: readonly Cell[]): Cell[] {
  const margin = cells[0]?.column ?? 0;
  return cells.map((cell) => ({ ...cell, column: cell.column - margin }));
}

/** Of a long text the beginning and the rows where something begins, what stops the call before what does not. */
function chooseRows(rows: readonly Row[], marks: readonly Mark[], limit: number): ReadonlySet<number> {
  if (rows.length <= limit) return new Set(rows.keys());
  const wanted = [...marks].sort((left, right) => Number(left.line === "~") - Number(right.line === "~"));
  const at = wanted.slice(0, limit * limit).map(({ start }) => rows.findIndex((row) => start <= row.end));
  return new Set([...Array.from({ length: FIRST_ROWS }, (_, index) => index), ...at].slice(0, limit));
}

function gap(count: number): string {
  return `\u22EE ${counted(count, "line")} more`;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly mark: Mark;
  readonly isFirst: boolean;
}

function laneLines(lane: Lane<Mark>, row: Row, width: number): readonly string[] {
  const pieces = lane.flatMap((mark) => pieceOf(mark, row) ?? []);
  if (pieces.length === 0) return [];
  const line = place(pieces.map(({ from, to, mark }) => ({ from, text: mark.paint(mark.line.repeat(to - from)) })));
  return [line, ...labelLines(pieces, width)];
}

/** The columns that a mark takes in a row, blanks at both ends left out. */
function pieceOf(mark: Mark, { cells, end }: Row): Piece | undefined {
  const rowStart = cells[0]?.offset ?? end;
  const isFirst = mark.start >= rowStart && mark.start <= end;
  if (mark.start === mark.end && isFirst) {
    const column = cells.find((cell) => cell.offset >= mark.start)?.column ?? widthOf(cells.map((cell) => cell.shown).join(""));
    return { from: column, to: column + 1, mark, isFirst };
  }
  const inside = cells.filter((cell) => cell.offset >= mark.start && cell.offset < mark.end && cell.shown.trim() !== "");
  const [first] = inside;
  const last = inside.at(-1);
  return first && last && { from: first.column, to: last.column + Math.max(last.width, 1), mark, isFirst };
}

/** Whole labels where they fit side by side, else the short ones, below each other if need be. */
function labelLines(pieces: readonly Piece[], width: number): readonly string[] {
  const first = pieces.filter(({ isFirst, mark }) => isFirst && mark.label !== "");
  if (first.length === 0) return [];
  const whole = first.every(({ from, mark }, index) => from + widthOf(mark.label) < (first[index + 1]?.from ?? width + 1));
  const rows: { readonly from: number; readonly text: string }[][] = [];
  for (const { from, mark } of first) {
    const text = mark.paint(whole ? mark.label : mark.short);
    const free = rows.find((row) => row.every((each) => each.from + widthOf(each.text) < from));
    if (free) free.push({ from, text });
    else rows.push([{ from, text }]);
  }
  return rows.map(place);
}

function place(texts: readonly { readonly from: number; readonly text: string }[]): string {
  return texts.reduce((line, { from, text }) => line + " ".repeat(Math.max(0, from - widthOf(line))) + text, "");
}
