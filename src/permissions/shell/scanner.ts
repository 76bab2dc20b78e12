import {
  cursorOn,
  giveUp,
  looksAt,
  scanArithmetic,
  scanInside,
  scanWord,
  skipBlanks,
  skipComment,
  skipLines,
  skipPlainWords,
  type Closer,
  type Cursor,
} from "./scanner-words.ts";

/**
 * A second, simple reading of shell text that only counts where commands begin. It knows nothing of the parser, so
 * that a construct which the parser misreads shows as a different count; undefined when it can't tell.
 */
export function countCommands(text: string): number | undefined {
  const cursor = cursorOn(text, { depth: 0, list: scanList });
  scanList(cursor, "");
  return cursor.unsure ? undefined : cursor.count;
}

/** Whether a command may begin behind a word, or the word closed the list. */
type After = "command" | "words" | "closed";

/** Words behind which a command may begin, words that close a compound command, and those with a grammar of their own. */
const KEYWORDS: ReadonlyMap<string, After | ((cursor: Cursor) => After)> = new Map<string, After | ((cursor: Cursor) => After)>([
  ...["if", "then", "elif", "else", "while", "until", "do", "{", "!"].map((word): [string, After] => [word, "command"]),
  ...["fi", "done", "esac", "}"].map((word): [string, After] => [word, "words"]),
  ["time", scanTimeOptions],
  ["for", scanFor],
  ["select", scanFor],
  ["case", scanCase],
  ["function", scanFunction],
  ["[[", scanTest],
  ["coproc", scanUnknown],
]);

/** Commands up to the closer, which is passed; `;;` and `esac` of a case are left to the case. */
function scanList(cursor: Cursor, closer: Closer): void {
  const { text } = cursor;
  let after: After = "command";
  while (!cursor.unsure) {
    skipBlanks(cursor);
    if (after === "words") skipPlainWords(cursor);
    const char = text[cursor.at];
    if (char === undefined) return closer === "" ? undefined : giveUp(cursor);
    if (char === closer && (closer !== "}" || after === "command")) {
      cursor.at += 1;
      return;
    }
    switch (char) {
      case "#":
        skipComment(cursor);
        break;
      case "\n":
        cursor.at += 1;
        if (cursor.waiting.length > 0) skipBodies(cursor);
        after = "command";
        break;
      case ";":
      case "&":
      case "|":
        if (closer === "case" && looksAt(cursor, /;;|;&/y) !== undefined) return;
        after = scanOperator(cursor, after);
        break;
      case "(":
        after = scanBracket(cursor, after);
        break;
      case ")":
        return giveUp(cursor);
      case "<":
      case ">":
        if (text[cursor.at + 1] === "(") after = scanCommandWord(cursor, after, closer);
        else scanRedirect(cursor);
        break;
      default:
        after = scanCommandWord(cursor, after, closer);
        if (after === "closed") return;
    }
  }
}

function scanOperator(cursor: Cursor, after: After): After {
  const redirect = looksAt(cursor, /&>>?/y);
  if (redirect === undefined) {
    cursor.at += 1;
    return "command";
  }
  cursor.at += redirect.length;
  scanTarget(cursor);
  return after;
}

function scanBracket(cursor: Cursor, after: After): After {
  if (after !== "command") {
    // `name ()`: the name was no command.
    const brackets = looksAt(cursor, /\([ \t]*\)/y);
    if (brackets === undefined) giveUp(cursor);
    cursor.at += brackets?.length ?? 0;
    cursor.count -= 1;
    return "command";
  }
  if (scanArithmetic(cursor, cursor.at)) return "words";
  cursor.at += 1;
  cursor.depth += 1;
  if (cursor.depth > SUBSHELL_LIMIT) giveUp(cursor);
  else scanList(cursor, ")");
  cursor.depth -= 1;
  return "words";
}

const SUBSHELL_LIMIT = 200;

/** One word; counts it when it begins a command. */
function scanCommandWord(cursor: Cursor, after: After, closer: Closer): After {
  const { text } = cursor;
  const start = cursor.at;
  scanWord(cursor);
  const next = text[cursor.at];
  const redirected = next === "<" || next === ">";
  // Most words need not be cut out of the text: they begin nothing.
  if (after !== "command" && !redirected) return "words";
  const word = text.slice(start, cursor.at);
  if (redirected && text[cursor.at + 1] !== "(" && /^(?:\d+|\{\w+\})$/.test(word)) return after;
  if (after !== "command") return "words";
  if (closer === "case" && word === "esac") return "closed";
  const keyword = KEYWORDS.get(word);
  if (keyword !== undefined) return typeof keyword === "string" ? keyword : keyword(cursor);
  if (word.includes("=") && /^[A-Za-z_]\w*(?:\[.*\])?\+?=/s.test(word)) return "command";
  cursor.count += 1;
  return "words";
}

/** A coprocess may or may not have a name: the parser is alone with it. */
function scanUnknown(cursor: Cursor): After {
  giveUp(cursor);
  return "words";
}

function scanTimeOptions(cursor: Cursor): After {
  skipBlanks(cursor);
  while (looksAt(cursor, /(?:-p|--)(?=[\s;&|]|$)/y) !== undefined) {
    cursor.at += 2;
    skipBlanks(cursor);
  }
  return "command";
}

function scanFor(cursor: Cursor): After {
  skipBlanks(cursor);
  if (scanArithmetic(cursor, cursor.at)) return "command";
  scanWord(cursor);
  skipLines(cursor);
  if (looksAt(cursor, /in(?=[\s;]|$)/y) === undefined) return "command";
  for (;;) {
    skipBlanks(cursor);
    const before = cursor.at;
    const char = cursor.text[before];
    if (char === undefined || char === ";" || char === "\n") return "command";
    scanWord(cursor);
    if (cursor.at === before || cursor.unsure) return scanUnknown(cursor);
  }
}

function scanCase(cursor: Cursor): After {
  const { text } = cursor;
  skipBlanks(cursor);
  scanWord(cursor);
  skipLines(cursor);
  scanWord(cursor);
  for (;;) {
    skipLines(cursor);
    if (looksAt(cursor, /esac(?=[\s;&|)]|$)/y) !== undefined) {
      cursor.at += 4;
      return "words";
    }
    if (text[cursor.at] === "(") cursor.at += 1;
    while (text[cursor.at] !== ")") {
      const before = cursor.at;
      if (looksAt(cursor, /[ \t|]/y) !== undefined) cursor.at += 1;
      else scanWord(cursor);
      if (cursor.at === before || cursor.unsure) return scanUnknown(cursor);
    }
    cursor.at += 1;
    cursor.list(cursor, "case");
    const end = looksAt(cursor, /;;&?|;&/y);
    if (end === undefined) return "words";
    cursor.at += end.length;
  }
}

function scanFunction(cursor: Cursor): After {
  skipBlanks(cursor);
  scanWord(cursor);
  skipBlanks(cursor);
  cursor.at += looksAt(cursor, /\([ \t]*\)/y)?.length ?? 0;
  return "command";
}

/** `[[ … ]]`: words and operators up to the closing word; only substitutions in it run. */
function scanTest(cursor: Cursor): After {
  for (;;) {
    skipLines(cursor);
    if (cursor.at >= cursor.text.length || cursor.unsure) return scanUnknown(cursor);
    if (looksAt(cursor, /\]\](?=[\s;&|)]|$)/y) !== undefined) {
      cursor.at += 2;
      return "words";
    }
    const before = cursor.at;
    scanWord(cursor);
    if (cursor.at === before) cursor.at += 1;
  }
}

function scanRedirect(cursor: Cursor): void {
  const reads = cursor.text[cursor.at] === "<";
  cursor.at += 1;
  const more = looksAt(cursor, reads ? /<<|<-|[<>&]/y : /[>&|]/y) ?? "";
  cursor.at += more.length;
  if (!reads || (more !== "<" && more !== "<-")) return scanTarget(cursor);
  skipBlanks(cursor);
  const start = cursor.at;
  scanWord(cursor);
  const raw = cursor.text.slice(start, cursor.at);
  const delimiter = raw.replace(/\\\n/g, "").replace(/\\(.)|["']/gs, "$1");
  cursor.waiting = [...cursor.waiting, { delimiter, quoted: /["'\\]/.test(raw), tabs: more === "<-" }];
}

function scanTarget(cursor: Cursor): void {
  skipBlanks(cursor);
  scanWord(cursor);
}

/** The bodies of the here-documents begun on the line that just ended. */
function skipBodies(cursor: Cursor): void {
  const { waiting, text } = cursor;
  cursor.waiting = [];
  for (const { delimiter, quoted, tabs } of waiting) {
    const start = cursor.at;
    for (;;) {
      if (cursor.at >= text.length) return giveUp(cursor);
      const newline = text.indexOf("\n", cursor.at);
      const lineStart = cursor.at;
      const end = newline < 0 ? text.length : newline;
      cursor.at = Math.min(end + 1, text.length);
      const line = text.slice(lineStart, end);
      if ((tabs ? line.replace(/^\t+/, "") : line) !== delimiter) continue;
      if (!quoted) scanInside(cursor, text.slice(start, lineStart));
      break;
    }
  }
}
