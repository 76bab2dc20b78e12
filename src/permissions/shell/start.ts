import { mayMatchText } from "../glob.ts";
import { HOLE, SPLIT_HOLE, beginsWithHole, isOpenOption } from "../holes.ts";
import type { DoubtKind } from "./doubts.ts";
import { optionSet } from "./options.ts";
import { wordAt, type FileUse, type Token, type Unit } from "./tree.ts";
import type { WrapperRow } from "./wrappers.ts";

/** What a wrapper starts; `moved` when it runs in another folder. */
export type Started =
  | { readonly kind: "words"; readonly tokens: readonly Token[]; readonly certain: boolean; readonly moved?: boolean }
  | { readonly kind: "code"; readonly token: Token; readonly certain: boolean; readonly moved?: boolean }
  | { readonly kind: "doubt"; readonly doubt: DoubtKind; readonly token: Token };

/** The outcome of reading a wrapper's words: what it starts, and whether every option was a known one. */
export interface WrapperReading {
  readonly started: readonly Started[];
  readonly known: boolean;
}

/** A row with that many operands takes its options anywhere among them. */
const ANYWHERE = 99;
const ASSIGNMENT = /^[^=]+=/;

/** Reads a wrapper's own options and operands and answers what it starts. */
export function readWrapper(row: WrapperRow, tokens: readonly Token[], from: number): WrapperReading {
  const values = optionSet(row.values);
  const code = optionSet(row.code);
  const flags = row.flags === undefined ? undefined : optionSet(row.flags);
  const inert = optionSet(row.inert);
  const shellOptions = optionSet(row.shellOptions);
  const started: Started[] = [];
  const replaced: string[] = row.appends ? ["{}"] : [];
  let operands = row.operands ?? 0;
  let known = true;
  let shell = row.shellByDefault === true;
  let unlisted = false;
  let at = from;
  if (row.after !== undefined) return afterWord(row.after, tokens, from);
  for (; ; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    const word = token.value;
    if (beginsWithHole(word) && operands === 0) {
      started.push({ kind: "doubt", doubt: "dynamic-command", token });
      return { started: [...started, ...guesses(tokens, at + 1)], known: false };
    }
    if (word === "--") {
      at += 1;
      unlisted = false;
      // `sudo -- X=1 cmd` and `flock -- file cmd`: own operands may still follow.
      while (row.assigns && ASSIGNMENT.test(wordAt(tokens, at))) at += 1;
      if (operands < ANYWHERE) at += operands;
      break;
    }
    if (word === "-") continue;
    if (word.length > 1 && (word[0] === "-" || word[0] === "+")) {
      if (token.dynamic && isOpenOption(word)) started.push({ kind: "doubt", doubt: "dynamic-command", token });
      const option = splitOption(word, values, code);
      if (inert.has(option.name)) return { started: [], known };
      if (code.has(option.name)) {
        const value = option.attached === undefined ? tokens[at + 1] : { ...token, value: option.attached };
        at += option.attached === undefined ? 1 : 0;
        if (value && row.joins) return { started: [splitString(value, tokens, at + 1)], known };
        if (value) started.push({ kind: "code", token: value, certain: true });
        continue;
      }
      if (shellOptions.has(option.name)) shell = true;
      const taken = values.has(option.name);
      if (taken && option.name === row.appends) replaced.push(option.attached ?? tokens[at + 1]?.value ?? "{}");
      if (taken && option.attached === undefined) at += 1;
      unlisted = !taken && flags?.has(option.name) !== true && !/^-\d+$/.test(word);
      if (flags && unlisted) known = false;
      continue;
    }
    if (row.assigns && ASSIGNMENT.test(word)) {
      unlisted = false;
      continue;
    }
    if (operands >= ANYWHERE) continue;
    if (operands === 0) break;
    operands -= 1;
    unlisted = false;
  }
  if (started.length > 0 && row.text === undefined && row.code !== undefined) return { started, known };
  const rest = cut(tokens.slice(at), row.until);
  if (rest.length === 0) {
    const last = tokens.at(-1);
    if (shell && last && started.length === 0) started.push({ kind: "doubt", doubt: "stdin-code", token: last });
    return { started, known };
  }
  if (unlisted && rest.length > 1) {
    known = false;
    started.push(...guesses(tokens, at + 1, 1));
  }
  if (row.text) return { started: [...started, codeOf(row.text === "first" ? rest.slice(0, 1) : rest, row.appends !== undefined)], known };
  const words = row.appends ? appended(rest, replaced) : rest;
  return { started: [...started, { kind: "words", tokens: words, certain: true }], known };
}

/** `env -S "a b" -c` starts `a b -c`; a text that begins with an option is env's own again. */
function splitString(value: Token, tokens: readonly Token[], from: number): Started {
  const rest = tokens.slice(from);
  if (/^\s*-/.test(value.value)) return codeOf([{ ...value, value: "env" }, value, ...rest], false);
  return rest.length === 0 ? { kind: "code", token: value, certain: true } : codeOf([value, ...rest], false);
}

function afterWord(word: string, tokens: readonly Token[], from: number): WrapperReading {
  const at = tokens.findIndex((token, index) => index >= from && token.value === word);
  if (at < 0) return { started: guesses(tokens, from), known: false };
  return { started: [{ kind: "words", tokens: tokens.slice(at + 1), certain: true }], known: false };
}

function splitOption(word: string, values: ReadonlySet<string>, code: ReadonlySet<string>): { name: string; attached: string | undefined } {
  if (values.has(word) || code.has(word)) return { name: word, attached: undefined };
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    return equals < 0 ? { name: word, attached: undefined } : { name: word.slice(0, equals), attached: word.slice(equals + 1) };
  }
  for (let index = 1; index < word.length; index += 1) {
    const name = `-${word[index]}`;
    const rest = word.slice(index + 1);
    if (values.has(name) || code.has(name)) return { name, attached: rest === "" ? undefined : rest.replace(/^=/, "") };
  }
  return { name: word.length === 2 ? word : word.slice(0, 2), attached: undefined };
}

/** Any later word may be the command; what is found there is only a guess. */
function guesses(tokens: readonly Token[], from: number, count = 8): Started[] {
  const found: Started[] = [];
  for (let at = from; at < tokens.length && found.length < count; at += 1) found.push({ kind: "words", tokens: tokens.slice(at), certain: false });
  return found;
}

function cut(tokens: readonly Token[], until: string | undefined): readonly Token[] {
  if (until === undefined) return tokens;
  const at = tokens.findIndex((token) => token.value.startsWith(until));
  return at < 0 ? tokens : tokens.slice(0, at);
}

/** Words joined by blanks and read again by a shell. */
export function codeOf(tokens: readonly Token[], appends: boolean): Started {
  const value = tokens.map((token) => token.value).join(" ") + (appends ? ` ${HOLE}` : "");
  const token: Token = {
    raw: value,
    value,
    start: tokens.reduceRight((_, one) => one.start, 0),
    end: tokens.reduce((_, one) => one.end, 0),
    dynamic: tokens.some((one) => one.dynamic),
    splits: false,
    quoted: true,
  };
  return { kind: "code", token, certain: true };
}

/** Arguments read from standard input take the place of the marks, or follow the command. */
function appended(tokens: readonly Token[], marks: readonly string[]): readonly Token[] {
  const filled = tokens.map((token) => {
    const mark = marks.find((one) => one !== "" && token.value.includes(one));
    return mark === undefined ? token : { ...token, value: token.value.replaceAll(mark, HOLE), dynamic: true };
  });
  const last = tokens.at(-1);
  if (last === undefined || marks.length > 1) return filled;
  return [...filled, { raw: "", value: SPLIT_HOLE, start: last.start, end: last.end, dynamic: true, splits: true, quoted: false }];
}

const EXEC_OPTIONS: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"]);

const IMPLIED: ReadonlySet<string> = new Set(["-x", "-X", "--exec", "--exec-batch"]);

/** `find … -exec cmd ;`: every command between such an option and its end. */
export function readExecOptions(tokens: readonly Token[]): readonly Started[] {
  const started: Started[] = [];
  const below = foundBelow(tokens);
  for (let at = 1; ; at += 1) {
    const token = tokens[at];
    if (token === undefined) return started;
    if (token.dynamic && /^[\uFDD0-\uFDD2-]/.test(token.value) && mayBeExec(token.value)) started.push({ kind: "doubt", doubt: "dynamic-command", token });
    if (!EXEC_OPTIONS.has(token.value)) continue;
    let end = at + 1;
    while (end < tokens.length && tokens[end]?.value !== ";" && !(tokens[end]?.value === "+" && tokens[end - 1]?.value === "{}")) end += 1;
    const inner = tokens.slice(at + 1, end).map((one) => fillIn(one, below));
    // fd gives the file to a command without a mark for it.
    if (IMPLIED.has(token.value) && !inner.some((one) => one.below !== undefined || /^\{.*\}$/.test(one.value)))
      inner.push({ ...token, raw: "", value: HOLE, dynamic: true });
    if (inner.length > 0) started.push({ kind: "words", tokens: inner, certain: true, moved: token.value.endsWith("dir") });
    at = end;
  }
}

/** A word with the file found in it; alone it is known to be below the folder searched. */
function fillIn(token: Token, below: string): Token {
  if (!token.value.includes("{}")) return token;
  const filledIn = { ...token, value: token.value.replaceAll("{}", HOLE), dynamic: true };
  return token.value === "{}" ? { ...filledIn, below } : filledIn;
}

/** The folder that is searched. */
export function foundBelow(tokens: readonly Token[]): string {
  const words = tokens
    .slice(1)
    .map(({ value }) => value)
    .filter((word) => !/^-[HLPO]\d*$/.test(word));
  const end = words.findIndex((word) => /^[-(!,]/.test(word));
  const roots = end < 0 ? words : words.slice(0, end);
  return roots.length > 1 ? HOLE : (roots[0] ?? ".");
}

/** A partly unknown word that could turn out to be -exec: `-ex?c`, `$X`. */
function mayBeExec(value: string): boolean {
  return [...EXEC_OPTIONS].some((option) => mayMatchText({ chunks: [option], boundary: false }, value));
}

/** A script or option that uses a file which no row can name: below the folder searched, or anywhere. */
export function unnamedUse(access: FileUse["access"], token: Token, unit: Unit): FileUse {
  const below = unit.known?.executes ? foundBelow(unit.tokens) : undefined;
  const unknown: Token = { ...token, value: below ?? HOLE, dynamic: true };
  return {
    access,
    token: unknown,
    start: token.start,
    end: token.end,
    places: unit.places,
    certain: false,
    recursive: below !== undefined,
    needs: "nothing",
    source: "argument",
    unit,
  };
}
