import { own } from "../lib/json.ts";
import type { ToolCall } from "../model/tools.ts";
import type { Rule } from "../model/rule.ts";
import { RULE_TOOLS, type FileTool } from "./file-tools.ts";
import { SILENCE, speak, speakAll, type Findings, type Said } from "./findings.ts";
import { earlier, hearName } from "./judge-other.ts";
import type { Doubt, JudgedCommand } from "./judgement.ts";
import { findPaths, type PathIndex, type PathQuery } from "./path-index.ts";
import { foldPath, resolvePath, type ResolvedPath } from "./paths.ts";
import { placedPaths } from "./placement.ts";
import type { CompiledRule, PolicyTable } from "./policy-table.ts";
import { protectedBy } from "./protected.ts";
import type { Policy } from "./rules.ts";
import type { Scene } from "./scene.ts";

/** Judges a call of a file tool by the path it names. */
export function judgeFile(call: ToolCall, policy: Policy, scene: Scene): Findings {
  const tool = toFileTool(call.name);
  const value = tool === "grep" ? (own(call.input, "path") ?? scene.cwd) : own(call.input, "file_path");
  const path = typeof value === "string" ? resolvePath(value, scene) : undefined;
  let deny: Said;
  let ask: Said;
  let allow: Rule | undefined;
  for (const table of policy.tables) {
    deny = hearFile({ table, verdict: "deny", tool, recursive: false, scene }, path, deny);
    ask = hearFile({ table, verdict: "ask", tool, recursive: false, scene }, path, ask);
    allow ??= allowFile(table, tool, path, scene)?.rule;
  }
  const writes = tool === "write" || tool === "edit";
  const protects = writes && path ? protectedBy(path, scene) : undefined;
  return { deny: deny ?? SILENCE, ask: ask ?? SILENCE, allow, protects, commands: NO_COMMANDS, doubts: path?.certain ? NO_DOUBTS : [pathDoubt(value)] };
}

const NO_COMMANDS: readonly JudgedCommand[] = [];
const NO_DOUBTS: readonly Doubt[] = [];

function toFileTool(name: string): FileTool {
  return name === "read" || name === "write" || name === "edit" ? name : "grep";
}

function pathDoubt(value: unknown): Doubt {
  const text = typeof value === "string" ? value : "";
  return {
    construct: "a path that can't be resolved",
    start: 0,
    end: text.length,
    why: "it is missing, empty, endless or names an open file",
    advice: "give the plain path of the file",
  };
}

/** One question to the strict rules about files. */
export interface FileQuestion {
  readonly table: PolicyTable;
  readonly verdict: "deny" | "ask";
  readonly tool: FileTool;
  readonly recursive: boolean;
  readonly scene: Scene;
}

/** Notes every deny or ask rule that speaks about the file; a path that can't be known may be any. */
export function hearFile({ table, verdict, tool, recursive, scene }: FileQuestion, path: ResolvedPath | undefined, said: Said): Said {
  const rules = table[verdict];
  let heard = said;
  for (const name of rules.aboutFiles[tool]) {
    const set = rules.tools.get(name);
    heard = hearName(rules, name, heard);
    if (set === undefined || set.patterned.length === 0) continue;
    if (!path?.certain) {
      heard = speakAll(heard, set.patterned);
      continue;
    }
    const index = placedPaths(table, scene)[name][verdict];
    for (const form of path.forms) {
      findPaths(index, foldPath(form, scene.platform), recursive ? TREE : ONE, (compiled, match) => void (heard = speak(heard, compiled, match)));
    }
  }
  return heard;
}

const EXACTLY: PathQuery = { covers: false, recursive: false };
const ONE: PathQuery = { covers: true, recursive: false };
const TREE: PathQuery = { covers: true, recursive: true };

/** The first allow rule that covers the file wherever its links lead. */
export function allowFile(table: PolicyTable, tool: FileTool, path: ResolvedPath | undefined, scene: Scene): CompiledRule | undefined {
  let first: CompiledRule | undefined;
  for (const name of RULE_TOOLS[tool].allow) {
    const set = table.allow.tools.get(name);
    if (set === undefined) continue;
    first = earlier(first, set.any[0]);
    if (path?.certain && set.patterned.length > 0) first = earlier(first, allowingPath(placedPaths(table, scene)[name].allow, path));
  }
  return first;
}

function allowingPath(index: PathIndex<CompiledRule>, { real }: ResolvedPath): CompiledRule | undefined {
  let first: CompiledRule | undefined;
  const [one, other] = real;
  const both = other === undefined ? undefined : surely(index, other);
  // A path with reserved characters may match, but never surely.
  findPaths(index, one, EXACTLY, (compiled, match) => {
    if (match === "yes" && both?.has(compiled) !== false) first = earlier(first, compiled);
  });
  return first;
}

function surely(index: PathIndex<CompiledRule>, path: string): ReadonlySet<CompiledRule> {
  const found = new Set<CompiledRule>();
  findPaths(index, path, EXACTLY, (compiled, match) => match === "yes" && found.add(compiled));
  return found;
}
