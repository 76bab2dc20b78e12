/** Splits a command line into words as the Rust crate `shlex` does: POSIX quoting, no expansion, `#` starts a comment. */
export function shlexSplit(line: string): ShlexResult {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    const character = line[at];
    if (isBlank(character)) at++;
    else if (character === "#") at = endOfLine(line, at);
    else {
      const word = readWord(line, at);
      if (word.kind === "unbalanced") return word;
      words.push(word.text);
      at = word.end;
    }
  }
  return { kind: "words", words };
}

/** The words, or what was left open. */
export type ShlexResult = { readonly kind: "words"; readonly words: readonly string[] } | { readonly kind: "unbalanced"; readonly what: string };

type Piece = { readonly kind: "piece"; readonly text: string; readonly end: number } | { readonly kind: "unbalanced"; readonly what: string };

function readWord(line: string, start: number): Piece {
  let text = "";
  let at = start;
  while (at < line.length && !isBlank(line[at])) {
    const piece = readPiece(line, at);
    if (piece.kind === "unbalanced") return piece;
    text += piece.text;
    at = piece.end;
  }
  return { kind: "piece", text, end: at };
}

function readPiece(line: string, at: number): Piece {
  switch (line[at]) {
    case "'":
      return readSingleQuoted(line, at + 1);
    case '"':
      return readDoubleQuoted(line, at + 1);
    case "\\":
      if (at + 1 >= line.length) return { kind: "unbalanced", what: "a backslash at the end" };
      return { kind: "piece", text: line[at + 1] === "\n" ? "" : (line[at + 1] ?? ""), end: at + 2 };
    default:
      return { kind: "piece", text: line[at] ?? "", end: at + 1 };
  }
}

function readSingleQuoted(line: string, start: number): Piece {
  const end = line.indexOf("'", start);
  if (end < 0) return { kind: "unbalanced", what: "an open single quote" };
  return { kind: "piece", text: line.slice(start, end), end: end + 1 };
}

function readDoubleQuoted(line: string, start: number): Piece {
  let text = "";
  for (let at = start; at < line.length; at++) {
    const character = line[at] ?? "";
    if (character === '"') return { kind: "piece", text, end: at + 1 };
    if (character !== "\\") {
      text += character;
      continue;
    }
    const next = line[++at];
    if (next === undefined) break;
    if (next === "\n") continue;
    text += '$`"\\'.includes(next) ? next : `\\${next}`;
  }
  return { kind: "unbalanced", what: "an open double quote" };
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\n";
}

function endOfLine(line: string, start: number): number {
  const end = line.indexOf("\n", start);
  return end < 0 ? line.length : end + 1;
}
