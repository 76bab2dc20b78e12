/** Rows → lines of text that fit the terminal. */
import type { Paint, Style } from "./paint.ts";
import type { Row } from "./rows.ts";
import { cut, wrap } from "./wrap.ts";

/** How wide the terminal is, and whether it has colours. */
export interface Look {
  readonly columns: number;
  readonly paint: Paint;
}

const WIDTHS = { who: 6, name: 16, word: 8, time: 7 } as const;
const INDENT = "  ";
/** Columns before the last, free part of a row: the branch, and each column with its gap. */
const LEAD = INDENT.length + 2 + WIDTHS.who + WIDTHS.name + WIDTHS.word + WIDTHS.time + 4;

/** From this width on, reasons stand beside their row and sources at the right edge. */
const WIDE = 110;
/** Columns before a line that stands below its row. */
const BELOW = INDENT.length + 2 + WIDTHS.who + 1;

const WORD_STYLES: { readonly [word: string]: Style } = {
  deny: "red",
  ask: "yellow",
  allow: "green",
  fault: "red",
  rewrite: "cyan",
  context: "cyan",
  feedback: "cyan",
};

/** One row: its columns and source. What it says stands between them in a wide terminal, below them in a narrow one. */
export function rowLines(row: Row, { columns, paint }: Look): readonly string[] {
  const { who, name, word, durationMs, source, says } = row;
  const style = Object.hasOwn(WORD_STYLES, word) ? WORD_STYLES[word] : undefined;
  const time = durationMs === null ? "" : `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`;
  const padding = " ".repeat(Math.max(0, WIDTHS.word - word.length));
  const lead = `${branch("├", paint)}${paint("bold", who.padEnd(WIDTHS.who))} ${cut(name, WIDTHS.name).padEnd(WIDTHS.name)} ${style ? paint(style, word) : word}${padding} ${time.padStart(WIDTHS.time)} `;
  const room = columns - LEAD - 1;
  const beside = columns >= WIDE && !says.includes("\n") && says.length + source.length + 2 <= room;
  const place = source === "" ? "" : ` ${paint("dim", columns >= WIDE && !beside ? source.padStart(room) : source)}`;
  if (beside) return [`${lead} ${says.padEnd(room - source.length - 1)}${place}`.trimEnd()];
  return [`${lead}${place}`.trimEnd(), ...(says === "" ? [] : wrap(says, columns - BELOW).map((line) => below(line, paint)))];
}

/** Something odd that was noticed. */
export function noteLines(text: string, { columns, paint }: Look): readonly string[] {
  const [first = "", ...rest] = wrap(text, columns - BELOW);
  return [`${branch("├", paint)}${"note".padEnd(WIDTHS.who)} ${first}`, ...rest.map((line) => below(line, paint))];
}

/** The last line of a scene: what came of it. */
export function closingLines(text: string, { columns, paint }: Look): readonly string[] {
  return wrap(text, columns - INDENT.length - 2).map((line, index) => `${index === 0 ? branch("└", paint) : `${INDENT}  `}${line}`.trimEnd());
}

function below(line: string, paint: Paint): string {
  return `${branch("│", paint)}${" ".repeat(WIDTHS.who + 1)}${line}`;
}

function branch(mark: "├" | "│" | "└", paint: Paint): string {
  return `${INDENT}${paint("dim", mark)} `;
}
