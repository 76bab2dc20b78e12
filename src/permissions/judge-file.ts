import { own } from "../lib/json.ts";
import type { ToolCall } from "../model/tools.ts";
import type { Rule } from "../model/rule.ts";
import { speak, type Findings } from "./findings.ts";
import { hearName } from "./judge-other.ts";
import type { Doubt } from "./judgement.ts";
import { findPaths, type PathIndex, type PathQuery } from "./path-index.ts";
import { foldPath, resolvePath, type ResolvedPath } from "./paths.ts";
import { placedPaths, type FileTool } from "./placement.ts";
import type { CompiledRule, PolicyTable, VerdictTable } from "./policy-table.ts";
import { protectedBy } from "./protected.ts";
import type { Policy } from "./rules.ts";
import type { Scene } from "./scene.ts";

/** Whose rules speak about a use of a file: a Write rule also covers edits, a deny of either covers both. */
// prettier-ignore
export const RULE_TOOLS = {
  read:  { strict: ["read"],          allow: ["read"] },
  grep:  { strict: ["grep", "read"],  allow: ["grep"] },
  write: { strict: ["write", "edit"], allow: ["write"] },
  edit:  { strict: ["edit", "write"], allow: ["edit", "write"] },
} as const satisfies Record<FileTool, { readonly strict: readonly FileTool[]; readonly allow: readonly FileTool[] }>;

type Said = Map<CompiledRule, "yes" | "maybe">;

/** Judges a call of a file tool by the path it names. */
export function judgeFile(call: ToolCall, policy: Policy, scene: Scene): Findings {
  const tool = toFileTool(call.name);
  const value = tool === "grep" ? (own(call.input, "path") ?? scene.cwd) : own(call.input, "file_path");
  const path = typeof value === "string" ? resolvePath(value, scene) : undefined;
  let deny = SILENCE;
  let ask = SILENCE;
  let allow: Rule | undefined;
  for (const table of policy.tables) {
    if (concernsFile(table.deny, tool)) hearFile({ table, verdict: "deny", tool, path, recursive: false, scene }, deny === SILENCE ? (deny = new Map()) : deny);
    if (concernsFile(table.ask, tool)) hearFile({ table, verdict: "ask", tool, path, recursive: false, scene }, ask === SILENCE ? (ask = new Map()) : ask);
    allow ??= allowFile(table, tool, path, scene)?.rule;
  }
  const writes = tool === "write" || tool === "edit";
  const protects = writes && path ? protectedBy(path, scene) : undefined;
  return { deny, ask, allow, protects, commands: [], doubts: path?.certain ? NO_DOUBTS : [pathDoubt(value)] };
}

const NO_DOUBTS: readonly Doubt[] = [];
/** Nobody spoke; never written to. */
const SILENCE: Said = new Map();

/** Whether a table has any rule about such a use of files. */
export function concernsFile(rules: VerdictTable, tool: FileTool): boolean {
  if (rules.globs.length > 0) return true;
  for (const name of RULE_TOOLS[tool].strict) if (rules.tools.has(name)) return true;
  return false;
}

function toFileTool(name: string): FileTool {
  return name === "read" || name === "write" || name === "edit" ? name : "grep";
}

function pathDoubt(value: unknown): Doubt {
  const text = typeof value === "string" ? value : "";
  return { construct: "a path that can't be resolved", start: 0, end: text.length, why: "it is missing, empty, endless or names an open file", advice: "give the plain path of the file" };
}

/** One question to the strict rules about a file. */
export interface FileQuestion {
  readonly table: PolicyTable;
  readonly verdict: "deny" | "ask";
  readonly tool: FileTool;
  readonly path: ResolvedPath | undefined;
  readonly recursive: boolean;
  readonly scene: Scene;
}

/** Notes every deny or ask rule that speaks about the file. */
export function hearFile({ table, verdict, tool, path, recursive, scene }: FileQuestion, voices: Said): void {
  const rules = table[verdict];
  for (const name of RULE_TOOLS[tool].strict) {
    const set = rules.tools.get(name);
    if (set === undefined && rules.globs.length === 0) continue;
    hearName(rules, name, voices);
    if (set === undefined || set.patterned.length === 0) continue;
    if (path === undefined) {
      for (const compiled of set.patterned) speak(voices, compiled, "maybe");
      continue;
    }
    const index = placedPaths(table, scene)[name][verdict];
    for (const form of path.forms) {
      findPaths(index, foldPath(form, scene.platform), recursive ? TREE : ONE, (compiled, match) => speak(voices, compiled, path.certain ? match : "maybe"));
    }
    if (!path.certain) for (const compiled of set.patterned) speak(voices, compiled, "maybe");
  }
}

const EXACTLY: PathQuery = { covers: false, recursive: false };
const ONE: PathQuery = { covers: true, recursive: false };
const TREE: PathQuery = { covers: true, recursive: true };

function allows(index: PathIndex<CompiledRule>, path: string, rule: CompiledRule): boolean {
  let found = false;
  findPaths(index, path, EXACTLY, (compiled, match) => {
    if (compiled === rule && match === "yes") found = true;
  });
  return found;
}

/** The first allow rule that covers the file wherever its links lead. */
export function allowFile(table: PolicyTable, tool: FileTool, path: ResolvedPath | undefined, scene: Scene): CompiledRule | undefined {
  let first: CompiledRule | undefined;
  const keep = (compiled: CompiledRule): void => {
    if (first === undefined || compiled.order < first.order) first = compiled;
  };
  for (const name of RULE_TOOLS[tool].allow) {
    const set = table.allow.tools.get(name);
    if (set === undefined) continue;
    for (const compiled of set.any) keep(compiled);
    if (path === undefined || !path.certain || set.patterned.length === 0) continue;
    const index = placedPaths(table, scene)[name].allow;
    const [one, ...others] = path.real;
    if (one === undefined) continue;
    findPaths(index, one, EXACTLY, (compiled, match) => {
      if (match === "yes" && others.every((real) => allows(index, real, compiled))) keep(compiled);
    });
  }
  return first;
}
