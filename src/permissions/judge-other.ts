import { own, lookup } from "../lib/json.ts";
import { TOOLS, type ToolCall } from "../model/tools.ts";
import { findCommands } from "./command-index.ts";
import { matchesDomain } from "./domain.ts";
import { SILENCE, speak, speakAll, type Findings, type Said } from "./findings.ts";
import type { Doubt, JudgedCommand } from "./judgement.ts";
import { kindOf } from "./modes.ts";
import { EMPTY_SET, type CompiledRule, type RuleSet, type VerdictTable } from "./policy-table.ts";
import type { Policy } from "./rules.ts";
import type { Rule } from "../model/rule.ts";
import type { Scene } from "./scene.ts";

/** Judges a call of a tool that is neither the shell nor a file tool: by name, by text, by domain. */
export function judgeOther(call: ToolCall, policy: Policy, _scene: Scene): Findings {
  const { name } = call;
  const server = serverOf(name);
  const argument = argumentOf(call);
  let deny: Said;
  let ask: Said;
  let allow: Rule | undefined;
  for (const table of policy.tables) {
    deny = hear(table.deny, { name, server, argument }, deny);
    ask = hear(table.ask, { name, server, argument }, ask);
    allow ??= allowing(table.allow, { name, server, argument })?.rule;
  }
  return { deny: deny ?? SILENCE, ask: ask ?? SILENCE, allow, protects: undefined, commands: NO_COMMANDS, doubts: NO_DOUBTS };
}

const NO_COMMANDS: readonly JudgedCommand[] = [];
const NO_DOUBTS: readonly Doubt[] = [];

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

/** Notes every deny or ask rule that names this tool by a star or is broken, or that has no pattern. */
export function hearName(table: VerdictTable, name: string, said: Said): Said {
  const set = table.tools.get(name);
  if (table.globs.size + table.nameless.length === 0) return hearSet(set, said);
  let heard = said;
  findCommands(table.globs, name, (compiled) => void (heard = speak(heard, compiled, compiled.pattern === null ? "yes" : "maybe")));
  if (kindOf(name) !== "read") for (const compiled of table.nameless) heard = speak(heard, compiled, "maybe");
  return hearSet(set, heard);
}

function hearSet(set: RuleSet | undefined, said: Said): Said {
  if (set === undefined) return said;
  let heard = said;
  for (const compiled of set.any) heard = speak(heard, compiled, "yes");
  for (const compiled of set.broken) heard = speak(heard, compiled, "maybe");
  return heard;
}

/** What a rule may speak about. */
interface Subject {
  readonly name: string;
  readonly server: string | undefined;
  readonly argument: string | undefined;
}

function hear(table: VerdictTable, { name, server, argument }: Subject, said: Said): Said {
  const heard = hearArgument(table.tools.get(name), argument, hearName(table, name, said));
  const wide = server === undefined ? undefined : table.tools.get(server);
  return wide === undefined ? heard : hearArgument(wide, argument, hearSet(wide, heard));
}

function hearArgument(set: RuleSet | undefined, argument: string | undefined, said: Said): Said {
  if (set === undefined || set.patterned.length === 0) return said;
  if (argument === undefined) return speakAll(said, set.patterned);
  let heard = said;
  findCommands(set.texts, argument, (compiled) => void (heard = speak(heard, compiled, "yes")));
  matchesDomain(set.domains, argument, (compiled, match) => void (heard = speak(heard, compiled, match)));
  return heard;
}

function allowing(table: VerdictTable, { name, server, argument }: Subject): CompiledRule | undefined {
  let first = allowingSet(table.tools.get(name), argument);
  if (server !== undefined) first = earlier(first, allowingSet(table.tools.get(server), argument));
  if (table.globs.size > 0) findCommands(table.globs, name, (compiled) => void (first = compiled.pattern === null ? earlier(first, compiled) : first));
  return first;
}

function allowingSet(set: RuleSet | undefined, argument: string | undefined): CompiledRule | undefined {
  if (set === undefined) return undefined;
  const first = set.any[0];
  if (set.patterned.length === 0 || argument === undefined) return first;
  return earlier(first, allowingText(set, argument));
}

function allowingText(set: RuleSet, argument: string): CompiledRule | undefined {
  let first: CompiledRule | undefined;
  findCommands(set.texts, argument, (compiled) => void (first = earlier(first, compiled)));
  matchesDomain(set.domains, argument, (compiled, match) => void (first = match === "yes" ? earlier(first, compiled) : first));
  return first;
}

/** The rule that came first in the configuration. */
export function earlier(left: CompiledRule | undefined, right: CompiledRule | undefined): CompiledRule | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left.order <= right.order ? left : right;
}

/** The rules of one tool, or none. */
export function setFor(table: VerdictTable, name: string): RuleSet {
  return table.tools.get(name) ?? EMPTY_SET;
}
