import { TOOLS } from "../model/tools.ts";
import { sourceText } from "../model/source.ts";
import type { Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import { coverage, type Covering } from "./lint-cover.ts";
import { parseRule, type ParsedRule } from "./rules.ts";

/** What can be wrong with a rule. */
export type RuleFindingKind = "malformed" | "unknown-tool" | "never-matches" | "shadowed" | "covered" | "looks-like-glob";

/** One thing to mend in a list of rules, and how. */
export interface RuleFinding {
  readonly kind: RuleFindingKind;
  readonly rule: Rule;
  /** The rule that makes this one useless, where there is one. */
  readonly other?: Rule;
  readonly message: string;
}

/** Looks for rules that do not do what their owner meant. */
export function lintRules(rules: readonly Rule[]): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const read: { rule: Rule; parsed: ParsedRule }[] = [];
  for (const rule of rules) {
    const parsed = parseRule(rule.text);
    if (parsed.kind === "problem") {
      const effect = rule.verdict === "allow" ? "It allows nothing." : "Until then calls it may concern are asked.";
      findings.push({ kind: "malformed", rule, message: `${parsed.message} ${effect}` });
      continue;
    }
    read.push({ rule, parsed });
    findings.push(...lintOne(rule, parsed));
  }
  return [...findings, ...coverage(read).map(coverFinding)];
}

function lintOne(rule: Rule, parsed: ParsedRule): readonly RuleFinding[] {
  const unknown = unknownTool(rule, parsed);
  if (unknown) return [unknown];
  for (const test of PATTERN_TESTS) {
    const message = test.tools.has(parsed.tool) && parsed.pattern !== null ? test.check(parsed.pattern, rule.verdict) : undefined;
    if (message !== undefined) return [{ kind: test.kind, rule, message: `${JSON.stringify(rule.text)} ${message}` }];
  }
  return [];
}

function unknownTool(rule: Rule, { tool, written }: ParsedRule): RuleFinding | undefined {
  if (Object.hasOwn(TOOLS, tool) || tool.startsWith("mcp__") || tool.includes("*")) return undefined;
  const near = nearest(written);
  const advice = near === undefined ? "Name a tool of the agent, or an MCP tool as mcp__server__tool." : `Did you mean ${near}?`;
  return { kind: "unknown-tool", rule, message: `${JSON.stringify(rule.text)} names a tool that is in no table. ${advice}` };
}

function nearest(name: string): string | undefined {
  const names = Object.values(TOOLS).map(({ ruleName }) => ruleName);
  const ranked = names
    .map((known) => ({ known, distance: editDistance(name.toLowerCase(), known.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance);
  const best = ranked[0];
  return best && best.distance <= 2 ? best.known : undefined;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  // Left of the first column there is no way.
  const cost = (list: readonly number[], index: number): number => list[index] ?? Infinity;
  for (let at = 1; at <= left.length; at += 1) {
    const next: number[] = [];
    for (let to = 0; to <= right.length; to += 1) {
      const change = cost(row, to - 1) + (left[at - 1] === right[to - 1] ? 0 : 1);
      next.push(Math.min(change, cost(row, to) + 1, cost(next, to - 1) + 1));
    }
    row = next;
  }
  return cost(row, right.length);
}

interface PatternTest {
  readonly kind: "never-matches" | "looks-like-glob";
  readonly tools: ReadonlySet<string>;
  readonly check: (pattern: string, verdict: Verdict) => string | undefined;
}

const SHELL: ReadonlySet<string> = new Set(["shell"]);
const FILES: ReadonlySet<string> = new Set(["read", "write", "edit"]);
const FETCH: ReadonlySet<string> = new Set(["fetch"]);

const PATTERN_TESTS: readonly PatternTest[] = [
  {
    kind: "never-matches",
    tools: SHELL,
    check: (pattern) =>
      /^\s|[^*:]\s+$|\S {2,}\S/.test(pattern)
        ? "can never match: commands are compared with single blanks and none at the ends. Remove the extra blanks."
        : undefined,
  },
  {
    kind: "never-matches",
    tools: SHELL,
    check: (pattern, verdict) =>
      verdict !== "allow" && /["'\\](?!\*)/.test(pattern)
        ? "can never match: commands are compared without quotes and backslashes. Write the words plainly."
        : undefined,
  },
  {
    kind: "never-matches",
    tools: SHELL,
    check: (pattern) =>
      /^[A-Za-z_]\w*=\S* /.test(pattern)
        ? "can never match: assignments in front of a command are not part of it. Start the pattern with the program."
        : undefined,
  },
  {
    kind: "never-matches",
    tools: FETCH,
    check: (pattern) => (/^domain:.*[/:@]/.test(pattern) ? "can never match: a domain has no scheme, port or path. Write domain:example.com." : undefined),
  },
  {
    kind: "never-matches",
    tools: FILES,
    check: (pattern) => (/\\[^*?{}[\]\\]|^[A-Za-z]:/.test(pattern) ? "can never match: path patterns use slashes. Write /folder/**." : undefined),
  },
  {
    kind: "looks-like-glob",
    tools: SHELL,
    check: (pattern) =>
      /[^\s*]\*$/.test(pattern) && !pattern.endsWith(":*") && /[\w-]\*$/.test(pattern)
        ? `is a prefix: it also matches longer words. Write a blank before the star, or ${pattern.slice(0, -1)}:*.`
        : undefined,
  },
  {
    kind: "looks-like-glob",
    tools: SHELL,
    check: (pattern) =>
      /\*\*|\[[^\]]+\]|\{[^}]*,[^}]*\}|\?/.test(pattern)
        ? "looks like a file pattern, but in a command only * is special and matches any text. Write the text plainly, or use Read(…) and Write(…) for files."
        : undefined,
  },
  {
    kind: "looks-like-glob",
    tools: FILES,
    check: (pattern) => (/\[[^\]]+\]/.test(pattern) ? "has brackets, which are plain characters in a path pattern. Use * or {a,b}." : undefined),
  },
  {
    kind: "looks-like-glob",
    tools: FILES,
    check: (pattern, verdict) => (verdict === "allow" && pattern.endsWith("/") ? `covers the folder alone. Write ${pattern}** for what is in it.` : undefined),
  },
];

function coverFinding({ rule, by }: Covering): RuleFinding {
  const place = by.source ? ` at ${sourceText(by.source)}` : "";
  if (by.verdict === rule.verdict)
    return { kind: "covered", rule, other: by, message: `${JSON.stringify(rule.text)} adds nothing: ${by.text}${place} covers it. Remove one of them.` };
  return {
    kind: "shadowed",
    rule,
    other: by,
    message: `${JSON.stringify(rule.text)} never takes effect: the ${by.verdict} rule ${by.text}${place} comes first. Remove it or narrow the ${by.verdict} rule.`,
  };
}
