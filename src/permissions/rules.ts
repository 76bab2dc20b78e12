import { canonicalName } from "../dialects/spelling.ts";
import type { Rule } from "../model/rule.ts";
import { TOOLS, type ToolCall } from "../model/tools.ts";
import { lookup } from "../lib/json.ts";
import { exactPattern } from "./glob.ts";
import { exactPath } from "./path-pattern.ts";
import { buildTable, type CompiledRule, type PolicyTable } from "./policy-table.ts";

/** A rule taken apart: the tool by its canonical name, and the pattern if there is one. */
export interface ParsedRule {
  readonly kind: "rule";
  readonly tool: string;
  /** The tool as it was written. */
  readonly written: string;
  readonly pattern: string | null;
}

/** Why a rule can't be used as written. */
export interface RuleProblem {
  readonly kind: "problem";
  readonly text: string;
  readonly message: string;
  /** The tool it was most likely meant for. */
  readonly tool?: string;
  readonly rule?: Rule;
}

/** Rules compiled for evaluation: a decision does not grow with their number. */
export interface Policy {
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
  /** The configured rules, and the session's own beside them. */
  readonly tables: readonly PolicyTable[];
  /** How many of the rules are in the first table. */
  readonly settled: number;
}

/** Session rules beyond this number are merged into the main table. */
const SESSION_LIMIT = 256;

const NAME = /^[A-Za-z_][\w.:/-]*$/;
const NAME_GLOB = /^[\w.:/*-]+$/;

/** Takes a rule apart: `Tool` or `Tool(pattern)`. */
export function parseRule(text: string): ParsedRule | RuleProblem {
  const open = text.indexOf("(");
  const written = (open < 0 ? text : text.slice(0, open)).trim();
  const tool = canonicalTool(written);
  const meant = canonicalTool(/^\s*([A-Za-z_]\w*)/.exec(text)?.[1] ?? "");
  const problem = (message: string): RuleProblem => ({ kind: "problem", text, message, ...(meant === "" ? {} : { tool: meant }) });
  if (text.trim() === "") return problem("The rule is empty: write Tool or Tool(pattern), or remove it.");
  if (written === "") return problem(`The rule ${JSON.stringify(text)} names no tool: write one before the parenthesis, as Bash(…).`);
  if (!NAME.test(written) && !NAME_GLOB.test(written))
    return problem(`The rule ${JSON.stringify(text)} has no readable tool name: write Tool or Tool(pattern).`);
  if (open < 0) return { kind: "rule", tool, written, pattern: null };
  const body = text.trimEnd();
  if (!body.endsWith(")")) return problem(`The rule ${JSON.stringify(text)} is not closed: end it with a parenthesis.`);
  const pattern = body.slice(open + 1, -1);
  if (pattern.trim() === "") return problem(`The rule ${JSON.stringify(text)} has an empty pattern: write ${written} for every call, or a pattern.`);
  return { kind: "rule", tool, written, pattern };
}

/** The canonical name of a tool, also when only the case differs; an unknown name stays as it is. */
export function canonicalTool(name: string): string {
  return canonicalName(name) ?? canonicalName(name.toLowerCase()) ?? name;
}

/** The rule that covers exactly this call, as an approver's "always" learns it; undefined when no rule can say it. */
export function exactRule(call: ToolCall): string | undefined {
  const name = canonicalTool(call.name);
  const row = lookup(TOOLS, name);
  if (row === undefined) return call.name;
  const value = row.argument === null ? undefined : call.input[row.argument];
  if (typeof value !== "string" || value.trim() === "") return undefined;
  if (name === "shell") return `${row.ruleName}(${exactPattern(value)})`;
  return `${row.ruleName}(${row.kind === "other" ? exactPattern(value) : exactPath(value)})`;
}

/** Compiles rules once; one that can't be read is reported and, in a deny or ask list, asks for what it was meant for. */
export function compilePolicy(rules: readonly Rule[]): Policy {
  const { compiled, problems } = compile(rules, 0);
  return { rules, problems, tables: [buildTable(compiled)], settled: rules.length };
}

/** The policy with more rules: only the session's own table is built again. */
export function extendPolicy(policy: Policy, rules: readonly Rule[]): Policy {
  const all = [...policy.rules, ...rules];
  const first = policy.tables[0];
  if (first === undefined || all.length - policy.settled > SESSION_LIMIT) return compilePolicy(all);
  const session = compile(all.slice(policy.settled), policy.settled);
  const { problems } = compile(rules, 0);
  return { rules: all, problems: [...policy.problems, ...problems], tables: [first, buildTable(session.compiled)], settled: policy.settled };
}

function compile(rules: readonly Rule[], from: number): { compiled: readonly CompiledRule[]; problems: readonly RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const compiled = rules.flatMap((rule, index): readonly CompiledRule[] => {
    const parsed = parseRule(rule.text);
    const order = from + index;
    if (parsed.kind === "problem") {
      problems.push({ ...parsed, rule });
      return rule.verdict === "allow" ? [] : [{ rule, order, tool: parsed.tool ?? "*", pattern: null, broken: true }];
    }
    const wide = parsed.tool.includes("*") && !/^mcp__[^*]+__/.test(parsed.tool);
    if (wide && rule.verdict === "allow") {
      problems.push({
        kind: "problem",
        text: rule.text,
        message: `The allow rule ${JSON.stringify(rule.text)} names tools by a star: name them, or use a mode.`,
        rule,
      });
      return [];
    }
    return [{ rule, order, tool: parsed.tool, pattern: parsed.pattern, broken: false }];
  });
  return { compiled, problems };
}
