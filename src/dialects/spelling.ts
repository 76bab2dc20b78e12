/** Tool names and input keys across dialects [E3]. */
import { lookup, own, type JsonObject } from "../lib/json.ts";
import { TOOLS, type ToolCall, type ToolName, type ToolRow } from "../model/tools.ts";
import type { Dialect, ToolSpelling } from "./dialect.ts";
import { DIALECT_LIST } from "./index.ts";

interface Spelled {
  readonly tool: ToolName;
  readonly spelling: ToolSpelling;
}

const TOOL_NAMES: readonly ToolName[] = Object.keys(TOOLS).filter((name): name is ToolName => Object.hasOwn(TOOLS, name));

/** Every spelling of every tool: the first row of a name is the one taken when nothing tells them apart. */
const BY_SPELLING: ReadonlyMap<string, readonly Spelled[]> = indexSpellings();

const SPELLINGS: ReadonlyMap<ToolName, readonly string[]> = new Map(
  TOOL_NAMES.map((tool) => [tool, [...BY_SPELLING].filter(([, rows]) => rows.some((row) => row.tool === tool)).map(([name]) => name)]),
);

/** The canonical name of a tool in any dialect's spelling; undefined when it is in no table. */
export function canonicalName(name: string, input?: JsonObject): ToolName | undefined {
  return rowsFor(name, input)[0]?.tool;
}

/** A call with its canonical name, and the canonical input keys beside the given ones. */
export function canonicalCall(call: ToolCall): ToolCall {
  const rows = rowsFor(call.name, call.input);
  const tool = rows[0]?.tool;
  if (tool === undefined) return call;
  const input: { [key: string]: unknown } = { ...call.input };
  const spellings = DIALECT_LIST.flatMap((dialect) => dialect.tools[tool] ?? []);
  for (const { keys } of [...rows.map((row) => row.spelling), ...spellings]) {
    for (const [canonical, key] of Object.entries(keys ?? {})) {
      if (!Object.hasOwn(input, canonical) && Object.hasOwn(call.input, key)) input[canonical] = own(call.input, key);
    }
  }
  return { name: tool, input };
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

function rowsFor(name: string, input: JsonObject | undefined): readonly Spelled[] {
  const rows = BY_SPELLING.get(name) ?? [];
  const told = rows.filter(({ spelling }) => Object.entries(spelling.fixed ?? {}).every(([key, value]) => input !== undefined && own(input, key) === value));
  return told.length > 0 ? told : rows;
}

function indexSpellings(): Map<string, Spelled[]> {
  const index = new Map<string, Spelled[]>();
  const add = (name: string, row: Spelled): void => void index.set(name, [...(index.get(name) ?? []), row]);
  for (const tool of TOOL_NAMES) {
    add(tool, { tool, spelling: { name: tool } });
    for (const dialect of DIALECT_LIST) {
      const spelling = dialect.tools[tool];
      for (const name of spelling ? [spelling.name, ...(spelling.also ?? [])] : []) {
        if (spelling && !(index.get(name) ?? []).some((row) => row.tool === tool && row.spelling.fixed === spelling.fixed)) add(name, { tool, spelling });
      }
    }
  }
  return index;
}
