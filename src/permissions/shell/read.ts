import { parse } from "unbash";
import { messageOf } from "../../lib/errors.ts";
import { beginsWithHole, isOpenOption } from "../holes.ts";
import { carriedBy } from "./carry.ts";
import type { DoubtKind } from "./doubts.ts";
import { addWholeDoubts } from "./evaluated.ts";
import { codeOption, nextWord } from "./interpreter-words.ts";
import type { InterpreterRow } from "./interpreters.ts";
import { hasOddCharacter } from "./literals.ts";
import { optionSet } from "./options.ts";
import { knownProgram, programOf, type ProgramRow } from "./programs.ts";
import { countCommands } from "./scanner.ts";
import { readExecOptions, readWrapper, unnamedUse, type Started } from "./start.ts";
import { wordAt, type Reading, type Token, type Unit } from "./tree.ts";
import { usesOf } from "./uses.ts";
import { COMMAND_VARIABLES, SAFE_VARIABLES, loadsCode, namesSteering } from "./variables.ts";
import { DEPTH_LIMIT, walkScript } from "./walk.ts";
import type { Collector, Entry } from "./walk-scope.ts";
import { moves, wrapperOf } from "./wrapping.ts";

/** Longest shell text that is read; longer is maybe. */
export const TEXT_LIMIT_CHARS = 1_000_000;
/** Time for reading and judging one call; more is maybe. */
export const TIME_LIMIT_MS = 50;

/** How a text is read besides its characters. */
export interface ReadOptions {
  /** Program names are compared without case. */
  readonly foldCase: boolean;
  readonly now: (() => number) | undefined;
}

/** Reads a shell text: every command it may run, every file it names, every construct that stays unknown. */
export function readShell(text: string, options: ReadOptions): Reading {
  const state: State = { options, deadline: options.now ? options.now() + TIME_LIMIT_MS : undefined, late: false };
  const out = collector(state);
  const whole = { start: 0, end: text.length };
  if (text.length > TEXT_LIMIT_CHARS) addDoubt(out, "too-long", whole, `${text.length} characters`);
  else {
    // It is read all the same: a denied command beside the character stays denied.
    if (hasOddCharacter(text)) addDoubt(out, "odd-character", whole, "");
    const entry: Entry = { origin: { source: text, fixed: undefined }, depth: 0, parent: undefined, places: [[]], certain: true };
    readText(text, entry, out);
    if (out.units.length === 0 && out.uses.length === 0 && out.doubts.length === 0 && !isEmpty(text) && !hasTest(text))
      addDoubt(out, "no-command", whole, text);
  }
  if (out.units.length > 1) addWholeDoubts(text, out);
  if (state.late) addDoubt(out, "too-slow", whole, "");
  return out;
}

interface State {
  readonly options: ReadOptions;
  readonly deadline: number | undefined;
  late: boolean;
}

function collector(state: State): Collector {
  return {
    units: [],
    uses: [],
    doubts: [],
    pipelines: [],
    positions: 0,
    foldCase: state.options.foldCase,
    found(unit) {
      expand(unit, this, state);
    },
  };
}

function isEmpty(text: string): boolean {
  return text.split("\n").every((line) => /^[ \t]*(#|$)/.test(line));
}

/** `[[ ]]` and `(( ))` alone: read, but no command. */
function hasTest(text: string): boolean {
  return /\[\[|\(\(/.test(text);
}

function addDoubt(out: Collector, kind: DoubtKind, { start, end }: { start: number; end: number }, detail: string, unit?: Unit): void {
  out.doubts.push({ kind, start, end, detail, unit });
}

/** Parses one text, the call's own or one inside it, and collects what is in it. */
function readText(text: string, entry: Entry, out: Collector): void {
  const span = entry.origin.fixed ?? { start: 0, end: text.length };
  if (entry.depth > DEPTH_LIMIT) return addDoubt(out, "too-deep", span, "");
  try {
    if (namesSteering(text)) addDoubt(out, "steering", span, "");
    const script = parse(text);
    const error = script.errors?.[0];
    if (error) addDoubt(out, "syntax", entry.origin.fixed ?? { start: error.pos, end: Math.min(error.pos + 1, text.length) }, error.message);
    const before = out.positions;
    out.positions = 0;
    walkScript(script, entry, out);
    if (!error && countCommands(text) !== out.positions) addDoubt(out, "disagreement", span, "");
    out.positions = before;
  } catch (error) {
    addDoubt(out, "too-deep", span, messageOf(error));
  }
}

/** Reads on from a command to what it starts, uses and carries. */
function expand(unit: Unit, out: Collector, state: State): void {
  if (state.late) return;
  if (state.deadline !== undefined && state.options.now && state.options.now() > state.deadline) {
    state.late = true;
    return;
  }
  if (unit.assigns.length > 0) checkAssigns(unit, out);
  for (const token of unit.tokens) if (token.quoted && namesSteering(token.value)) addDoubt(out, "steering", token, token.raw, unit);
  const first = unit.tokens[0];
  if (first === undefined) return;
  const { known } = unit;
  // `~`, `~-` and `~name` alone are whatever HOME and OLDPWD hold.
  if (unit.program === undefined || (first.raw.startsWith("~") && !first.raw.includes("/"))) return addDoubt(out, "dynamic-command", first, first.raw, unit);
  if (known) expandKnown(known, first, unit, out);
}

/** Reads on from a command whose program some table knows. */
function expandKnown(known: ProgramRow, first: Token, unit: Unit, out: Collector): void {
  if (known.builtin) addDoubt(out, known.builtin, first, first.raw, unit);
  if (unit.program === "alias") for (const token of unit.tokens.slice(1)) aliasCode(token, unit, out);
  const uses = usesOf(known, unit);
  for (const use of uses) out.uses.push(use);
  for (const { doubt, token } of carriedBy(known, unit)) {
    addDoubt(out, doubt, token, token.raw, unit);
    if (doubt === "writing-option" && !(token.value.startsWith("-") && uses.some(({ access }) => access === "write")))
      out.uses.push(unnamedUse("write", token, unit));
    if (doubt === "reading-script") out.uses.push(unnamedUse("read", token, unit));
  }
  if (known.executes) follow(readExecOptions(unit.tokens), unit, out);
  if (known.interpreter) return readInterpreter(known.interpreter, first, unit, out);
  if (known.assigns) commandVariables(unit, out);
  const wrapper = wrapperOf(known, unit);
  if (wrapper === undefined) return;
  const reading = readWrapper(wrapper.row, unit.tokens, wrapper.from);
  if (!reading.known) addDoubt(out, "wrapped", first, first.raw, unit);
  const moved = moves(wrapper.row, unit);
  follow(moved ? reading.started.map((one) => ({ ...one, moved })) : reading.started, unit, out);
}

/** `export PAGER=…`, `env PAGER=… cmd`: what later programs will start. */
function commandVariables(unit: Unit, out: Collector): void {
  for (const token of unit.tokens) {
    const equals = token.value.indexOf("=");
    if (equals <= 0) continue;
    const name = token.value.slice(0, equals);
    const value = token.value.slice(equals + 1);
    if (loadsCode(name, value)) addDoubt(out, "steering", token, name, unit);
    if (COMMAND_VARIABLES.has(name)) readCode({ ...token, value }, { ...unit, certain: false }, out);
  }
}

/** Commands and code that another command starts. */
function follow(started: readonly Started[], unit: Unit, out: Collector): void {
  for (const one of started) {
    switch (one.kind) {
      case "doubt":
        addDoubt(out, one.doubt, one.token, one.token.raw, unit);
        break;
      case "code":
        readCode(one.token, one.moved ? { ...unit, places: undefined } : unit, out);
        break;
      case "words": {
        const first = one.tokens[0];
        const last = one.tokens.at(-1);
        if (first === undefined || last === undefined) break;
        const program = programOf(first, out.foldCase);
        const inner: Unit = {
          kind: "nested",
          tokens: one.tokens,
          program,
          known: knownProgram(program),
          assigns: [],
          start: first.start,
          end: last.end,
          raw: rawText(one.tokens),
          stdin: unit.stdin,
          places: one.moved ? undefined : unit.places,
          certain: unit.certain && one.certain,
          parent: unit,
          depth: unit.depth + 1,
        };
        if (inner.depth > DEPTH_LIMIT) {
          addDoubt(out, "too-deep", inner, "");
          break;
        }
        out.units.push(inner);
        if (one.certain) out.found(inner);
        break;
      }
    }
  }
}

/** Words as written; what is only filled in has no text of its own. */
function rawText(tokens: readonly Token[]): string {
  let text = "";
  for (const { raw } of tokens) if (raw !== "") text += text === "" ? raw : ` ${raw}`;
  return text;
}

/** Shell code in a word: read like any text, at the place of the word. */
function readCode(token: Token, unit: Unit, out: Collector): void {
  if (token.dynamic) addDoubt(out, "dynamic-code", token, token.raw, unit);
  readText(
    token.value,
    {
      origin: { source: token.value, fixed: { start: token.start, end: token.end } },
      depth: unit.depth + 1,
      parent: unit,
      places: unit.places,
      certain: unit.certain,
    },
    out,
  );
}

function aliasCode(token: Token, unit: Unit, out: Collector): void {
  const equals = token.value.indexOf("=");
  if (equals > 0) readCode({ ...token, value: token.value.slice(equals + 1) }, unit, out);
}

/** Code in an argument, in a file, or on standard input. */
function readInterpreter(row: InterpreterRow, program: Token, unit: Unit, out: Collector): void {
  const code = optionSet(row.code);
  const values = optionSet(row.values);
  const inert = optionSet(row.inert);
  const { tokens } = unit;
  const kind: DoubtKind = row.language === "shell" ? "dynamic-code" : "inline-code";
  let stdin = true;
  for (let at = 1; ; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    const word = token.value;
    // One unknown word is taken for a script's name, but a shell's scripts count.
    if (beginsWithHole(word)) return row.filesAreCode || at + 1 < tokens.length ? addDoubt(out, kind, token, token.raw, unit) : undefined;
    if (token.dynamic && isOpenOption(word)) addDoubt(out, kind, token, token.raw, unit);
    if (inert.has(word) && tokens.length === 2) return;
    const letter = codeOption(word, code, row.language);
    if (letter !== undefined) return interpreterCode(row, letter === "" ? nextWord(tokens, at, row) : { ...token, value: letter }, unit, out);
    if (values.has(word)) {
      stdin = word !== "-m" && stdin;
      at += 1;
      if (word === "-m" && CODE_MODULES.has(wordAt(tokens, at))) addDoubt(out, "inline-code", token, token.raw, unit);
    } else if (word === "-" || word === "-s" || (/^-[a-z]*s[a-z]*$/.test(word) && row.language === "shell")) {
      break;
    } else if (!/^[-+]/.test(word) && !row.fromStdin) {
      if (word === "/dev/stdin" || word === "/dev/fd/0" || word === "/proc/self/fd/0") break;
      if (row.filesAreCode) addDoubt(out, "script-file", token, token.raw, unit);
      return;
    }
  }
  if (stdin) stdinCode(row, program, unit, out);
}

/** Modules of Python that run code given in their arguments. */
const CODE_MODULES: ReadonlySet<string> = new Set(["timeit", "pdb", "code", "trace", "cProfile", "profile", "runpy"]);

function interpreterCode(row: InterpreterRow, token: Token | undefined, unit: Unit, out: Collector): void {
  if (token === undefined) return;
  if (row.language === "shell") return readCode(token, unit, out);
  addDoubt(out, "inline-code", token, token.raw, unit);
}

function stdinCode(row: InterpreterRow, first: Token, unit: Unit, out: Collector): void {
  if (row.language === "shell") {
    addDoubt(out, "stdin-code", first, first.raw, unit);
    if (unit.stdin.kind === "text") readCode(unit.stdin.token, unit, out);
    return;
  }
  if (unit.stdin.kind !== "inherited") addDoubt(out, row.filesAreCode ? "stdin-code" : "inline-code", first, first.raw, unit);
}

/** Assignments on their own, and prefixes that are not on the short list, can't be covered by a pattern. */
function checkAssigns(unit: Unit, out: Collector): void {
  for (const assign of unit.assigns) {
    const safe = unit.tokens.length > 0 && SAFE_VARIABLES.has(assign.name) && assign.value !== undefined && !assign.value.dynamic;
    if (!safe) addDoubt(out, "assignment", assign, assign.name, unit);
    if (assign.value?.quoted && namesSteering(assign.value.value)) addDoubt(out, "steering", assign, assign.name, unit);
    if (loadsCode(assign.name, assign.value?.value)) addDoubt(out, "steering", assign, assign.name, unit);
    if (assign.value && COMMAND_VARIABLES.has(assign.name)) readCode(assign.value, { ...unit, certain: false }, out);
  }
}
