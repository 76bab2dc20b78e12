import type { ArithmeticExpression, ParameterExpansionPart, Script, Word, WordPart } from "unbash";
import { GLOB_HOLE, HOLE, SPLIT_HOLE, hasHole } from "../holes.ts";
import type { DoubtKind } from "./doubts.ts";
import { findHiddenCode, hasOddEscape, hasSubscriptCode } from "./literals.ts";
import type { Token } from "./tree.ts";

/** What reading a word may turn up besides its text. */
export interface WordSink {
  readonly source: string;
  /** Where all of the text stands in the original, when it is not the original itself. */
  readonly fixed: { readonly start: number; readonly end: number } | undefined;
  /** The span of the original text that a span of the parsed text stands for. */
  span(start: number, end: number): { readonly start: number; readonly end: number };
  script(script: Script, start: number, end: number): void;
  doubt(kind: DoubtKind, start: number, end: number, detail: string): void;
}

/** One word unquoted, with holes for what is only known later; its substitutions and oddities go to the sink. */
export function readWord(word: Word, sink: WordSink): Token {
  const { text, pos } = word;
  const start = sink.fixed === undefined ? pos : sink.fixed.start;
  const end = sink.fixed === undefined ? word.end : sink.fixed.end;
  if (sink.source.charCodeAt(word.end) === HASH) sink.doubt("glued-comment", pos, word.end + 1, text);
  if (PLAIN.test(text)) return { raw: text, value: text, start, end, dynamic: false, splits: false, quoted: false };
  const { parts } = word;
  if (parts === undefined) {
    if (findHiddenCode(text)) sink.doubt("hidden-code", word.pos, word.end, text);
    if (hasSubscriptCode(word.value)) sink.doubt("subscript-code", word.pos, word.end, text);
    return { raw: text, value: word.value, start, end, dynamic: hasHole(word.value), splits: false, quoted: text !== word.value };
  }
  const value = readParts(parts, false, sink);
  if (hasSubscriptCode(value)) sink.doubt("subscript-code", word.pos, word.end, text);
  const splits = parts.every((part) => SPLITTING.has(part.type));
  return { raw: text, value, start, end, dynamic: hasHole(value), splits, quoted: parts.some((part) => QUOTED_TEXT.has(part.type)) };
}

/** A word of a command or a redirection: with one pair of quotes in which nothing expands it is not worth the parser's parts. */
export function readArgument(word: Word, sink: WordSink): Token {
  const quoted = QUOTED.exec(word.text);
  if (quoted === null || sink.source.charCodeAt(word.end) === HASH) return readWord(word, sink);
  const value = quoted.slice(1).join("");
  if (hasSubscriptCode(value)) sink.doubt("subscript-code", word.pos, word.end, word.text);
  const { start, end } = sink.span(word.pos, word.end);
  return { raw: word.text, value, start, end, dynamic: hasHole(value), splits: false, quoted: true };
}

const HASH = 35;
/** Words of which every character stands for itself: most words. */
const PLAIN = /^[\w./:=,@%+-]+$/;
/** Plain characters around such quotes. Not for words inside an expansion: in `"${x-'$(a)'}"` single quotes quote nothing. */
const QUOTED = /^([\w./:=,@%+-]*)(?:'([^']*)'|"([^"$`\\]*)")([\w./:=,@%+-]*)$/;
const QUOTED_TEXT: ReadonlySet<string> = new Set(["SingleQuoted", "DoubleQuoted", "AnsiCQuoted", "LocaleString"]);
const SPLITTING: ReadonlySet<string> = new Set(["SimpleExpansion", "ParameterExpansion", "CommandExpansion", "BraceExpansion"]);

/** The text of some parts of a word, quoted or not. */
export function readParts(parts: readonly WordPart[], quoted: boolean, sink: WordSink): string {
  let value = "";
  for (const part of parts) value += readPart(part, quoted, sink);
  return value;
}

function readPart(part: WordPart, quoted: boolean, sink: WordSink): string {
  switch (part.type) {
    case "Literal":
      if (findHiddenCode(part.text)) sink.doubt("hidden-code", part.pos, part.end, part.text);
      return part.value;
    case "SingleQuoted":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return readParts(part.parts, true, sink);
    case "AnsiCQuoted":
      if (!hasOddEscape(part.text)) return part.value;
      sink.doubt("odd-escape", part.pos, part.end, part.text);
      return HOLE;
    case "Glob":
      if (part.parts) readParts(part.parts, quoted, sink);
      return GLOB_HOLE;
    case "ExtendedGlob":
      if (part.parts) readParts(part.parts, quoted, sink);
      return GLOB_HOLE;
    case "BraceExpansion":
      if (part.parts) readParts(part.parts, quoted, sink);
      return SPLIT_HOLE;
    case "SimpleExpansion":
      return quoted && part.text !== "$@" ? HOLE : SPLIT_HOLE;
    case "ParameterExpansion":
      // Between double quotes and in here-documents, single quotes inside an expansion quote nothing, whatever the parser says.
      if (quoted && QUOTED_CODE.test(part.text)) sink.doubt("hidden-code", part.pos, part.end, part.text);
      readExpansion(part, sink);
      return quoted && !/\[@\]|^\$\{@/.test(part.text) ? HOLE : SPLIT_HOLE;
    case "CommandExpansion":
    case "ProcessSubstitution":
      readScript(part.script, part, sink);
      return quoted || part.type === "ProcessSubstitution" ? HOLE : SPLIT_HOLE;
    case "ArithmeticExpansion":
      readArithmetic(part.expression, sink);
      if (part.expression === undefined) sink.doubt("arithmetic-code", part.pos, part.end, part.text);
      return HOLE;
  }
  return unknownPart(part, sink);
}

const QUOTED_CODE = /'[^']*(?:\$[({[]|`)/;

/** A kind of part that no row knows: the parser may be newer than this list. */
function unknownPart(part: { readonly type: string; readonly pos: number; readonly end: number }, sink: WordSink): string {
  sink.doubt("unknown-syntax", part.pos, part.end, part.type);
  return SPLIT_HOLE;
}

function readScript(script: Script | undefined, part: { readonly pos: number; readonly end: number; readonly text: string }, sink: WordSink): void {
  // `${x/$(a / b)/}`: the parser may cut a substitution at the operator of the expansion around it.
  if (script === undefined || !CLOSED.test(part.text)) sink.doubt("syntax", part.pos, part.end, part.text);
  if (script !== undefined) sink.script(script, part.pos, part.end);
}

const CLOSED = /^(?:[$<>]\(.*\)|`.*`|\$\{.*\}|\$\\\n.*\))$/s;

// prettier-ignore
const OPERATION_DOUBTS: Readonly<Record<string, DoubtKind | undefined>> = {
  Transform: "prompt-string", Unknown: "unknown-syntax", Names: "indirect",
};

function readExpansion(part: ParameterExpansionPart, sink: WordSink): void {
  const { operation, index } = part;
  if (index !== undefined) readSubscript(index, sink);
  if (part.prefix === "!") sink.doubt("indirect", part.pos, part.end, part.text);
  if (operation === undefined) {
    if (/[@!]/.test(part.text.slice(2, -1).replace(/^[@#!]|\[@\]$/g, "")) && part.prefix === undefined)
      sink.doubt("prompt-string", part.pos, part.end, part.text);
    return;
  }
  const kind = OPERATION_DOUBTS[operation.type];
  if (kind !== undefined) sink.doubt(kind, part.pos, part.end, part.text);
  switch (operation.type) {
    case "Default":
      if (operation.operator.endsWith("=")) sink.doubt("assigning", part.pos, part.end, part.text);
      readWord(operation.operand, sink);
      return;
    case "Remove":
    case "Transform":
      readWord(operation.operand, sink);
      return;
    case "Replace":
      readWord(operation.pattern, sink);
      readWord(operation.replacement, sink);
      return;
    case "Slice":
      readSubscript(operation.offset, sink);
      if (operation.length) readSubscript(operation.length, sink);
      return;
    case "CaseModification":
      if (operation.operand) readWord(operation.operand, sink);
      return;
    case "Names":
    case "Unknown":
      return;
  }
}

/** A subscript or slice bound is arithmetic: a number and `@` `*` are harmless, a name is not. */
export function readSubscript(word: Word, sink: WordSink): void {
  const token = readWord(word, sink);
  if (/^\s*(-?\d+|[@*]|\uFDD2)\s*$/.test(token.value)) return;
  const kind = token.dynamic || !/^[\w\s]+$/.test(token.value) ? "arithmetic-code" : "arithmetic";
  sink.doubt(kind, word.pos, word.end, word.text);
}

/** Arithmetic runs what stands in subscripts, also in the values of the names it uses. */
export function readArithmetic(expression: ArithmeticExpression | undefined, sink: WordSink): void {
  if (expression === undefined) return;
  switch (expression.type) {
    case "ArithmeticBinary":
      readArithmetic(expression.left, sink);
      readArithmetic(expression.right, sink);
      return;
    case "ArithmeticUnary":
      readArithmetic(expression.operand, sink);
      return;
    case "ArithmeticTernary":
      readArithmetic(expression.test, sink);
      readArithmetic(expression.consequent, sink);
      readArithmetic(expression.alternate, sink);
      return;
    case "ArithmeticGroup":
      readArithmetic(expression.expression, sink);
      return;
    case "ArithmeticCommandExpansion":
      readScript(expression.script, expression, sink);
      return;
    case "ArithmeticWord": {
      const value = expression.parts ? readParts(expression.parts, true, sink) : expression.value;
      if (/^\s*(\d+|0[xX][0-9a-fA-F]+)\s*$/.test(value)) return;
      const kind = /^\s*\w+\s*$/.test(value) || /^\s*\uFDD0\s*$/.test(value) ? "arithmetic" : "arithmetic-code";
      sink.doubt(kind, expression.pos, expression.end, expression.value);
      return;
    }
  }
  unknownPart(expression, sink);
}
