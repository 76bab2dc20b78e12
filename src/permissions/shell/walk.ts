import type { AndOr, Case, Command, CompoundList, Coproc, Function as FunctionNode, PipelineNode, Script, Statement, TestExpression, Word } from "unbash";
import { assignmentToken, readAssignment } from "./assignments.ts";
import { keyword, pipelineText, unitFrom } from "./pipelines.ts";
import { knownProgram, programOf } from "./programs.ts";
import { movedBy, placesAfter, redirects } from "./redirects.ts";
import type { Assign, Places, Stdin, Token, Unit } from "./tree.ts";
import { UNKNOWN, addDoubt, apart, sinkFor, unknownNode, type Collector, type Entry, type Frame, type Origin, type Scope } from "./walk-scope.ts";
import { readArgument, readArithmetic, readSubscript, readWord } from "./words.ts";

/** Scripts within scripts, counting substitutions and code arguments. */
export const DEPTH_LIMIT = 48;

const INHERITED: Stdin = { kind: "inherited" };

/** Walks a parsed script and collects every command, file and doubt in it. */
export function walkScript(script: Script, entry: Entry, out: Collector): void {
  const scope = scopeOf(entry, out);
  walkStatements(script.commands, { places: entry.places, stdin: INHERITED, scope }, out);
}

function scopeOf(entry: Entry, out: Collector): Scope {
  const { fixed, source } = entry.origin;
  const scope: Scope = {
    entry,
    current: undefined,
    sink: {
      source,
      fixed,
      span(start, end) {
        return fixed ?? { start, end };
      },
      doubt(kind, start, end, detail) {
        addDoubt(out, kind, fixed ?? { start, end }, detail);
      },
      script(script, start, end) {
        walkNested(script, fixed ?? { start, end }, scope, out);
      },
    },
  };
  return scope;
}

type Nested = Script & { readonly errors?: readonly unknown[] | undefined };

/** A substitution's script: its own source where backslashes were taken away, else the text around it. */
function walkNested(script: Nested, span: { start: number; end: number }, scope: Scope, out: Collector): void {
  const { entry } = scope;
  if (entry.depth >= DEPTH_LIMIT) return addDoubt(out, "too-deep", span, "");
  if (script.errors?.length) addDoubt(out, "syntax", span, entry.origin.source.slice(script.pos, script.end));
  const origin: Origin = script.source === undefined ? entry.origin : { source: script.source, fixed: span };
  const places = scope.current?.places;
  walkScript(script, { origin, depth: entry.depth + 1, parent: undefined, places, certain: entry.certain }, out);
}

function walkStatements(statements: readonly Statement[], frame: Frame, out: Collector): void {
  for (const statement of statements) {
    const before = frame.places;
    walkNode(statement.command, statement.background ? apart(frame) : frame, out);
    // `cd x; y`: where cd fails, y runs in the old place.
    frame.places = union(before, frame.places);
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

/** Folders a text may be in, before it is taken to be anywhere. */
const PLACE_LIMIT = 32;

function union(left: Places, right: Places): Places {
  if (left === undefined || right === undefined) return undefined;
  if (left === right) return left;
  const both = [...left, ...right.filter((place) => !left.includes(place))];
  return both.length > PLACE_LIMIT ? undefined : both;
}

function walkNode(node: PipelineNode | AndOr, frame: Frame, out: Collector): void {
  switch (node.type) {
    case "Command":
      return walkCommand(node, frame, out);
    case "Pipeline": {
      const before = out.units.length;
      if (node.commands.length === 1 && node.commands[0]) {
        walkNode(node.commands[0], frame, out);
        return keyword(node, node.commands[0], unitFrom(before, frame, out), frame, out);
      }
      let { stdin } = frame;
      for (const command of node.commands) {
        walkNode(command, { places: frame.places, stdin, scope: frame.scope }, out);
        stdin = UNKNOWN;
      }
      const after = out.units.length;
      if (node.prefixes.length > 0) keyword(node, node.commands[0], unitFrom(before, frame, out), frame, out);
      out.pipelines.push(() => pipelineText(out.units.slice(before, after), frame.scope.entry.depth));
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
      wander(node, frame);
      walkList(node.clause, frame, out);
      return walkMaybe(node.body, frame, out);
    case "For":
    case "Select":
      wander(node, frame);
      loopName(node.name, frame, out);
      for (const word of node.wordlist ?? []) readWord(word, sinkFor(frame));
      return walkMaybe(node.body, frame, out);
    case "ArithmeticFor":
      wander(node, frame);
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

/** What runs again starts where it went the time before, and a function where it is called: anywhere, when there is a `cd`. */
function wander({ pos, end }: { readonly pos: number; readonly end: number }, frame: Frame): void {
  if (MOVES.test(frame.scope.entry.origin.source.slice(pos, end))) frame.places = undefined;
}

const MOVES = /(?<![\w-])(?:cd|pushd|popd)(?![\w-])/;

function walkAndOr(node: AndOr, frame: Frame, out: Collector): void {
  for (const [index, command] of node.commands.entries()) {
    const before = frame.places;
    walkNode(command, frame, out);
    // `cd x || y`: y runs where cd failed, and what follows may be in either place.
    if (node.operators[index] === "||") frame.places = union(before, frame.places);
  }
}

function walkDefinition(node: FunctionNode | Coproc, frame: Frame, out: Collector): void {
  addDoubt(out, node.type === "Coproc" ? "coprocess" : "definition", sinkFor(frame).span(node.pos, node.end), "");
  const wanders = node.type === "Function" && MOVES.test(frame.scope.entry.origin.source);
  const inner: Frame = { places: wanders ? undefined : frame.places, stdin: UNKNOWN, scope: frame.scope };
  const before = out.units.length;
  if (node.body.type === "CompoundList") walkList(node.body, inner, out);
  else walkNode(node.body, inner, out);
  if (node.type === "Coproc") keyword(node, node.body, unitFrom(before, frame, out), frame, out);
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
  if (node.name) tokens.push(readArgument(node.name, sink));
  for (const part of node.prefix) {
    if (part.type === "Assignment") assigns = [...assigns, readAssignment(part, sink)];
    else redirected = true;
  }
  for (const part of node.suffix) {
    if (part.type !== "Word" && part.type !== "Assignment") {
      redirected = true;
      continue;
    }
    tokens.push(part.type === "Word" ? readArgument(part, sink) : assignmentToken(part, sink));
    raw += ` ${part.text}`;
  }
  const { start, end } = sink.span(node.pos, node.end);
  const stdin = (redirected ? redirects(node.redirects, frame, out) : undefined) ?? frame.stdin;
  const program = programOf(tokens[0], out.foldCase);
  const unit: Unit = {
    kind: entry.origin.fixed ? "nested" : "command",
    tokens,
    program,
    known: knownProgram(program),
    assigns,
    start,
    end,
    raw,
    stdin,
    places: frame.places,
    certain: entry.certain,
    parent: entry.parent,
    depth: entry.depth,
  };
  out.units.push(unit);
  const places = placesAfter(unit, frame.places);
  // `c\d x`: loops and functions look for the word itself.
  const [first] = tokens;
  if (first && places !== frame.places && !MOVES.test(first.raw)) addDoubt(out, "disagreement", { start, end }, raw);
  frame.places = places;
  const before = out.units.length;
  out.found(unit);
  if (out.units.length > before && movedBy(out.units, before, unit)) frame.places = undefined;
}

const NO_ASSIGNS: readonly Assign[] = [];
