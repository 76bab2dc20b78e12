/** Tool names and input keys across dialects [E3]. */
import { lookup, own, type JsonObject } from "../lib/json.ts";
import { lazy } from "../lib/lazy.ts";
import { TOOLS, type ToolCall, type ToolName } from "../model/tools.ts";
import type { Dialect, ToolSpelling } from "./dialect.ts";
import { DIALECT_LIST } from "./index.ts";

/** A list of keys, as it is gone through for every call. */
export type Pairs = readonly (readonly [key: string, value: string])[];

interface Spelled {
  readonly tool: ToolName;
  readonly spelling: ToolSpelling;
  /** Canonical keys and how this spelling has them. */
  readonly keys: Pairs;
  readonly fixed: Pairs;
}

const toolNames = lazy((): readonly ToolName[] => Object.keys(TOOLS).filter((name): name is ToolName => Object.hasOwn(TOOLS, name)));

/** Every spelling of every tool: the first row of a name is the one taken when nothing tells them apart. */
const bySpelling = lazy((): ReadonlyMap<string, readonly Spelled[]> => indexSpellings());

/** Names of which only a fixed key tells which tool is meant. */
const ambiguous = lazy(
  (): ReadonlySet<string> => new Set([...bySpelling()].filter(([, rows]) => rows.some(({ fixed }) => fixed.length > 0)).map(([name]) => name)),
);

const spellings = lazy(
  (): ReadonlyMap<ToolName, readonly string[]> =>
    new Map(toolNames().map((tool) => [tool, [...bySpelling()].filter(([, rows]) => rows.some((row) => row.tool === tool)).map(([name]) => name)])),
);

/** Every pair of a canonical key and a dialect's own, for each tool in the order of dialects. */
const keyPairs = lazy((): ReadonlyMap<ToolName, Pairs> => new Map(toolNames().map((tool) => [tool, keysOf(tool)])));

function keysOf(tool: ToolName): Pairs {
  const pairs = DIALECT_LIST.flatMap((dialect) => Object.entries(dialect.tools[tool]?.keys ?? {}));
  return [...new Map(pairs.map((pair) => [pair.join(" "), pair])).values()];
}

/** Canonical input keys of a tool, each with every other spelling that some dialect has for it. */
export function keySpellings(tool: ToolName): Pairs {
  return keyPairs().get(tool) ?? NO_PAIRS;
}

/** The canonical name of a tool in any dialect's spelling; undefined when it is in no table. */
export function canonicalName(name: string, input?: JsonObject): ToolName | undefined {
  return rowsFor(name, input)[0]?.tool;
}

/** A call with its canonical name, and the canonical input keys beside the given ones; itself when it has them all. */
export function canonicalCall(call: ToolCall): ToolCall {
  const rows = rowsFor(call.name, call.input);
  const tool = rows[0]?.tool;
  if (tool === undefined) return call;
  let { input } = call;
  for (const { keys } of rows) input = withKeys(input, keys);
  input = withKeys(input, keySpellings(tool));
  return tool === call.name && input === call.input ? call : { name: tool, input };
}

/** The input with the canonical keys it lacks, copied only when it lacks one. */
function withKeys(input: JsonObject, keys: Pairs): JsonObject {
  let filled = input;
  for (const [canonical, key] of keys) {
    if (!Object.hasOwn(filled, canonical) && Object.hasOwn(input, key)) filled = { ...filled, [canonical]: own(input, key) };
  }
  return filled;
}

/** A call as a dialect shows it: its own name, and its input keys beside the canonical ones; itself when nothing differs. */
export function spelledCall(call: ToolCall, dialect: Dialect): ToolCall {
  const canonical = canonicalCall(call);
  const shown = shownIn(dialect).get(canonical.name);
  if (!shown) return canonical;
  let { input } = canonical;
  for (const [key, name] of shown.keys) if (Object.hasOwn(input, key) && !Object.hasOwn(input, name)) input = { ...input, [name]: own(input, key) };
  for (const [key, value] of shown.fixed) if (!Object.hasOwn(input, key)) input = { ...input, [key]: value };
  return shown.name === call.name && input === call.input ? call : { name: shown.name, input };
}

/** The name under which a dialect shows a call. */
export function spelledName(call: ToolCall, dialect: Dialect): string {
  return shownIn(dialect).get(canonicalName(call.name, call.input) ?? "")?.name ?? call.name;
}

/** Every name under which a matcher may know this tool; the dialect's own spelling first. */
export function matcherNames(call: ToolCall, dialect: Dialect): readonly string[] {
  const tool = canonicalName(call.name, call.input);
  if (tool === undefined) return [call.name];
  return [spelledName(call, dialect), ...(spellings().get(tool) ?? [])];
}

/** What tells calls apart that matchers may take for different tools: the name, and with an ambiguous name what it means. */
export function matcherKey({ name, input }: ToolCall): string {
  return ambiguous().has(name) ? `${name} as ${canonicalName(name, input)}` : name;
}

/** One tool as one dialect shows it. */
interface Shown {
  readonly name: string;
  readonly keys: Pairs;
  readonly fixed: Pairs;
}

const shownByDialect = new WeakMap<Dialect, ReadonlyMap<string, Shown>>();

/** Each tool as the dialect shows it: in its own spelling, else by the name that rules use. Worked out once. */
function shownIn(dialect: Dialect): ReadonlyMap<string, Shown> {
  const known = shownByDialect.get(dialect);
  if (known) return known;
  const shown = new Map<string, Shown>(
    toolNames().map((tool) => {
      const spelling = lookup<ToolSpelling>(dialect.tools, tool) ?? { name: TOOLS[tool].ruleName };
      return [tool, { name: spelling.name, keys: Object.entries(spelling.keys ?? {}), fixed: Object.entries(spelling.fixed ?? {}) }];
    }),
  );
  shownByDialect.set(dialect, shown);
  return shown;
}

const NO_ROWS: readonly Spelled[] = [];
const NO_PAIRS: Pairs = [];

function rowsFor(name: string, input: JsonObject | undefined): readonly Spelled[] {
  const rows = bySpelling().get(name) ?? NO_ROWS;
  if (!ambiguous().has(name)) return rows;
  const told = rows.filter(({ fixed }) => fixed.every(([key, value]) => input !== undefined && own(input, key) === value));
  return told.length > 0 ? told : rows;
}

function indexSpellings(): Map<string, Spelled[]> {
  const index = new Map<string, Spelled[]>();
  const add = (name: string, tool: ToolName, spelling: ToolSpelling): void => {
    const row: Spelled = { tool, spelling, keys: Object.entries(spelling.keys ?? {}), fixed: Object.entries(spelling.fixed ?? {}) };
    index.set(name, [...(index.get(name) ?? []), row]);
  };
  for (const tool of toolNames()) {
    add(tool, tool, { name: tool });
    for (const dialect of DIALECT_LIST) {
      const spelling = dialect.tools[tool];
      for (const name of spelling ? [spelling.name, ...(spelling.also ?? [])] : []) {
        if (spelling && !(index.get(name) ?? []).some((row) => row.tool === tool && row.spelling.fixed === spelling.fixed)) add(name, tool, spelling);
      }
    }
  }
  return index;
}
