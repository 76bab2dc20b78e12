import { own, lookup } from "../lib/json.ts";
import { TOOLS, type ToolCall } from "../model/tools.ts";
import { findCommands } from "./command-index.ts";
import { matchesDomain } from "./domain.ts";
import { speak, type Findings } from "./findings.ts";
import { commandPattern, matchesText } from "./glob.ts";
import { kindOf } from "./modes.ts";
import { EMPTY_SET, type CompiledRule, type PolicyTable, type RuleSet, type VerdictTable } from "./policy-table.ts";
import type { Policy } from "./rules.ts";
import type { Rule } from "../model/rule.ts";
import type { Scene } from "./scene.ts";

/** Judges a call of a tool that is neither the shell nor a file tool: by name, by text, by domain. */
export function judgeOther(call: ToolCall, policy: Policy, _scene: Scene): Findings {
  const deny = new Map<CompiledRule, "yes" | "maybe">();
  const ask = new Map<CompiledRule, "yes" | "maybe">();
  let allow: Rule | undefined;
  const argument = argumentOf(call);
  for (const table of policy.tables) {
    hear(table.deny, call.name, argument, deny);
    hear(table.ask, call.name, argument, ask);
    allow ??= allowing(table, call.name, argument)?.rule;
  }
  return { deny, ask, allow, protects: undefined, commands: [], doubts: [] };
}

function argumentOf({ name, input }: ToolCall): string | undefined {
  const key = lookup(TOOLS, name)?.argument;
  const value = key === null || key === undefined ? undefined : own(input, key);
  return typeof value === "string" ? value : undefined;
}

/** `mcp__server__tool` → `mcp__server`. */
function serverOf(name: string): string | undefined {
  const end = name.startsWith("mcp__") ? name.indexOf("__", 5) : -1;
  return end < 0 ? undefined : name.slice(0, end);
}

/** The sets that speak about a tool by its name: its own, and its server's. */
export function setsOf(table: VerdictTable, name: string): readonly RuleSet[] {
  const exact = table.tools.get(name);
  const server = serverOf(name);
  const wide = server === undefined ? undefined : table.tools.get(server);
  if (wide === undefined) return exact === undefined ? NO_SETS : [exact];
  return exact === undefined ? [wide] : [exact, wide];
}

const NO_SETS: readonly RuleSet[] = [];

/** Notes every deny or ask rule that names this tool by a star or is broken, or that has no pattern. */
export function hearName(table: VerdictTable, name: string, voices: Map<CompiledRule, "yes" | "maybe">): void {
  for (const compiled of table.globs) {
    if (compiled.broken) {
      if (kindOf(name) !== "read") speak(voices, compiled, "maybe");
    } else if (matchesText(commandPattern(compiled.tool), name)) {
      speak(voices, compiled, compiled.pattern === null ? "yes" : "maybe");
    }
  }
  hearSet(table.tools.get(name), voices);
  const server = serverOf(name);
  if (server !== undefined) hearSet(table.tools.get(server), voices);
}

function hearSet(set: RuleSet | undefined, voices: Map<CompiledRule, "yes" | "maybe">): void {
  if (set === undefined) return;
  for (const compiled of set.any) speak(voices, compiled, "yes");
  for (const compiled of set.broken) speak(voices, compiled, "maybe");
}

function hear(table: VerdictTable, name: string, argument: string | undefined, voices: Map<CompiledRule, "yes" | "maybe">): void {
  if (table.tools.size === 0 && table.globs.length === 0) return;
  hearName(table, name, voices);
  for (const set of setsOf(table, name)) {
    if (argument === undefined) {
      for (const compiled of set.patterned) speak(voices, compiled, "maybe");
      continue;
    }
    findCommands(set.texts, argument, (compiled) => speak(voices, compiled, "yes"));
    matchesDomain(set.domains, argument, (compiled, match) => speak(voices, compiled, match));
  }
}

function allowing(table: PolicyTable, name: string, argument: string | undefined): CompiledRule | undefined {
  let first: CompiledRule | undefined;
  const keep = (compiled: CompiledRule): void => {
    if (first === undefined || compiled.order < first.order) first = compiled;
  };
  for (const compiled of table.allow.globs) if (compiled.pattern === null && matchesText(commandPattern(compiled.tool), name)) keep(compiled);
  for (const set of setsOf(table.allow, name)) {
    for (const compiled of set.any) keep(compiled);
    if (argument === undefined) continue;
    findCommands(set.texts, argument, keep);
    matchesDomain(set.domains, argument, (compiled, match) => {
      if (match === "yes") keep(compiled);
    });
  }
  return first;
}

/** The rules of one tool, or none. */
export function setFor(table: VerdictTable, name: string): RuleSet {
  return table.tools.get(name) ?? EMPTY_SET;
}
