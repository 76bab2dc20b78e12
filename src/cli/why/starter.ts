/** A first rule set for a folder without configuration, made for the call that was asked about. */
import { VERDICTS, type Verdict } from "../../model/verdict.ts";
import { TOOLS, type ToolCall } from "../../model/tools.ts";
import { lookup } from "../../lib/json.ts";
import { evaluate } from "../../permissions/evaluate.ts";
import type { Judgement } from "../../permissions/judgement.ts";
import { kindOf } from "../../permissions/modes.ts";
import { compilePolicy, exactRule } from "../../permissions/rules.ts";
import type { Scene } from "../../permissions/scene.ts";

/** Rules to paste, where to, and what the call would then be. */
export interface Starter {
  readonly file: string;
  readonly permissions: { readonly [verdict in Verdict]?: readonly string[] };
  readonly verdict: Verdict;
  /** What each command would be, in the order of the text. */
  readonly commands: readonly Verdict[];
}

/** The native dialect's place for a project. */
const FILE = ".snaphook/settings.json";

interface Row {
  readonly when: RegExp;
  /** `$1` stands for what the first group found. */
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** What most people want of a command; the first row that fits counts. */
// prettier-ignore
const ROWS: readonly Row[] = [
  { when: /^git push\b.* (--force|-f)( |$)/,                               ask: ["Bash(git push:*)"],    deny: ["Bash(git push --force:*)", "Bash(git push -f:*)"] },
  { when: /^git (push|clean|rebase|filter-branch)\b/,                      ask: ["Bash(git $1:*)"] },
  { when: /^git (reset|checkout|restore|stash)\b/,                         ask: ["Bash(git $1:*)"] },
  { when: /^git (status|diff|log|show|blame|rev-parse)\b/,                 allow: ["Bash(git $1:*)"] },
  { when: /^rm( |$)/,                                                      ask: ["Bash(rm:*)"],          deny: ["Bash(rm -rf /*)", "Bash(rm -rf ~*)"] },
  { when: /^(sudo|doas|su|dd|mkfs|shutdown|reboot)( |$)/,                  deny: ["Bash($1:*)"] },
  { when: /^(curl|wget|ssh|scp|rsync|nc)( |$)/,                            ask: ["Bash($1:*)"] },
  { when: /^((?:npm|pnpm|yarn|cargo) publish)\b/,                          deny: ["Bash($1:*)"] },
  { when: /^((?:npm|pnpm|yarn|bun) (?:test|run [\w:.-]+|lint|build))( |$)/, allow: ["Bash($1:*)"] },
  { when: /^((?:cargo|go|dotnet|swift) (?:build|check|test|vet|fmt))( |$)/, allow: ["Bash($1:*)"] },
  { when: /^(ls|pwd|cat|head|tail|wc|grep|rg|which|echo|date|whoami|uname|tree|du|df|stat|file|diff)( |$)/, allow: ["Bash($1:*)"] },
  { when: /^([\w.+-]+ [a-z][\w-]*)( |$)/,                                  ask: ["Bash($1:*)"] },
  { when: /^([\w.+-]+)( |$)/,                                              ask: ["Bash($1:*)"] },
];

/** Secrets that nobody wants read by chance. */
const SECRETS = ["Read(.env)", "Read(~/.ssh/**)"];

/** A rule set that fits the call; null when none can be made for it. */
export function starterRules(call: ToolCall, judgement: Judgement, scene: Scene): Starter | null {
  const rows = kindOf(call.name) === "shell" ? shellRows(judgement) : toolRows(call);
  const permissions = Object.fromEntries(
    VERDICTS.map((verdict): [Verdict, readonly string[]] => [verdict, [...new Set(rows.flatMap((row) => row[verdict] ?? []))]]).filter(
      ([, rules]) => rules.length > 0,
    ),
  );
  const rules = VERDICTS.flatMap((verdict) => (lookup<readonly string[]>(permissions, verdict) ?? []).map((text) => ({ verdict, text })));
  if (rules.length === 0) return null;
  const { verdict, commands } = evaluate(call, compilePolicy(rules), scene);
  const ordered = [...commands].sort((left, right) => left.start - right.start || right.end - left.end);
  return { file: FILE, permissions, verdict, commands: ordered.map((command) => command.verdict) };
}

type Lists = Omit<Row, "when">;

function shellRows({ commands }: Judgement): readonly Lists[] {
  const texts = commands.filter(({ kind }) => kind === "command" || kind === "nested").map(({ text }) => text.replace(/\s+/g, " "));
  return texts.flatMap((text) => {
    for (const { when, ...lists } of ROWS) {
      const found = when.exec(text);
      if (found) return [filled(lists, found[1] ?? "")];
    }
    return [];
  });
}

function filled(lists: Lists, word: string): Lists {
  return Object.fromEntries(Object.entries(lists).map(([verdict, rules]) => [verdict, rules.map((rule) => rule.replace("$1", () => word))]));
}

function toolRows(call: ToolCall): readonly Lists[] {
  const rule = exactRule(call);
  const reads = lookup(TOOLS, call.name)?.kind === "read";
  if (reads) return [{ deny: SECRETS }];
  return rule === undefined ? [] : [{ allow: [rule] }];
}
