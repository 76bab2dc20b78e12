import type { Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import { indexCommands, type CommandIndex } from "./command-index.ts";
import { RULE_TOOLS, type FileTool } from "./file-tools.ts";
import { flagIndex, type FlagIndex } from "./flag-index.ts";

/** A rule ready to be indexed. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly order: number;
  readonly tool: string;
  readonly pattern: string | null;
  /** It could not be read: whatever concerns its tool is maybe. */
  readonly broken: boolean;
}

/** A rule about some calls of its tool. */
export interface PatternedRule extends CompiledRule {
  readonly pattern: string;
}

/** The rules of one verdict for one tool. */
export interface RuleSet {
  /** Without a pattern, or with `*`. */
  readonly any: readonly CompiledRule[];
  readonly broken: readonly CompiledRule[];
  readonly patterned: readonly PatternedRule[];
  /** Patterns over the text of the argument. */
  readonly texts: CommandIndex<CompiledRule>;
  /** Shell patterns by program and flags, for the order and grouping of flags. */
  readonly flags: FlagIndex<CompiledRule>;
  /** Shell patterns that hold an operator, tested against whole pipelines. */
  readonly operators: CommandIndex<CompiledRule>;
  /** `domain:` patterns by domain. */
  readonly domains: ReadonlyMap<string, readonly CompiledRule[]>;
}

/** All rules of one verdict. */
export interface VerdictTable {
  readonly tools: ReadonlyMap<string, RuleSet>;
  /** Rules that name tools by a star. */
  readonly globs: CommandIndex<CompiledRule>;
  /** For each use of a file, the tools whose rules here speak about it. */
  readonly aboutFiles: Readonly<Record<FileTool, readonly FileTool[]>>;
  /** Broken rules that name no tool. */
  readonly nameless: readonly CompiledRule[];
  /** The first rule that a shell text could break, if any. */
  readonly shellConcern: CompiledRule | undefined;
}

/** One table for each list of rules. */
export type PolicyTable = Readonly<Record<Verdict, VerdictTable>>;

/** The set without rules. */
export const EMPTY_SET: RuleSet = setOf([], "shell");

/** Tools whose rules a shell text can concern. */
const SHELL_CONCERNS: ReadonlySet<string> = new Set(["shell", "read", "write", "edit"]);

/** Indexes compiled rules by verdict and tool. */
export function buildTable(rules: readonly CompiledRule[]): PolicyTable {
  const table = (verdict: Verdict): VerdictTable => verdictTable(rules.filter((compiled) => compiled.rule.verdict === verdict));
  return { allow: table("allow"), ask: table("ask"), deny: table("deny") };
}

function verdictTable(rules: readonly CompiledRule[]): VerdictTable {
  const byTool = new Map<string, CompiledRule[]>();
  const globs: { text: string; item: CompiledRule }[] = [];
  const nameless: CompiledRule[] = [];
  for (const compiled of rules) {
    if (compiled.tool.includes("*") && !WHOLE_SERVER.test(compiled.tool)) {
      if (compiled.broken) nameless.push(compiled);
      else globs.push({ text: compiled.tool, item: compiled });
      continue;
    }
    const key = compiled.tool.replace(WHOLE_SERVER, "$1");
    const list = byTool.get(key) ?? [];
    list.push(compiled);
    byTool.set(key, list);
  }
  const tools = new Map([...byTool].map(([tool, list]): [string, RuleSet] => [tool, setOf(list, tool)]));
  const shellConcern = rules.find((compiled) => SHELL_CONCERNS.has(compiled.tool) || compiled.tool.startsWith("*"));
  // A rule that names tools by a star, or none, may speak about any.
  const open = globs.length + nameless.length > 0;
  const about = (tool: FileTool): readonly FileTool[] => RULE_TOOLS[tool].strict.filter((name) => open || tools.has(name));
  const aboutFiles = { read: about("read"), write: about("write"), edit: about("edit"), grep: about("grep") };
  return { tools, globs: indexCommands(globs), aboutFiles, nameless, shellConcern };
}

/** `mcp__server__*` is the same as `mcp__server`. */
const WHOLE_SERVER = /^(mcp__[^*]+?)__\*$/;

/** What only occurs in patterns over several commands, or over a keyword and its command. */
const OPERATOR = /[|;&<>\n]|^(?:time|coproc)(?![\w-])|^(?:t|ti|tim|c|co|cop|copr|copro)?\*|^[!({]/;

function setOf(rules: readonly CompiledRule[], tool: string): RuleSet {
  const broken = rules.filter((compiled) => compiled.broken);
  const whole = rules.filter((compiled) => !compiled.broken);
  // An empty prefix is everything to a deny; an allow that names nothing covers nothing.
  const isAny = ({ pattern, rule }: CompiledRule): boolean => pattern === null || pattern === "*" || (pattern === ":*" && rule.verdict !== "allow");
  const patterned = whole.filter((compiled): compiled is PatternedRule => !isAny(compiled));
  const texts = patterned.map((item) => ({ text: item.pattern, item }));
  const domains = new Map<string, CompiledRule[]>();
  for (const compiled of patterned) {
    const domain = /^domain:(.+)$/.exec(compiled.pattern)?.[1]?.toLowerCase().replace(/\.$/, "");
    if (domain !== undefined) domains.set(domain, [...(domains.get(domain) ?? []), compiled]);
  }
  return {
    any: whole.filter(isAny),
    broken,
    patterned,
    texts: indexCommands(texts),
    flags: flagIndex(tool === "shell" ? texts : []),
    operators: indexCommands(tool === "shell" ? texts.filter(({ text }) => OPERATOR.test(text)) : []),
    domains,
  };
}
