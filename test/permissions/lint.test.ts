import { describe, expect, test } from "vitest";
import type { Rule } from "../../src/model/rule.ts";
import { lintRules } from "../../src/permissions/lint.ts";
import { rulesOf } from "./scenes.ts";

type Lists = Parameters<typeof rulesOf>[0];

describe("linting rules", () => {
  test.each<[string, Lists, readonly string[]]>([
    ["a clean list", { deny: ["Bash(rm -rf *)", "Read(**/.env)"], allow: ["Bash(pnpm *)", "Write(/src/**)", "mcp__a"] }, []],
    ["a malformed rule", { deny: ["Bash("] }, ["malformed"]],
    ["an unknown tool", { deny: ["Bsh(rm *)"] }, ["unknown-tool"]],
    ["a far-off tool", { allow: ["Frobnicate"] }, ["unknown-tool"]],
    ["extra blanks", { deny: ["Bash(rm  -rf *)"] }, ["never-matches"]],
    ["a leading blank", { deny: ["Bash( rm *)"] }, ["never-matches"]],
    ["quotes in a deny", { deny: ['Bash(rm "-rf" *)'] }, ["never-matches"]],
    ["an assignment in front", { deny: ["Bash(A=1 rm *)"] }, ["never-matches"]],
    ["a domain with a path", { deny: ["WebFetch(domain:https://x)"] }, ["never-matches"]],
    ["a Windows path", { deny: ["Read(C:\\x)"] }, ["never-matches"]],
    ["a glued star", { allow: ["Bash(git*)"] }, ["looks-like-glob"]],
    ["a file glob in a command", { allow: ["Bash(cat **/x)"] }, ["looks-like-glob"]],
    ["brackets in a path", { deny: ["Read([ab].ts)"] }, ["looks-like-glob"]],
    ["a folder allowed by its name", { allow: ["Write(/src/)"] }, ["looks-like-glob"]],
    ["an allow behind a deny", { deny: ["Bash(git *)"], allow: ["Bash(git status)"] }, ["shadowed"]],
    ["an allow behind an ask", { ask: ["Bash"], allow: ["Bash(git status)"] }, ["shadowed"]],
    ["a rule that another covers", { deny: ["Bash(rm *)", "Bash(rm -rf *)"] }, ["covered"]],
    ["a rule twice", { deny: ["Bash(rm *)", "Bash(rm *)"] }, ["covered"]],
    ["a path that another covers", { deny: ["Read(/a/**)", "Read(/a/b/*.ts)"] }, ["covered"]],
    ["braces that another covers", { deny: ["Read(/a/**)", "Read(/a/{b,c})"] }, ["covered"]],
    ["everything twice", { deny: ["Bash", "Bash(*)"] }, ["covered"]],
    ["a prefix with a boundary", { allow: ["Bash(git:*)", "Bash(git log *)"] }, ["covered"]],
    ["paths from other places", { deny: ["Read(~/a/**)", "Read(a/**)", "Read(/a/**)"] }, []],
  ])("[F4] %s", (_, lists, kinds) => expect(lintRules(rulesOf(lists)).map(({ kind }) => kind)).toEqual(kinds));

  test("[F4] a finding names both rules, the place and the cure", () => {
    const by: Rule = { verdict: "deny", text: "Bash(git *)", source: { file: "s.json", line: 2, column: 3 } };
    const rule: Rule = { verdict: "allow", text: "Bash(git status)" };
    expect(lintRules([by, rule])).toEqual([
      {
        kind: "shadowed",
        rule,
        other: by,
        message: '"Bash(git status)" never takes effect: the deny rule Bash(git *) at s.json:2:3 comes first. Remove it or narrow the deny rule.',
      },
    ]);
    expect(lintRules(rulesOf({ deny: ["Raed(x)"] }))[0]?.message).toContain("Did you mean Read?");
  });
});
