/**
 * A second, simple reading of shell text that only counts where commands begin. It knows nothing of the parser, so
 * that a construct which the parser misreads shows as a different count.
 */
export function countCommands(text: string): number | undefined {
  const cursor: Cursor = { text, at: 0, count: 0, waiting: [], unsure: false };
  scanList(cursor, "");
  if (cursor.at < text.length) return undefined;
  return cursor.unsure ? undefined : cursor.count;
}

interface Cursor {
  readonly text: string;
  at: number;
  count: number;
  /** Here-documents whose bodies begin at the next newline. */
  waiting: { readonly delimiter: string; readonly quoted: boolean; readonly tabs: boolean }[];
  /** The scanner does not know the construct: its count says nothing. */
  unsure: boolean;
}

type Closer = "" | ")" | "`" | "}" | "case";

const STAYS: ReadonlySet<string> = new Set(["if", "then", "elif", "else", "while", "until", "do", "{", "!"]);
const ENDS: ReadonlySet<string> = new Set(["fi", "done", "esac", "}"]);
const BLANK = /[ \t]/;

function skipBlanks(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const char = text[cursor.at];
    if (char === " " || char === "\t") cursor.at += 1;
    else if (char === "\\" && text[cursor.at + 1] === "\n") cursor.at += 2;
    else return;
  }
}

/** Commands up to the closer; stops at it, behind it for brackets. */
function scanList(cursor: Cursor, closer: Closer): void {
  const { text } = cursor;
  let atCommand = true;
  while (cursor.at < text.length) {
    skipBlanks(cursor);
    const char = text[cursor.at];
    if (char === undefined) return;
    if (char === closer && (closer !== "}" || atCommand)) {
      cursor.at += 1;
      return;
    }
    if (char === "#") {
      const end = text.indexOf("\n", cursor.at);
      cursor.at = end < 0 ? text.length : end;
    } else if (char === "\n") {
      cursor.at += 1;
      skipBodies(cursor);
      atCommand = true;
    } else if (char === ";" || char === "&" || char === "|") {
      if (closer === "case" && /^;;&?|^;&/.test(text.slice(cursor.at, cursor.at + 3))) return;
      if (char === "&" && text[cursor.at + 1] === ">") {
        cursor.at += text[cursor.at + 2] === ">" ? 3 : 2;
        scanTarget(cursor);
        continue;
      }
      cursor.at += 1;
      atCommand = true;
    } else if (char === "(") {
      if (!atCommand) {
        // `name ()`: the name was no command.
        cursor.at += 1;
        skipBlanks(cursor);
        if (text[cursor.at] !== ")") return giveUp(cursor);
        cursor.at += 1;
        cursor.count -= 1;
        atCommand = true;
      } else if (text[cursor.at + 1] === "(" && arithmeticEnd(text, cursor.at + 2) > 0) {
        scanArithmetic(cursor, cursor.at + 2);
        atCommand = false;
      } else {
        cursor.at += 1;
        scanList(cursor, ")");
        atCommand = false;
      }
    } else if (char === ")") {
      return giveUp(cursor);
    } else if ((char === "<" || char === ">") && text[cursor.at + 1] !== "(") {
      scanRedirect(cursor);
    } else {
      atCommand = scanCommandWord(cursor, atCommand, closer);
      if (closer === "case" && !atCommand && /(^|[\s;&|])esac$/.test(text.slice(Math.max(0, cursor.at - 5), cursor.at)) && cursor.unsure === false && caseClosed.has(cursor)) {
        caseClosed.delete(cursor);
        return;
      }
    }
    if (cursor.unsure) return giveUp(cursor);
  }
}

const caseClosed = new WeakSet<Cursor>();

function giveUp(cursor: Cursor): void {
  cursor.unsure = true;
  cursor.at = cursor.text.length;
}

/** One word; answers whether a command may begin behind it. */
function scanCommandWord(cursor: Cursor, atCommand: boolean, closer: Closer): boolean {
  const { text } = cursor;
  const start = cursor.at;
  scanWord(cursor);
  const word = text.slice(start, cursor.at);
  if ((/^\d+$/.test(word) || /^\{\w+\}$/.test(word)) && /[<>]/.test(text[cursor.at] ?? "") && text[cursor.at + 1] !== "(") return atCommand;
  if (!atCommand) return false;
  if (STAYS.has(word)) return true;
  if (word === "esac" && closer === "case") {
    caseClosed.add(cursor);
    return false;
  }
  if (ENDS.has(word)) return false;
  if (word === "time") return scanTimeOptions(cursor);
  if (word === "for" || word === "select") return scanFor(cursor);
  if (word === "case") return scanCase(cursor);
  if (word === "function") return scanFunction(cursor);
  if (word === "[[") return scanTest(cursor);
  if (word === "coproc") {
    giveUp(cursor);
    return false;
  }
  if (/^[A-Za-z_]\w*(\[.*\])?\+?=/s.test(word)) return true;
  cursor.count += 1;
  return false;
}

function scanTimeOptions(cursor: Cursor): boolean {
  skipBlanks(cursor);
  while (/^(-p|--)(?=[\s;&|]|$)/.test(cursor.text.slice(cursor.at, cursor.at + 3))) {
    cursor.at += 2;
    skipBlanks(cursor);
  }
  return true;
}

function scanFor(cursor: Cursor): boolean {
  const { text } = cursor;
  skipBlanks(cursor);
  if (text.startsWith("((", cursor.at)) {
    scanArithmetic(cursor, cursor.at + 2);
    return true;
  }
  scanWord(cursor);
  skipBlanks(cursor);
  while (text[cursor.at] === "\n") {
    cursor.at += 1;
    skipBlanks(cursor);
  }
  if (!/^in(?=[\s;]|$)/.test(text.slice(cursor.at, cursor.at + 3))) return true;
  for (;;) {
    skipBlanks(cursor);
    const char = text[cursor.at];
    if (char === undefined || char === ";" || char === "\n") return true;
    if (/[&|()]/.test(char) || cursor.unsure) {
      giveUp(cursor);
      return true;
    }
    scanWord(cursor);
  }
}

function scanCase(cursor: Cursor): boolean {
  const { text } = cursor;
  skipBlanks(cursor);
  scanWord(cursor);
  skipLines(cursor);
  scanWord(cursor);
  for (;;) {
    skipLines(cursor);
    if (cursor.at >= text.length || cursor.unsure) {
      giveUp(cursor);
      return false;
    }
    if (/^esac(?=[\s;&|)]|$)/.test(text.slice(cursor.at, cursor.at + 5))) {
      cursor.at += 4;
      return false;
    }
    if (text[cursor.at] === "(") cursor.at += 1;
    for (let char = text[cursor.at]; char !== ")"; char = text[cursor.at]) {
      if (char === undefined) {
        giveUp(cursor);
        return false;
      }
      if (BLANK.test(char) || char === "|") cursor.at += 1;
      else {
        const before = cursor.at;
        scanWord(cursor);
        if (cursor.at === before) {
          giveUp(cursor);
          return false;
        }
      }
    }
    cursor.at += 1;
    const before = cursor.at;
    scanList(cursor, "case");
    if (text[cursor.at] === ";") cursor.at += /^;;&/.test(text.slice(cursor.at, cursor.at + 3)) ? 3 : 2;
    else if (/esac$/.test(text.slice(before, cursor.at))) return false;
  }
}

function skipLines(cursor: Cursor): void {
  for (;;) {
    skipBlanks(cursor);
    const char = cursor.text[cursor.at];
    if (char === "\n") cursor.at += 1;
    else if (char === "#") {
      const end = cursor.text.indexOf("\n", cursor.at);
      cursor.at = end < 0 ? cursor.text.length : end;
    } else return;
  }
}

function scanFunction(cursor: Cursor): boolean {
  skipBlanks(cursor);
  scanWord(cursor);
  skipBlanks(cursor);
  if (/^\(\s*\)/.test(cursor.text.slice(cursor.at))) cursor.at = cursor.text.indexOf(")", cursor.at) + 1;
  return true;
}

/** `[[ … ]]`: words and operators up to the closing word; only substitutions in it run. */
function scanTest(cursor: Cursor): boolean {
  const { text } = cursor;
  for (;;) {
    skipLines(cursor);
    const char = text[cursor.at];
    if (char === undefined) {
      giveUp(cursor);
      return false;
    }
    if (text.startsWith("]]", cursor.at) && /[\s;&|)]|^$/.test(text[cursor.at + 2] ?? "")) {
      cursor.at += 2;
      return false;
    }
    if (/[()&|<>;]/.test(char)) cursor.at += 1;
    else scanWord(cursor);
  }
}

function scanRedirect(cursor: Cursor): void {
  const operator = /^(<<<|<<-|<<|<>|<&|>>|>&|>\||<|>)/.exec(cursor.text.slice(cursor.at, cursor.at + 3))?.[0] ?? ">";
  cursor.at += operator.length;
  if (operator !== "<<" && operator !== "<<-") return scanTarget(cursor);
  skipBlanks(cursor);
  const start = cursor.at;
  scanWord(cursor);
  const raw = cursor.text.slice(start, cursor.at);
  const delimiter = raw.replace(/\\\n/g, "").replace(/\\(.)|["']/gs, "$1");
  cursor.waiting.push({ delimiter, quoted: /["'\\]/.test(raw), tabs: operator === "<<-" });
}

function scanTarget(cursor: Cursor): void {
  skipBlanks(cursor);
  scanWord(cursor);
}

/** The bodies of the here-documents begun on the line that just ended. */
function skipBodies(cursor: Cursor): void {
  const { waiting } = cursor;
  cursor.waiting = [];
  for (const { delimiter, quoted, tabs } of waiting) {
    const start = cursor.at;
    for (;;) {
      if (cursor.at >= cursor.text.length) return giveUp(cursor);
      const newline = cursor.text.indexOf("\n", cursor.at);
      const end = newline < 0 ? cursor.text.length : newline;
      const line = cursor.text.slice(cursor.at, end);
      const bodyEnd = cursor.at;
      cursor.at = Math.min(end + 1, cursor.text.length);
      if ((tabs ? line.replace(/^\t+/, "") : line) !== delimiter) continue;
      if (!quoted) scanInside(cursor, cursor.text.slice(start, bodyEnd));
      break;
    }
  }
}

/** Substitutions in text where quotes mean nothing. */
function scanInside(cursor: Cursor, body: string): void {
  const inner: Cursor = { text: body, at: 0, count: 0, waiting: [], unsure: false };
  while (inner.at < body.length) scanExpanding(inner);
  cursor.count += inner.count;
  cursor.unsure ||= inner.unsure;
}

/** One word with its quotes and substitutions. */
function scanWord(cursor: Cursor): void {
  const { text } = cursor;
  while (cursor.at < text.length && !cursor.unsure) {
    const char = text[cursor.at] ?? "";
    if (/[ \t\n;&|)]/.test(char)) return;
    if (char === "(") {
      const before = text[cursor.at - 1] ?? "";
      if (before === "=") scanArray(cursor);
      else if (/[?*+@!]/.test(before)) scanGroup(cursor);
      else return;
    } else if (char === "<" || char === ">") {
      if (text[cursor.at + 1] !== "(") return;
      cursor.at += 2;
      scanList(cursor, ")");
    } else if (char === "'") {
      const end = text.indexOf("'", cursor.at + 1);
      if (end < 0) return giveUp(cursor);
      cursor.at = end + 1;
    } else if (char === '"') {
      scanDouble(cursor);
    } else if (char === "$" && text[cursor.at + 1] === "'") {
      cursor.at += 2;
      while (cursor.at < text.length && text[cursor.at] !== "'") cursor.at += text[cursor.at] === "\\" ? 2 : 1;
      cursor.at += 1;
    } else scanExpanding(cursor);
  }
}

/** `a=( … )`: words, not commands. */
function scanArray(cursor: Cursor): void {
  cursor.at += 1;
  for (;;) {
    skipLines(cursor);
    const char = cursor.text[cursor.at];
    if (char === ")") {
      cursor.at += 1;
      return;
    }
    const before = cursor.at;
    if (char !== undefined) scanWord(cursor);
    if (char === undefined || cursor.at === before || cursor.unsure) return giveUp(cursor);
  }
}

/** `@( … | … )`: patterns. */
function scanGroup(cursor: Cursor): void {
  cursor.at += 1;
  while (cursor.text[cursor.at] !== ")") {
    const char = cursor.text[cursor.at];
    if (char === undefined || cursor.unsure) return giveUp(cursor);
    if (/[ \t|;&(<>\n]/.test(char) && !/^[<>]\(/.test(cursor.text.slice(cursor.at, cursor.at + 2))) cursor.at += 1;
    else scanWord(cursor);
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

/** One character, or one escape or substitution that begins here. */
function scanExpanding(cursor: Cursor): void {
  const { text } = cursor;
  const char = text[cursor.at];
  if (char === "\\") {
    cursor.at += 2;
  } else if (char === "`") {
    scanBackticks(cursor);
  } else if (char === "$") {
    const next = text.slice(cursor.at + 1).replace(/^(\\\n)+/, "");
    const skip = text.length - cursor.at - 1 - next.length;
    cursor.at += 1 + skip;
    scanDollar(cursor);
  } else cursor.at += 1;
}

function scanDollar(cursor: Cursor): void {
  const { text } = cursor;
  const next = text[cursor.at];
  if (next === "(") {
    if (text[cursor.at + 1] === "(" && arithmeticEnd(text, cursor.at + 2) > 0) return scanArithmetic(cursor, cursor.at + 2);
    cursor.at += 1;
    return scanList(cursor, ")");
  }
  if (next === "[") return scanSquare(cursor);
  if (next !== "{") return;
  cursor.at += 1;
  if (/[ \t\n|]/.test(text[cursor.at] ?? "")) {
    if (text[cursor.at] === "|") cursor.at += 1;
    return scanList(cursor, "}");
  }
  while (text[cursor.at] !== "}") {
    const char = text[cursor.at];
    if (char === undefined || cursor.unsure) return giveUp(cursor);
    if (char === '"') scanDouble(cursor);
    else if (char === "'" ) {
      const end = text.indexOf("'", cursor.at + 1);
      cursor.at = end < 0 ? cursor.at + 1 : end + 1;
    } else scanExpanding(cursor);
  }
  cursor.at += 1;
}

function scanSquare(cursor: Cursor): void {
  cursor.at += 1;
  while (cursor.text[cursor.at] !== "]") {
    if (cursor.at >= cursor.text.length || cursor.unsure) return giveUp(cursor);
    scanExpanding(cursor);
  }
  cursor.at += 1;
}

/** Where `))` closes arithmetic that begins here, or -1 when the brackets close apart. */
function arithmeticEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "(") depth += 1;
    else if (char === ")") {
      if (depth > 0) depth -= 1;
      else return text[at + 1] === ")" ? at : -1;
    }
  }
  return -1;
}

function scanArithmetic(cursor: Cursor, from: number): void {
  const end = arithmeticEnd(cursor.text, from);
  scanInside(cursor, cursor.text.slice(from, end));
  cursor.at = end + 2;
}

/** Backticks hold a text of their own, with one level of backslashes taken away. */
function scanBackticks(cursor: Cursor): void {
  let end = cursor.at + 1;
  while (end < cursor.text.length && cursor.text[end] !== "`") end += cursor.text[end] === "\\" ? 2 : 1;
  if (end >= cursor.text.length) return giveUp(cursor);
  const body = cursor.text.slice(cursor.at + 1, end).replace(/\\([`$\\])/g, "$1");
  const inner = countCommands(body);
  if (inner === undefined) cursor.unsure = true;
  else cursor.count += inner;
  cursor.at = end + 1;
}
