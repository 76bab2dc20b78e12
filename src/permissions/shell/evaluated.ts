import { beginsWithHole, hasHole } from "../holes.ts";
import { wordAt, type Unit } from "./tree.ts";
import type { Collector } from "./walk-scope.ts";

/** Adds the doubts that only the whole text shows: values that turn into code, and programs that it writes itself. */
export function addWholeDoubts(text: string, out: Collector): void {
  const roles = rolesIn(out.units);
  const evaluator = evaluates(roles, out);
  if (evaluator && ((QUOTED_BRACKET.test(text) && QUOTED_DOLLAR.test(text)) || (out.units.some(decodes) && out.units.some(sets))))
    doubt(out, "arithmetic-code", evaluator);
  const setter = has(roles, ROLE.names | ROLE.traces) ? out.units.find(setsUnknown) : undefined;
  if (setter && out.units.some(traces)) doubt(out, "steering", setter);
  const mover = MOVED_HOME.test(text) ? out.units.find(goesHome) : undefined;
  if (mover) doubt(out, "steering", mover);
  if (has(roles, ROLE.moves | ROLE.later)) laterPlaces(out);
  writtenPrograms(out);
}

/** The folders behind `~`, `~-` and `cd` are set, or may be. */
const MOVED_HOME = /(?<![\w${])(?:HOME|CDPATH|OLDPWD)(?!\w)/;

function goesHome({ tokens }: Unit): boolean {
  return tokens.some(({ raw, value }, at) => raw.startsWith("~") || /[=:]~/.test(raw) || (at === 0 && (value === "cd" || value === "pushd")));
}

type Span = Pick<Unit, "start" | "end">;

function doubt(out: Collector, kind: "arithmetic-code" | "steering" | "written-program", { start, end }: Span, unit?: Unit): void {
  out.doubts.push({ kind, start, end, detail: "", unit });
}

/** A `[` and a `$` or backtick in plain text, also as escapes: together they make a subscript that runs. */
const QUOTED_BRACKET = /'[^']*\[[^']*'|"[^"]*\[[^"]*"|\\\[|\\0?133|\\x5[bB]/;
const QUOTED_DOLLAR = /'[^']*[$`][^']*'|\\[$`]|\\0?44|\\x24|\\u0*24|\\0?140|\\x60|\\u0*60/;

/** Where the values of names are evaluated: arithmetic, and builtins that take a name with a subscript. */
function evaluates(roles: number, { doubts, units }: Collector): Span | undefined {
  const doubted = doubts.find(({ kind }) => kind === "arithmetic");
  if (doubted || !has(roles, ROLE.evaluates)) return doubted;
  return units.find((unit) => {
    const option = EVALUATORS.get(wordAt(unit.tokens, 0));
    return option !== undefined && unit.tokens.some(({ value }) => option.test(value)) && unit.tokens.some(({ dynamic }) => dynamic);
  });
}

/** Builtins that evaluate a subscript in their words, and the word with which they do. */
// prettier-ignore
const EVALUATORS: ReadonlyMap<string, RegExp> = new Map([
  ["let", /^/], ["test", /^-v$/], ["[", /^-v$/], ["printf", /^-v/], ["read", /^/], ["unset", /^/], ["declare", /^-\w*i|\[/], ["typeset", /^-\w*i|\[/], ["local", /^-\w*i|\[/], ["mapfile", /^/], ["readarray", /^/], ["wait", /^-p$/], ["getopts", /^/],
]);

/** Programs whose output need not look like what is written in the text. */
const DECODERS: ReadonlySet<string> = new Set(
  "base64 base32 basenc xxd od uudecode openssl gpg curl wget nc ncat socat ssh zcat gunzip gzip xz bzip2 bzcat xzcat rev".split(" "),
);

function decodes({ tokens }: Unit): boolean {
  const word = wordAt(tokens, 0);
  return DECODERS.has(word.slice(word.lastIndexOf("/") + 1));
}

const READERS: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "set", "export", "declare", "typeset", "local", "readonly"]);

/** Gives a name a value that is only known at run time. */
function sets({ tokens, assigns }: Unit): boolean {
  return READERS.has(wordAt(tokens, 0)) || assigns.some(({ value }) => value === undefined || value.dynamic);
}

const SETTERS: ReadonlySet<string> = new Set(["export", "declare", "typeset", "local", "readonly", "read", "printf", "mapfile", "readarray", "getopts"]);

/** Sets a name that is only known at run time: it may be one that bash takes for code. */
function setsUnknown({ tokens }: Unit): boolean {
  if (!SETTERS.has(wordAt(tokens, 0))) return false;
  const named =
    tokens[0]?.value === "printf"
      ? tokens.slice(tokens.findIndex(({ value }) => value === "-v") + 1).slice(0, tokens.some(({ value }) => value === "-v") ? 1 : 0)
      : tokens.slice(1);
  return named.some(({ value }) => beginsWithHole(value) || hasHole(value.replace(/=.*$/s, "")));
}

/** Traces its commands, or starts a shell: both read such variables. */
function traces({ tokens, program, known }: Unit): boolean {
  if (program === "set") return tokens.some(({ value }) => /^-\w*x|^xtrace$/.test(value) || hasHole(value));
  return known?.interpreter?.language === "shell";
}

/** What a command may do to those behind it, by its name: without such a command there is nothing to look for. One bit each. */
const ROLE = { evaluates: 1, names: 2, traces: 4, moves: 8, later: 16 } as const;

const ROLES: ReadonlyMap<string, number> = new Map([
  ...[...EVALUATORS.keys()].map((name): [string, number] => [name, SETTERS.has(name) ? ROLE.evaluates | ROLE.names : ROLE.evaluates]),
  ...["export", "readonly"].map((name): [string, number] => [name, ROLE.names]),
  ["set", ROLE.traces],
  ...["cd", "pushd", "popd"].map((name): [string, number] => [name, ROLE.moves]),
  ...["trap", "alias"].map((name): [string, number] => [name, ROLE.later]),
]);

function rolesIn(units: readonly Unit[]): number {
  let roles = 0;
  for (const { program, known } of units) {
    if (program !== undefined) roles |= ROLES.get(program) ?? 0;
    if (known?.interpreter?.language === "shell") roles |= ROLE.traces;
  }
  return roles;
}

function has(roles: number, wanted: number): boolean {
  return (roles & wanted) === wanted;
}

/** What a trap or an alias does, it does where the shell is by then. */
function laterPlaces(out: Collector): void {
  for (const use of out.uses.slice()) {
    for (let one = use.unit; one; one = one.parent) {
      if (/^(?:trap|alias)$/.test(wordAt(one.tokens, 0))) out.uses.push({ ...use, places: undefined, certain: false });
    }
  }
}

/** A file that the text writes and then starts holds commands that nobody has read. */
function writtenPrograms(out: Collector): void {
  let written: Set<string> | undefined;
  for (const { access, token } of out.uses) if (access === "write") (written ??= new Set()).add(baseName(token.value));
  if (written === undefined) return;
  for (const unit of out.units) {
    const first = unit.tokens[0];
    if (first && written.has(baseName(first.value))) doubt(out, "written-program", first, unit);
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
