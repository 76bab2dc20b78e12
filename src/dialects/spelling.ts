/** Tool names and input keys across dialects [E3]. */
import { lookup, own, type JsonObject } from "../lib/json.ts";
import { TOOLS, type ToolCall, type ToolName, type ToolRow } from "../model/tools.ts";
import type { Dialect, ToolSpelling } from "./dialect.ts";
import { DIALECT_LIST } from "./index.ts";

/** A list of keys, as it is gone through for every call. */
type Pairs = readonly (readonly [key: string, value: string])[];

interface Spelled {
  readonly tool: ToolName;
  readonly spelling: ToolSpelling;
  /** Canonical keys and how this spelling has them. */
  readonly keys: Pairs;
  readonly fixed: Pairs;
}

const TOOL_NAMES: readonly ToolName[] = Object.keys(TOOLS).filter((name): name is ToolName => Object.hasOwn(TOOLS, name));

/** Every spelling of every tool: the first row of a name is the one taken when nothing tells them apart. */
const BY_SPELLING: ReadonlyMap<string, readonly Spelled[]> = indexSpellings();

/** Names of which only a fixed key tells which tool is meant. */
const AMBIGUOUS: ReadonlySet<string> = new Set([...BY_SPELLING].filter(([, rows]) => rows.some(({ fixed }) => fixed.length > 0)).map(([name]) => name));

const SPELLINGS: ReadonlyMap<ToolName, readonly string[]> = new Map(
  TOOL_NAMES.map((tool) => [tool, [...BY_SPELLING].filter(([, rows]) => rows.some((row) => row.tool === tool)).map(([name]) => name)]),
);

/** Every pair of a canonical key and a dialect's own, for each tool in the order of dialects. */
const KEYS: ReadonlyMap<ToolName, Pairs> = new Map(
  TOOL_NAMES.map((tool) => {
    const pairs = DIALECT_LIST.flatMap((dialect) => Object.entries(dialect.tools[tool]?.keys ?? {}));
    return [tool, [...new Map(pairs.map((pair) => [pair.join(" "), pair])).values()]];
  }),
);

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
  input = withKeys(input, KEYS.get(tool) ?? NO_PAIRS);
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

/** A call as a dialect shows it: its own name, and its input keys beside the canonical ones. */
export function spelledCall(call: ToolCall, dialect: Dialect): ToolCall {
  const canonical = canonicalCall(call);
  const spelling = lookup<ToolSpelling>(dialect.tools, canonical.name);
  if (!spelling) return { name: lookup<ToolRow>(TOOLS, canonical.name)?.ruleName ?? call.name, input: canonical.input };
  const input: { [key: string]: unknown } = { ...canonical.input };
  for (const [key, name] of Object.entries(spelling.keys ?? {})) if (Object.hasOwn(input, key) && !Object.hasOwn(input, name)) input[name] = input[key];
  for (const [key, value] of Object.entries(spelling.fixed ?? {})) if (!Object.hasOwn(input, key)) input[key] = value;
  return { name: spelling.name, input };
}

/** Every name under which a matcher may know this tool; the dialect's own spelling first. */
export function matcherNames(call: ToolCall, dialect: Dialect): readonly string[] {
  const tool = canonicalName(call.name, call.input);
  if (tool === undefined) return [call.name];
  return [spelledCall(call, dialect).name, ...(SPELLINGS.get(tool) ?? [])];
}

const NO_ROWS: readonly Spelled[] = [];
const NO_PAIRS: Pairs = [];

function rowsFor(name: string, input: JsonObject | undefined): readonly Spelled[] {
  const rows = BY_SPELLING.get(name) ?? NO_ROWS;
  if (!AMBIGUOUS.has(name)) return rows;
  const told = rows.filter(({ fixed }) => fixed.every(([key, value]) => input !== undefined && own(input, key) === value));
  return told.length > 0 ? told : rows;
}

function indexSpellings(): Map<string, Spelled[]> {
  const index = new Map<string, Spelled[]>();
  const add = (name: string, tool: ToolName, spelling: ToolSpelling): void => {
    const row: Spelled = { tool, spelling, keys: Object.entries(spelling.keys ?? {}), fixed: Object.entries(spelling.fixed ?? {}) };
    index.set(name, [...(index.get(name) ?? []), row]);
  };
  for (const tool of TOOL_NAMES) {
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
