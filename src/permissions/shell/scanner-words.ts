/** The state of one scan. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** Commands counted so far. */
  count: number;
  depth: number;
  /** Here-documents whose bodies begin at the next newline. */
  waiting: readonly { readonly delimiter: string; readonly quoted: boolean; readonly tabs: boolean }[];
  /** The scanner does not know the construct: its count says nothing. */
  unsure: boolean;
  /** Reads commands up to a closing bracket; words hold lists, and lists words. */
  readonly list: (cursor: Cursor, closer: Closer) => void;
}

/** What ends a list of commands. */
export type Closer = "" | ")" | "}" | "case";

/** Nesting beyond which the scanner gives up. */
const DEPTH_LIMIT = 200;
/** How far the end of arithmetic is looked for. */
const ARITHMETIC_LIMIT_CHARS = 4096;

/** A cursor at the beginning of a text. */
export function cursorOn(text: string, from: Pick<Cursor, "depth" | "list">): Cursor {
  return { text, at: 0, count: 0, depth: from.depth, waiting: [], unsure: false, list: from.list };
}

/** Ends the scan: the count can't be trusted. */
export function giveUp(cursor: Cursor): void {
  cursor.unsure = true;
  cursor.at = cursor.text.length;
}

/** Whether a sticky pattern fits at the cursor. */
export function looksAt(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  return pattern.exec(cursor.text)?.[0];
}

/** Passes blanks and line continuations. */
export function skipBlanks(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const char = text[cursor.at];
    if (char === " " || char === "\t") cursor.at += 1;
    else if (char === "\\" && text[cursor.at + 1] === "\n") cursor.at += 2;
    else return;
  }
}

/** Passes whole words without any special character, each with the blanks behind it: most arguments of a command. */
export function skipPlainWords(cursor: Cursor): void {
  PLAIN_WORDS.lastIndex = cursor.at;
  if (PLAIN_WORDS.test(cursor.text)) cursor.at = PLAIN_WORDS.lastIndex;
}

const PLAIN_WORDS = /(?:[\w.,:%/-]+[ \t]+)+/y;

/** Passes blanks, newlines and comments. */
export function skipLines(cursor: Cursor): void {
  for (;;) {
    skipBlanks(cursor);
    const char = cursor.text[cursor.at];
    if (char === "\n") cursor.at += 1;
    else if (char === "#") skipComment(cursor);
    else return;
  }
}

/** Passes a comment up to its newline. */
export function skipComment(cursor: Cursor): void {
  const end = cursor.text.indexOf("\n", cursor.at);
  cursor.at = end < 0 ? cursor.text.length : end;
}

/** One word with its quotes and substitutions. */
export function scanWord(cursor: Cursor): void {
  const { text } = cursor;
  while (cursor.at < text.length && !cursor.unsure) {
    while (isPlain(text.charCodeAt(cursor.at))) cursor.at += 1;
    switch (text[cursor.at]) {
      case undefined:
      case " ":
      case "\t":
      case "\n":
      case ";":
      case "&":
      case "|":
      case ")":
        return;
      case "(": {
        const before = text.charAt(cursor.at - 1);
        if (before === "=") scanArray(cursor);
        else if (EXTENDED.has(before)) scanGroup(cursor);
        else return;
        break;
      }
      case "<":
      case ">":
        if (text[cursor.at + 1] !== "(") return;
        cursor.at += 2;
        enter(cursor, ")");
        break;
      case "'":
        scanSingle(cursor);
        break;
      case '"':
        scanDouble(cursor);
        break;
      case "$":
        if (text[cursor.at + 1] === "'") scanAnsi(cursor);
        else scanExpanding(cursor);
        break;
      default:
        scanExpanding(cursor);
    }
  }
}

/** Letters, digits and `- . /`: most of most words. */
function isPlain(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 45 && code <= 57) || (code >= 65 && code <= 90);
}

const EXTENDED: ReadonlySet<string> = new Set(["?", "*", "+", "@", "!"]);

function enter(cursor: Cursor, closer: Closer): void {
  cursor.depth += 1;
  if (cursor.depth > DEPTH_LIMIT) return giveUp(cursor);
  cursor.list(cursor, closer);
  cursor.depth -= 1;
}

function scanSingle(cursor: Cursor): void {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end < 0) giveUp(cursor);
  else cursor.at = end + 1;
}

function scanAnsi(cursor: Cursor): void {
  cursor.at += 2;
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== "'") cursor.at += cursor.text[cursor.at] === "\\" ? 2 : 1;
  cursor.at += 1;
}

/** `a=( … )`: words, not commands. */
function scanArray(cursor: Cursor): void {
  cursor.at += 1;
  for (;;) {
    skipLines(cursor);
    const before = cursor.at;
    if (cursor.text[before] === ")") {
      cursor.at += 1;
      return;
    }
    scanWord(cursor);
    if (cursor.at === before || cursor.unsure) return giveUp(cursor);
  }
}

/** `@( … | … )`: patterns. */
function scanGroup(cursor: Cursor): void {
  cursor.at += 1;
  while (cursor.text[cursor.at] !== ")") {
    if (cursor.at >= cursor.text.length || cursor.unsure) return giveUp(cursor);
    const before = cursor.at;
    scanWord(cursor);
    if (cursor.at === before) cursor.at += 1;
  }
  cursor.at += 1;
}

function scanDouble(cursor: Cursor): void {
  cursor.at += 1;
  while (cursor.text[cursor.at] !== '"') {
    if (cursor.at >= cursor.text.length || cursor.unsure) return giveUp(cursor);
    scanExpanding(cursor);
  }
  cursor.at += 1;
}

/** Substitutions in text where quotes mean nothing. */
export function scanInside(cursor: Cursor, body: string): void {
  const inner = cursorOn(body, cursor);
  while (inner.at < body.length) scanExpanding(inner);
  cursor.count += inner.count;
  cursor.unsure ||= inner.unsure;
}

/** One character, or one escape or substitution that begins here. */
function scanExpanding(cursor: Cursor): void {
  const { text } = cursor;
  const char = text[cursor.at];
  if (char === "\\") cursor.at += 2;
  else if (char === "`") scanBackticks(cursor);
  else if (char !== "$") cursor.at += 1;
  else {
    cursor.at += 1;
    while (text.startsWith("\\\n", cursor.at)) cursor.at += 2;
    scanDollar(cursor);
  }
}

function scanDollar(cursor: Cursor): void {
  const { text } = cursor;
  const next = text[cursor.at];
  if (next === "(") {
    if (scanArithmetic(cursor, cursor.at)) return;
    cursor.at += 1;
    return enter(cursor, ")");
  }
  if (next === "[") return scanUntil(cursor, "]");
  if (next !== "{") return;
  const code = looksAt({ ...cursor, at: cursor.at + 1 }, /[ \t\n|]/y);
  if (code === undefined) return scanUntil(cursor, "}");
  cursor.at += code === "|" ? 2 : 1;
  enter(cursor, "}");
}

/** `${ … }` and `$[ … ]`. */
function scanUntil(cursor: Cursor, closer: string): void {
  cursor.at += 1;
  while (cursor.text[cursor.at] !== closer) {
    const char = cursor.text[cursor.at];
    if (char === undefined || cursor.unsure) return giveUp(cursor);
    if (char === '"') scanDouble(cursor);
    else if (char === "'") {
      const end = cursor.text.indexOf("'", cursor.at + 1);
      cursor.at = end < 0 ? cursor.at + 1 : end + 1;
    } else scanExpanding(cursor);
  }
  cursor.at += 1;
}

/** `(( … ))` at a place; false when the brackets close apart, so that it is something else. */
export function scanArithmetic(cursor: Cursor, at: number): boolean {
  if (!cursor.text.startsWith("((", at)) return false;
  const end = arithmeticEnd(cursor.text, at + 2);
  if (end < 0) return false;
  scanInside(cursor, cursor.text.slice(at + 2, end));
  cursor.at = end + 2;
  return true;
}

function arithmeticEnd(text: string, from: number): number {
  let depth = 0;
  const limit = Math.min(text.length, from + ARITHMETIC_LIMIT_CHARS);
  for (let at = from; at < limit; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "(") depth += 1;
    else if (char === ")") {
      if (depth === 0) return text[at + 1] === ")" ? at : -1;
      depth -= 1;
    }
  }
  return -1;
}

/** Backticks hold a text of their own, with one level of backslashes taken away. */
function scanBackticks(cursor: Cursor): void {
  let end = cursor.at + 1;
  while (end < cursor.text.length && cursor.text[end] !== "`") end += cursor.text[end] === "\\" ? 2 : 1;
  if (end >= cursor.text.length || cursor.depth >= DEPTH_LIMIT) return giveUp(cursor);
  const inner = cursorOn(cursor.text.slice(cursor.at + 1, end).replace(/\\([`$\\])/g, "$1"), { ...cursor, depth: cursor.depth + 1 });
  inner.list(inner, "");
  cursor.unsure ||= inner.unsure;
  cursor.count += inner.count;
  cursor.at = end + 1;
}
