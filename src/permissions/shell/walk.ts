import type { Assignment, Case, Command, CompoundList, Coproc, Function as FunctionNode, PipelineNode, AndOr, Redirection, Script, Statement, TestExpression, Word } from "unbash";
import { HOLE } from "../holes.ts";
import type { DoubtKind } from "./doubts.ts";
import { readArithmetic, readParts, readSubscript, readWord, type WordSink } from "./words.ts";
import type { Assign, FileUse, Places, ShellDoubt, Stdin, Token, Unit } from "./tree.ts";

/** What a walk collects; later stages add what wrappers, interpreters and tables find. */
export interface Collector {
  readonly units: Unit[];
  readonly uses: FileUse[];
  readonly doubts: ShellDoubt[];
  readonly pipelines: string[];
  /** Called for each command found, so that what it starts can be read too. */
  found(unit: Unit): void;
  /** Commands the walk has seen by position, for the cross-check. */
  positions: number;
}

/** Where a text comes from: its own, or a span of the original that holds it. */
export interface Origin {
  readonly source: string;
  readonly fixed: { readonly start: number; readonly end: number } | undefined;
}

interface Frame {
  places: Places;
  readonly stdin: Stdin;
  readonly scope: Scope;
}

/** What all frames of one text share; one sink serves all its words. */
interface Scope {
  readonly entry: Entry;
  readonly sink: WordSink;
  /** The frame whose words are being read. */
  current: Frame | undefined;
}

/** How a text is entered. */
export interface Entry {
  readonly origin: Origin;
  readonly depth: number;
  readonly parent: Unit | undefined;
  readonly places: Places;
  readonly certain: boolean;
}

/** Scripts within scripts, counting substitutions and code arguments. */
export const DEPTH_LIMIT = 48;

const INHERITED: Stdin = { kind: "inherited" };
const UNKNOWN: Stdin = { kind: "unknown" };

/** Walks a parsed script and collects every command, file and doubt in it. */
export function walkScript(script: Script, entry: Entry, out: Collector): void {
  const scope = scopeOf(entry, out);
  walkStatements(script.commands, { places: entry.places, stdin: INHERITED, scope }, out);
}

function scopeOf(entry: Entry, out: Collector): Scope {
  const { fixed, source } = entry.origin;
  const span = (start: number, end: number): { start: number; end: number } => fixed ?? { start, end };
  const scope: Scope = {
    entry,
    current: undefined,
    sink: {
      source,
      span,
      doubt: (kind, start, end, detail) => addDoubt(out, kind, span(start, end), detail),
      script: (script, start, end) => walkNested(script, span(start, end), scope, out),
    },
  };
  return scope;
}

function sinkFor(frame: Frame): WordSink {
  frame.scope.current = frame;
  return frame.scope.sink;
}

/** The frame's state for something that may not last. */
function apart(frame: Frame): Frame {
  return { places: frame.places, stdin: frame.stdin, scope: frame.scope };
}

function addDoubt(out: Collector, kind: DoubtKind, { start, end }: { start: number; end: number }, detail: string): void {
  out.doubts.push({ kind, start, end, detail, unit: undefined });
}

/** A substitution's script: its own source where backslashes were taken away, else the text around it. */
function walkNested(script: Script & { readonly errors?: readonly unknown[] | undefined }, span: { start: number; end: number }, scope: Scope, out: Collector): void {
  const { entry } = scope;
  if (entry.depth >= DEPTH_LIMIT) return addDoubt(out, "too-deep", span, "");
  if (script.errors?.length) addDoubt(out, "syntax", span, entry.origin.source.slice(script.pos, script.end));
  const origin: Origin = script.source === undefined ? entry.origin : { source: script.source, fixed: span };
  const places = scope.current?.places;
  walkScript(script, { origin, depth: entry.depth + 1, parent: undefined, places, certain: entry.certain }, out);
}

function walkStatements(statements: readonly Statement[], frame: Frame, out: Collector): void {
  for (const statement of statements) {
    if (statement.background) walkNode(statement.command, apart(frame), out);
    else walkNode(statement.command, frame, out);
  }
}

function walkList(list: CompoundList, frame: Frame, out: Collector): void {
  walkStatements(list.commands, frame, out);
}

/** Runs in a place of its own: what it changes is forgotten. */
function walkApart(list: CompoundList, frame: Frame, out: Collector): void {
  walkList(list, apart(frame), out);
}

/** May run or not: afterwards the shell is in either place. */
function walkMaybe(list: CompoundList, frame: Frame, out: Collector): void {
  const inner = apart(frame);
  walkList(list, inner, out);
  frame.places = union(frame.places, inner.places);
}

function union(left: Places, right: Places): Places {
  if (left === undefined || right === undefined) return undefined;
  return left === right ? left : [...left, ...right.filter((place) => !left.includes(place))];
}

function walkNode(node: PipelineNode | AndOr, frame: Frame, out: Collector): void {
  switch (node.type) {
    case "Command":
      return walkCommand(node, frame, out);
    case "Pipeline": {
      if (node.commands.length === 1 && node.commands[0]) return walkNode(node.commands[0], frame, out);
      const before = out.units.length;
      node.commands.forEach((command, index) => walkNode(command, { places: frame.places, stdin: index === 0 ? frame.stdin : UNKNOWN, scope: frame.scope }, out));
      const direct = out.units.slice(before).filter((unit) => unit.kind === "command" && unit.depth === frame.scope.entry.depth);
      out.pipelines.push(direct.map((unit) => unit.tokens.map((token) => token.value).join(" ")).join(" | "));
      return;
    }
    case "AndOr":
      return walkAndOr(node, frame, out);
    case "If":
      walkList(node.clause, frame, out);
      walkMaybe(node.then, frame, out);
      for (const elif of node.elif) {
        walkMaybe(elif.clause, frame, out);
        walkMaybe(elif.then, frame, out);
      }
      if (node.else) walkMaybe(node.else, frame, out);
      return;
    case "While":
      walkList(node.clause, frame, out);
      return walkMaybe(node.body, frame, out);
    case "For":
    case "Select":
      loopName(node.name, frame, out);
      for (const word of node.wordlist ?? []) readWord(word, sinkFor(frame));
      return walkMaybe(node.body, frame, out);
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) readArithmetic(part, sinkFor(frame));
      return walkMaybe(node.body, frame, out);
    case "Subshell":
      return walkApart(node.body, frame, out);
    case "BraceGroup":
      return walkList(node.body, frame, out);
    case "Case":
      return walkCase(node, frame, out);
    case "TestCommand":
      return walkTest(node.expression, frame, out);
    case "ArithmeticCommand":
      if (node.expression === undefined && node.body.trim() !== "") addDoubt(out, "arithmetic-code", sinkFor(frame).span(node.pos, node.end), node.body);
      return readArithmetic(node.expression, sinkFor(frame));
    case "Redirected": {
      const inner: Frame = { places: frame.places, stdin: redirects(node.redirects, frame, out) ?? frame.stdin, scope: frame.scope };
      walkNode(node.command, inner, out);
      frame.places = inner.places;
      return;
    }
    case "Function":
    case "Coproc":
      return walkDefinition(node, frame, out);
  }
  unknownNode(node, frame, out);
}

function unknownNode(node: { readonly type: string; readonly pos: number; readonly end: number }, frame: Frame, out: Collector): void {
  addDoubt(out, "unknown-syntax", sinkFor(frame).span(node.pos, node.end), node.type);
}

function walkAndOr(node: AndOr, frame: Frame, out: Collector): void {
  node.commands.forEach((command, index) => {
    const before = frame.places;
    walkNode(command, frame, out);
    // `cd x || y`: y runs where cd failed, and what follows may be in either place.
    if (node.operators[index] === "||") frame.places = union(before, frame.places);
  });
}

function walkDefinition(node: FunctionNode | Coproc, frame: Frame, out: Collector): void {
  addDoubt(out, node.type === "Coproc" ? "coprocess" : "definition", sinkFor(frame).span(node.pos, node.end), "");
  const inner: Frame = { places: frame.places, stdin: UNKNOWN, scope: frame.scope };
  if (node.body.type === "CompoundList") walkList(node.body, inner, out);
  else walkNode(node.body, inner, out);
  // A function may go anywhere each time it is called.
  if (inner.places !== frame.places) frame.places = union(frame.places, inner.places);
}

function walkCase(node: Case, frame: Frame, out: Collector): void {
  readWord(node.word, sinkFor(frame));
  for (const item of node.items) {
    for (const pattern of item.pattern) readWord(pattern, sinkFor(frame));
    walkMaybe(item.body, frame, out);
  }
}

/** Loop variables are assigned: upper-case names and a few others steer programs. */
function loopName(word: Word, frame: Frame, out: Collector): void {
  if (/^[a-z_][a-z0-9_]*$/.test(word.value) && !word.value.endsWith("_proxy")) return;
  addDoubt(out, "assignment", sinkFor(frame).span(word.pos, word.end), word.text);
}

const ARITHMETIC_TESTS: ReadonlySet<string> = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

function walkTest(expression: TestExpression, frame: Frame, out: Collector): void {
  const sink = sinkFor(frame);
  switch (expression.type) {
    case "TestUnary":
      if (expression.operator === "-v" && !/^\w+$/.test(expression.operand.text)) return readSubscript(expression.operand, sink);
      readWord(expression.operand, sink);
      return;
    case "TestBinary":
      if (ARITHMETIC_TESTS.has(expression.operator)) {
        readSubscript(expression.left, sink);
        return readSubscript(expression.right, sink);
      }
      readWord(expression.left, sink);
      readWord(expression.right, sink);
      return;
    case "TestLogical":
      for (const operand of expression.operands) walkTest(operand, frame, out);
      return;
    case "TestNot":
      return walkTest(expression.operand, frame, out);
    case "TestGroup":
      return walkTest(expression.expression, frame, out);
  }
  unknownNode(expression, frame, out);
}

function walkCommand(node: Command, frame: Frame, out: Collector): void {
  out.positions += node.name === undefined ? 0 : 1;
  const sink = sinkFor(frame);
  const { entry } = frame.scope;
  const tokens: Token[] = [];
  let assigns = NO_ASSIGNS;
  let raw = node.name?.text ?? "";
  let redirected = false;
  if (node.name) tokens.push(readWord(node.name, sink));
  for (const part of node.prefix) {
    if (part.type === "Assignment") assigns = [...assigns, readAssignment(part, sink)];
    else redirected = true;
  }
  for (const part of node.suffix) {
    if (part.type !== "Word" && part.type !== "Assignment") {
      redirected = true;
      continue;
    }
    tokens.push(part.type === "Word" ? readWord(part, sink) : assignmentToken(part, sink));
    raw += ` ${part.text}`;
  }
  const { start, end } = sink.span(node.pos, node.end);
  const stdin = (redirected ? redirects(node.redirects, frame, out) : undefined) ?? frame.stdin;
  const unit: Unit = {
    kind: entry.origin.fixed ? "nested" : "command",
    tokens, assigns, start, end, raw, stdin,
    places: frame.places, certain: entry.certain, parent: entry.parent, depth: entry.depth,
  };
  out.units.push(unit);
  frame.places = placesAfter(unit, frame.places);
  out.found(unit);
}

const NO_ASSIGNS: readonly Assign[] = [];

function readAssignment(node: Assignment, sink: WordSink): Assign {
  const { start, end } = sink.span(node.pos, node.end);
  if (node.index) readSubscript(node.index, sink);
  if (node.value.type === "Word") return { name: node.name, value: readWord(node.value, sink), start, end };
  for (const element of node.value.elements) readWord(element, sink);
  return { name: node.name, value: undefined, start, end };
}

/** `export X=1`: an argument of the form of an assignment. */
function assignmentToken(node: Assignment, sink: WordSink): Token {
  const assign = readAssignment(node, sink);
  const value = `${node.name}${node.append ? "+" : ""}=${assign.value?.value ?? HOLE}`;
  return { raw: node.text, value, start: assign.start, end: assign.end, dynamic: assign.value?.dynamic ?? true, splits: false, quoted: assign.value?.quoted ?? false };
}

// prettier-ignore
const REDIRECT_ACCESS: Readonly<Record<string, readonly FileUse["access"][]>> = {
  ">": ["write"], ">>": ["write"], ">|": ["write"], "&>": ["write"], "&>>": ["write"], ">&": ["write"],
  "<": ["read"], "<&": ["read"], "<>": ["read", "write"],
};

/** The files of redirections; answers the standard input they give, if any. */
function redirects(nodes: readonly Redirection[], frame: Frame, out: Collector): Stdin | undefined {
  const sink = sinkFor(frame);
  let stdin: Stdin | undefined;
  for (const node of nodes) {
    const standard = node.descriptor === undefined || (node.descriptor.type === "FileDescriptor" && node.descriptor.value === 0);
    const span = sink.span(node.pos, node.end);
    switch (node.type) {
      case "HereDoc": {
        if (node.closing === undefined || node.delimiter === undefined) addDoubt(out, "syntax", span, "here-document");
        const value = node.delimiter?.quoted || !node.body.parts ? node.body.text : readParts(node.body.parts, true, sink);
        if (standard) stdin = { kind: "text", token: { raw: node.body.text, value, ...span, dynamic: /[\uFDD0-\uFDD2]/.test(value), splits: false, quoted: true } };
        continue;
      }
      case "HereString": {
        if (node.target === undefined) addDoubt(out, "syntax", span, "<<<");
        else if (standard) stdin = { kind: "text", token: readWord(node.target, sink) };
        else readWord(node.target, sink);
        continue;
      }
      case "Redirect": {
        if (node.target === undefined) {
          addDoubt(out, "syntax", span, node.operator);
          continue;
        }
        const token = readWord(node.target, sink);
        if (node.operator.startsWith("<") && standard) stdin = UNKNOWN;
        const duplicates = node.operator.endsWith("&") && /^(\d+-?|-)$/.test(token.value);
        if (duplicates) continue;
        if (/^\/dev\/(tcp|udp)\//.test(token.value)) addDoubt(out, "network-file", span, token.value);
        for (const access of REDIRECT_ACCESS[node.operator] ?? ["read", "write"]) {
          out.uses.push({ access, token, ...span, places: frame.places, certain: frame.scope.entry.certain, recursive: false, needs: "rule", source: "redirect", unit: undefined });
        }
        continue;
      }
    }
    unknownNode(node, frame, out);
  }
  return stdin;
}

/** Where the shell is after a command: `cd` moves it, other movers may move it anywhere. */
function placesAfter(unit: Unit, places: Places): Places {
  const program = unit.tokens[0];
  if (program === undefined || !MOVERS.has(program.value)) return places;
  const args = unit.tokens.slice(1);
  const operands = args.filter((token) => !/^-[LPe@]*$/.test(token.value) || token.value === "-");
  const target = operands[0];
  if (program.value !== "cd" || places === undefined || target?.dynamic || target?.value === "-" || operands.length > 1) return undefined;
  const step = target?.value ?? "~";
  return places.map((place) => [...place, step]);
}

const MOVERS: ReadonlySet<string> = new Set(["cd", "pushd", "popd"]);

