/** What a shell word becomes once bash has removed its quotes, with a hole for everything known only at run time. */
export interface Word {
  /** The source of the word. */
  readonly raw: string;
  /** The text after quote removal; each unknown part is one `HOLE`. */
  readonly text: string;
  /** Expands to any number of fields, also none. */
  readonly spreads: boolean;
  /** Written without quotes, escapes, expansions, globs or braces. */
  readonly plain: boolean;
}

/** Stands for any text, also none. A command that holds this character itself is not judged by this evaluator. */
export const HOLE = "\uE000";
/** Stands for what a glob finds: the same, but it never crosses a folder. */
export const NAME_HOLE = "\uE001";
/** Stands for exactly one character of a name. */
export const ONE_HOLE = "\uE002";
/** Stands for any file below the folder it follows. */
export const BELOW = "\uE003";

interface Reading {
  text: string;
  spreads: boolean;
  plain: boolean;
}

/** The words that a source word stands for: more than one where braces list them. */
export function readWord(raw: string): readonly Word[] {
  const listed = braces(raw);
  if (listed !== undefined) return listed.map((part) => ({ ...readOne(part), raw, plain: false }));
  return [{ ...readOne(raw), raw }];
}

/** A word whose text is known, as the ones inside a string of options. */
export function known(text: string): Word {
  return { raw: text, text, spreads: false, plain: /^[\w./:=@%+,-]+$/.test(text) };
}

function readOne(raw: string): Reading {
  const out: Reading = { text: "", spreads: false, plain: !/["'\\$`*?[{~]/.test(raw) };
  let at = 0;
  while (at < raw.length) at = readPiece(raw, at, out);
  return out;
}

function readPiece(raw: string, at: number, out: Reading): number {
  const char = raw[at] ?? "";
  const next = raw[at + 1] ?? "";
  if (char === "\\") return literal(out, next, at + 2);
  if (char === "'") return singleQuoted(raw, at, out);
  if (char === '"') return doubleQuoted(raw, at + 1, out);
  if (char === "$" && next === "'") return ansiQuoted(raw, at + 2, out);
  if (char === "$" && next === '"') return doubleQuoted(raw, at + 2, out);
  const end = expansionEnd(raw, at);
  if (end > at) return hole(out, end, !/^\$(?:\(\(|[#?$])/.test(raw.slice(at)));
  if (char === "*" || char === "?") return hole(out, at + 1, true, char === "*" ? NAME_HOLE : ONE_HOLE);
  if (char === "[" && /^\[.[^\]]*\]/s.test(raw.slice(at))) return hole(out, closing(raw, at, "[", "]"), true, ONE_HOLE);
  if ((char === "<" || char === ">") && next === "(") return hole(out, closing(raw, at + 1, "(", ")"), false);
  return literal(out, char, at + 1);
}

function literal(out: Reading, text: string, end: number): number {
  out.text += text;
  return end;
}

function hole(out: Reading, end: number, spreads: boolean, mark = HOLE): number {
  out.text += mark;
  out.spreads ||= spreads;
  return end;
}

function singleQuoted(raw: string, at: number, out: Reading): number {
  const end = raw.indexOf("'", at + 1);
  return literal(out, raw.slice(at + 1, end < 0 ? raw.length : end), end < 0 ? raw.length : end + 1);
}

function doubleQuoted(raw: string, from: number, out: Reading): number {
  let at = from;
  while (at < raw.length && raw[at] !== '"') {
    const end = expansionEnd(raw, at);
    const next = raw[at + 1] ?? "";
    if (raw[at] === "\\" && '$`"\\'.includes(next)) at = literal(out, next, at + 2);
    else if (end > at) at = hole(out, end, /^\$(?:@|\{[^}]*[@*])/.test(raw.slice(at)));
    else at = literal(out, raw[at] ?? "", at + 1);
  }
  return at + 1;
}

const ANSI: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  e: "\u001B",
  E: "\u001B",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

function ansiQuoted(raw: string, from: number, out: Reading): number {
  let at = from;
  while (at < raw.length && raw[at] !== "'") {
    const rest = raw.slice(at);
    const code = /^\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3}))/.exec(rest);
    const simple = rest[0] === "\\" ? ANSI[rest[1] ?? ""] : undefined;
    if (code) {
      const value = code[4] === undefined ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16) : Number.parseInt(code[4], 8) & 255;
      at =
        value === 0 || value > 0x10_ff_ff || (value > 127 && code[2] === undefined && code[3] === undefined)
          ? hole(out, at + code[0].length, false)
          : literal(out, String.fromCodePoint(value), at + code[0].length);
    } else if (simple !== undefined) at = literal(out, simple, at + 2);
    else if (rest[0] === "\\") at = hole(out, at + 2, false);
    else at = literal(out, rest[0] ?? "", at + 1);
  }
  return at + 1;
}

/** Where the expansion that starts here ends; the same place when none does. */
function expansionEnd(raw: string, at: number): number {
  if (raw[at] === "`") {
    const end = /^`(?:[^`\\]|\\[^])*`/.exec(raw.slice(at));
    return end ? at + end[0].length : raw.length;
  }
  if (raw[at] !== "$") return at;
  if (raw[at + 1] === "(") return closing(raw, at + 1, "(", ")");
  if (raw[at + 1] === "{") return closing(raw, at + 1, "{", "}");
  if (raw[at + 1] === "[") return closing(raw, at + 1, "[", "]");
  const name = /^\$(?:[A-Za-z_]\w*|[\d@*#?$!-])/.exec(raw.slice(at));
  return name ? at + name[0].length : at;
}

/** The end of a bracket that opens at `from`, quotes and nesting counted; the end of the word when it stays open. */
function closing(raw: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < raw.length; at += 1) {
    const char = raw[at];
    if (char === "\\") at += 1;
    else if (char === "'" && open !== "[") at = raw.indexOf("'", at + 1) < 0 ? raw.length : raw.indexOf("'", at + 1);
    else if (char === open) depth += 1;
    else if (char === close && (depth -= 1) === 0) return at + 1;
  }
  return raw.length;
}

/** The words of one list in braces without quotes or expansions around it; undefined when there is none that simple. */
function braces(raw: string): readonly string[] | undefined {
  const found = /^([^{}"'\\$`]*)\{([^{}"'\\$`]*)\}([^{}"'\\$`]*)$/.exec(raw);
  if (!found) return /\{[^}]*(?:,|\.\.)[^}]*\}/.test(raw.replaceAll(/\\./g, "").replaceAll(/'[^']*'|"[^"]*"|\$\{[^}]*\}/g, "")) ? ["*"] : undefined;
  const [, before = "", body = "", after = ""] = found;
  if (body.includes("..")) return [`${before}*${after}`];
  return body.includes(",") ? body.split(",").map((part) => before + part + after) : undefined;
}
