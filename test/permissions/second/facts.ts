import { createRequire } from "node:module";
import { Language, Parser, type Node } from "web-tree-sitter";
import { SHELLS } from "./tables.ts";
import { isHoled } from "./globs.ts";
import { readWord, type Word } from "./words.ts";

/** One simple command as it stands in the text, or as a wrapper starts it. */
export interface Command extends Moment {
  readonly words: readonly Word[];
  /** The names of the assignments before it. */
  readonly assigned: readonly string[];
  readonly source: string;
}

/** A file that a redirection opens. */
export interface Target extends Moment {
  readonly use: "read" | "write";
  readonly word: Word;
}

/** Everything that a text does, as far as it can be seen. */
export interface Facts {
  readonly commands: Command[];
  readonly targets: Target[];
  /** Assignments that stand alone. */
  readonly assigned: string[];
  /** What makes it unknown what runs: any deny may be met. */
  readonly doubts: string[];
  /** Code in another language: any deny may be met, an allow of the program covers it. */
  readonly opaque: string[];
  /** What only keeps an allow from covering the text. */
  readonly loose: string[];
  /** This parser could not read the text; bash might. */
  unparsed: boolean;
}

/** Nodes within nodes, before a text counts as unreadable. */
const DEPTH_LIMIT = 500;

await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(createRequire(import.meta.url).resolve("tree-sitter-bash/tree-sitter-bash.wasm")));

/** Reads a script with the grammar of tree-sitter-bash. */
export function readScript(text: string, parent?: Command): Facts {
  // What `eval` changes stays in this shell, what another shell changes does not.
  const scope = parent === undefined ? "" : parent.words[0]?.text === "eval" ? parent.scope : `${parent.scope}/${parent.order}`;
  const clock: Clock = {
    scope,
    before: parent === undefined ? "" : `${parent.order}.`,
    count: 0,
    depth: 0,
    loop: parent?.loop ?? "",
    trail: parent?.trail ?? [],
  };
  const facts: Facts = { commands: [], targets: [], assigned: [], doubts: [], opaque: [], loose: [], unparsed: false };
  // Behind a pipe `time` is a program, in front of one a keyword: this grammar can't tell. A line that begins with a backslash it takes for the last one's end.
  if (
    isHoled(text) ||
    /\\[\r\n\t]|[\0\r\v\f]|\p{Surrogate}|\$(?=[\s;&|)'"]|$)|\$\{[^}]*\$\(\(|-\s*\d+[<>]|\|&?\s*time\s+(?:-p\s+)?\w+\+?=|\n\s*\\|(?:^|\s)\\ /u.test(text)
  )
    facts.unparsed = true;
  const tree = parser.parse(text);
  if (tree === null) return { ...facts, unparsed: true };
  if (tree.rootNode.hasError) facts.unparsed = true;
  visit(tree.rootNode, facts, clock);
  tree.delete();
  return facts;
}

/** Where and when in the text: inner things come before the command they stand in. */
interface Clock {
  readonly trail: readonly Spot[];
  readonly scope: string;
  readonly loop: string;
  readonly before: string;
  count: number;
  depth: number;
}

/** A place in a script: the text as a whole, or one inside it. */
interface Spot {
  readonly script: string;
  readonly at: number;
}

interface Moment {
  /** The command's place, behind those of the commands that start it. */
  readonly trail: readonly Spot[];
  /** Where it is certain to have succeeded: the other side of `&&`. */
  readonly certainIn?: { readonly script: string; readonly from: number; readonly to: number };
  readonly scope: string;
  readonly loop: string;
  readonly order: string;
}

function visit(node: Node, facts: Facts, clock: Clock, scope = clock.scope, loop = clock.loop): void {
  if (clock.depth > DEPTH_LIMIT) {
    facts.unparsed = true;
    return;
  }
  clock.depth += 1;
  const inner = APART.includes(node.type) ? `${scope}/${node.id}` : scope;
  const around = loop === "" && AGAIN.includes(node.type) ? String(node.id) : loop;
  // Files are opened before what stands in front of them runs.
  const children = node.type === "redirected_statement" ? node.namedChildren.toReversed() : node.namedChildren;
  for (const child of children) if (child !== null) visit(child, facts, clock, isApart(child) ? `${inner}/${child.id}` : inner, around);
  clock.depth -= 1;
  clock.count += 1;
  VISITS[node.type]?.(node, facts, {
    scope,
    loop,
    order: clock.before + String(clock.count).padStart(6, "0"),
    trail: [...clock.trail, { script: clock.before, at: node.startIndex }],
    ...succeeded(node, clock.before),
  });
}

/** A part of a pipeline and what runs in the background move nobody else. */
function isApart(child: Node): boolean {
  return child.parent?.type === "pipeline" || child.nextSibling?.type === "&";
}

/** `cd x && …`: the text behind the operator runs only when the command succeeded. */
function succeeded(node: Node, script: string): Pick<Moment, "certainIn"> {
  for (let one: Node = node, parent = one.parent; parent?.type === "list" && parent.children[1]?.type === "&&"; one = parent, parent = one.parent) {
    const [left, right] = [parent.namedChildren[0], parent.namedChildren.at(-1)];
    if (left?.id === one.id && right) return { certainIn: { script, from: right.startIndex, to: right.endIndex } };
  }
  return {};
}

/** What stands in these may run again, so that later comes before earlier. */
const AGAIN = ["while_statement", "for_statement", "c_style_for_statement", "function_definition"];
/** What happens in these stays in these. */
const APART = ["subshell", "command_substitution", "process_substitution", "pipeline"];

const VISITS: Readonly<Record<string, (node: Node, facts: Facts, moment: Moment) => void>> = {
  command: simple,
  declaration_command: declared,
  unset_command: declared,
  test_command: (node, facts) => {
    if (/-v\b|-(?:eq|ne|lt|le|gt|ge)\b|==|=~/.test(node.text) && node.text.startsWith("[[")) facts.loose.push("a test that evaluates names");
    if (/\[\$\(|\[`/.test(node.text)) facts.doubts.push("a subscript that runs commands");
  },
  variable_assignment: (node, facts) => {
    if (node.parent?.type !== "command" && node.parent?.type !== "declaration_command") facts.assigned.push(assignedName(node));
  },
  function_definition: (_node, facts) => void facts.loose.push("a function definition"),
  file_redirect: redirected,
  expansion: (node, facts) => {
    if (/^\$\{[!]|@[A-Za-z]\}$|^\$\{\w+:?=/.test(node.text)) facts.loose.push("an expansion that evaluates or assigns");
    if (/^\$\{[!#]?\w+\[[^@*\d]/.test(node.text)) facts.loose.push("a subscript that is evaluated");
    if (/\$\(|`/.test(node.text) && node.descendantsOfType("command_substitution").length === 0) facts.unparsed = true;
    if (node.text.endsWith("@P}")) facts.doubts.push("an expansion that runs its value");
  },
  arithmetic_expansion: (node, facts) => {
    if (/[A-Za-z_]/.test(node.text.replaceAll(/0x[\da-f]+/gi, "").replaceAll(/\$\(.*\)/gs, ""))) facts.loose.push("arithmetic on names");
  },
  command_substitution: (node, facts) => {
    // Bash takes `$((` for arithmetic where it can, this grammar not always.
    if (node.text.startsWith("$((") || (node.text.startsWith("`") && node.text.includes("\\"))) facts.unparsed = true;
  },
  heredoc_body: (node, facts) => {
    if (/["'\\]/.test(node.parent?.namedChildren.find((child) => child?.type === "heredoc_start")?.text ?? "")) return;
    // It takes arithmetic in here for a command.
    if (node.text.includes("$((")) facts.unparsed = true;
    if (/`|\$\(/.test(node.text) && node.descendantsOfType("command_substitution").length === 0) facts.unparsed = true;
  },
  heredoc_end: (node, facts) => {
    // The grammar takes a line that only begins with the delimiter for the last one.
    if (!/^(?:\n|$)/.test(node.tree.rootNode.text.slice(node.endIndex))) facts.unparsed = true;
  },
};

function simple(node: Node, facts: Facts, moment: Moment): void {
  const words: Word[] = [];
  const assigned: string[] = [];
  const prefixes: string[] = [];
  for (const child of node.namedChildren) {
    if (child === null) continue;
    if (child.type === "variable_assignment") {
      assigned.push(assignedName(child));
      prefixes.push(child.text);
    }
    if (child.type !== "variable_assignment" && !child.type.endsWith("_redirect")) words.push(...readWord(child.text));
  }
  words.push(...strays(node));
  facts.commands.push({ words, assigned, source: [...prefixes, ...words.map(({ raw }) => raw)].join(" "), ...moment });
  const program = words[0]?.text.split("/").at(-1) ?? "";
  if (SHELLS.includes(program) && assigned.some((name) => /^(?:BASH_ENV|ENV)$/.test(name))) facts.doubts.push("a file that the shell reads first");
}

function declared(node: Node, facts: Facts, moment: Moment): void {
  const words = node.children.flatMap((child) => (child === null ? [] : readWord(child.text)));
  facts.commands.push({ words, assigned: [], source: node.text, ...moment });
}

/** Words behind a redirection's target: the grammar hangs them on the redirection, the shell gives them to the command. */
function strays(node: Node): readonly Word[] {
  const parent = node.parent;
  const redirects = [...node.namedChildren, ...(parent?.type === "redirected_statement" ? parent.namedChildren : [])];
  return redirects
    .flatMap((child) =>
      child?.type === "file_redirect" || child?.type === "heredoc_redirect" ? destinations(child).slice(child.type === "file_redirect" ? 1 : 0) : [],
    )
    .flatMap((one) => readWord(one.text));
}

function destinations(node: Node): readonly Node[] {
  if (node.type === "heredoc_redirect") return node.childrenForFieldName("argument").filter((child) => child !== null);
  return node.childrenForFieldName("destination").filter((child) => child !== null);
}

function redirected(node: Node, facts: Facts, moment: Moment): void {
  const operator = node.children.find((child) => child !== null && /^[<>&|]+-?$/.test(child.type))?.type ?? ">";
  const target = destinations(node)[0];
  if (target === undefined) return;
  if (operator.endsWith("&") && /^(?:\d+-?|-)$/.test(target.text)) return;
  const words = readWord(target.text);
  if (target.type === "process_substitution") return;
  const body = node.parent?.type === "command" ? node.parent : node.parent?.childForFieldName("body");
  if (destinations(node).length > 1 && body?.type !== "command") facts.unparsed = true;
  for (const word of words) {
    if (operator === "<" || operator === "<>" || operator === "<&") facts.targets.push({ use: "read", word, ...moment });
    if (operator !== "<" && operator !== "<&") facts.targets.push({ use: "write", word, ...moment });
  }
}

function assignedName(node: Node): string {
  return /^\w+/.exec(node.text)?.[0] ?? node.text;
}
