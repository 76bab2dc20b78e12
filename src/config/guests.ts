/** What a repository brings along: judged by what was approved, and never able to loosen. */
import { approvalHook } from "../dialects/approval.ts";
import { dialectById } from "../dialects/index.ts";
import type { Hook } from "../model/hook.ts";
import type { Notice } from "../model/notice.ts";
import type { Rule } from "../model/rule.ts";
import { approvalEntry, hookEntry, ruleEntry, type TrustEntry } from "../trust/entry.ts";
import { leftOutText, whyNot, type Standing } from "../trust/standing.ts";
import { redirects } from "../trust/tables.ts";
import type { Trust } from "../trust/trust.ts";
import { isGuest } from "./authority.ts";
import type { ConfigFile } from "./read.ts";

/** Everything in these files that needs trust, an entry each. */
export function guestEntries(files: readonly ConfigFile[], { where }: Pick<Trust, "where">): readonly TrustEntry[] {
  return files.filter(isGuest).flatMap((file) => [
    ...file.hooks.map((hook) => hookEntry(hook, where)),
    ...file.rules.filter(({ verdict }) => verdict === "allow").map((rule) => ruleEntry(rule, where)),
    ...file.speaks.flatMap((id) => {
      const dialect = dialectById(id);
      const source = { file: file.source.path, line: 1, column: 1 };
      return dialect && approvalHook(dialect) ? [approvalEntry({ dialect: id, title: dialect.title, source }, where)] : [];
    }),
  ]);
}

/** How hooks, rules and built-in approvals of guests stand. */
export interface Judged {
  readonly hook: (hook: Hook) => Standing;
  readonly rule: (rule: Rule) => Standing;
  readonly approval: (dialect: string, file: ConfigFile) => Standing;
}

const TRUSTED: Standing = { kind: "trusted", since: null };

/** Judges everything that needs trust in these files at once. */
export function judgeGuests(files: readonly ConfigFile[], trust: Trust): Judged {
  if (trust.policy.kind === "all") return { hook: () => TRUSTED, rule: () => TRUSTED, approval: () => TRUSTED };
  const entries = guestEntries(files, trust);
  const standings = trust.judge(entries);
  const hooks = new Map<Hook, Standing>();
  const others = new Map<string, Standing>();
  for (const [entry, standing] of standings) {
    if (entry.hook) hooks.set(entry.hook, standing);
    else others.set(key(entry.kind, entry.source?.file, entry.spec["text"] ?? entry.spec["dialect"]), standing);
  }
  return {
    hook: (hook) => hooks.get(hook) ?? TRUSTED,
    rule: ({ text, source }) => others.get(key("rule", source?.file, text)) ?? TRUSTED,
    approval: (dialect, { source }) => others.get(key("approval", source.path, dialect)) ?? TRUSTED,
  };
}

function key(kind: string, file: string | undefined, what: unknown): string {
  return JSON.stringify([kind, file, what]);
}

/** The rules of a file that count: deny and ask always, a guest's allow where it is trusted. */
export function countingRules({ rules, source }: ConfigFile, { rule: standingOf }: Judged, notices: Notice[]): readonly Rule[] {
  const left = rules.flatMap((rule) => {
    const standing: Standing = rule.verdict === "allow" ? standingOf(rule) : TRUSTED;
    return standing.kind === "trusted" ? [] : [{ rule, standing }];
  });
  const unknown = left.filter(({ standing }) => standing.kind === "new" && standing.since === null);
  if (unknown.length > 0) {
    const many = unknown.length > 1;
    notices.push({
      kind: "not-trusted",
      message: `${many ? `${unknown.length} allow rules` : "an allow rule"} of ${source.path} ${many ? "were" : "was"} left out: the folder is not trusted. \`snaphook trust\` or --trust lets ${many ? "them" : "it"} count`,
      ...unknown[0]?.rule.source,
    });
  }
  for (const { rule, standing } of left.filter((each) => !unknown.includes(each)))
    notices.push({ kind: "not-trusted", message: leftOutText(rule.text, standing, "rule"), ...rule.source });
  const dropped = new Set(left.map(({ rule }) => rule));
  return rules.filter((rule) => !dropped.has(rule));
}

/** The dialects whose built-in approvals count here: they let tools pass, so that a guest's file needs trust to arm them. */
export function approvingDialects(files: readonly ConfigFile[], { approval }: Judged, notices: Notice[]): readonly string[] {
  const approving = new Set<string>();
  for (const file of files) {
    for (const id of file.speaks) {
      const standing = approval(id, file);
      const dialect = dialectById(id);
      if (standing.kind === "trusted") approving.add(id);
      else if (dialect) {
        const why = whyNot(standing) ?? "";
        notices.push({
          kind: "not-trusted",
          message: `the tools that ${dialect.title} pre-approves are asked: ${why}`,
          file: file.source.path,
          line: 1,
          column: 1,
        });
      }
    }
  }
  return [...approving];
}

/** A guest's hooks without the variables that would send programs somewhere else. */
export function withoutRedirections(file: ConfigFile, notices: Notice[]): ConfigFile {
  if (!isGuest(file)) return file;
  const hooks = file.hooks.map((hook) => {
    const names = Object.keys(hook.env).filter(redirects);
    if (names.length === 0) return hook;
    notices.push({
      kind: "authority",
      message: `${names.join(", ")} of ${hook.name} ${names.length > 1 ? "were" : "was"} left out: a project may not set variables that send programs somewhere else`,
      hook: hook.name,
      ...hook.source,
    });
    return { ...hook, env: Object.fromEntries(Object.entries(hook.env).filter(([name]) => !names.includes(name))) };
  });
  return { ...file, hooks };
}
