import { beginsWithHole, hasHole } from "../holes.ts";
import { interpreterOf } from "./interpreters.ts";
import { wordAt, type Unit } from "./tree.ts";
import type { Collector } from "./walk-scope.ts";

/** Adds the doubts that only the whole text shows: values that turn into code, and programs that it writes itself. */
export function addWholeDoubts(text: string, out: Collector): void {
  const evaluator = evaluates(out);
  if (evaluator && ((QUOTED_BRACKET.test(text) && QUOTED_DOLLAR.test(text)) || (out.units.some(decodes) && out.units.some(sets))))
    doubt(out, "arithmetic-code", evaluator);
  const setter = out.units.find(setsUnknown);
  if (setter && out.units.some(traces)) doubt(out, "steering", setter);
  const mover = MOVED_HOME.test(text) ? out.units.find(goesHome) : undefined;
  if (mover) doubt(out, "steering", mover);
  laterPlaces(out);
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
function evaluates(out: Collector): Span | undefined {
  return (
    out.doubts.find(({ kind }) => kind === "arithmetic") ??
    out.units.find((unit) => {
      const option = EVALUATORS.get(wordAt(unit.tokens, 0));
      return option !== undefined && unit.tokens.some(({ value }) => option.test(value)) && unit.tokens.some(({ dynamic }) => dynamic);
    })
  );
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
function traces({ tokens }: Unit): boolean {
  const program = wordAt(tokens, 0);
  if (program === "set") return tokens.some(({ value }) => /^-\w*x|^xtrace$/.test(value) || hasHole(value));
  return interpreterOf(program.slice(program.lastIndexOf("/") + 1))?.language === "shell";
}

/** What a trap or an alias does, it does where the shell is by then. */
function laterPlaces(out: Collector): void {
  if (!out.units.some(({ tokens }) => /^(?:cd|pushd|popd)$/.test(wordAt(tokens, 0)))) return;
  for (const use of out.uses.slice()) {
    for (let one = use.unit; one; one = one.parent) {
      if (/^(?:trap|alias)$/.test(wordAt(one.tokens, 0))) out.uses.push({ ...use, places: undefined, certain: false });
    }
  }
}

/** A file that the text writes and then starts holds commands that nobody has read. */
function writtenPrograms(out: Collector): void {
  const written = new Set(out.uses.filter(({ access }) => access === "write").map(({ token }) => baseName(token.value)));
  if (written.size === 0) return;
  for (const unit of out.units) {
    const first = unit.tokens[0];
    if (first && written.has(baseName(first.value))) doubt(out, "written-program", first, unit);
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
