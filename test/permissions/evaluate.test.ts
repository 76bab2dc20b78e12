import { describe, expect, test } from "vitest";
import type { Rule } from "../../src/model/rule.ts";
import { matchCondition } from "../../src/permissions/condition.ts";
import { evaluate } from "../../src/permissions/evaluate.ts";
import { symlinkMap } from "../../src/permissions/file-view.ts";
import { compilePolicy, exactRule, extendPolicy, parseRule } from "../../src/permissions/rules.ts";
import { SCENE, rulesOf, shell } from "./scenes.ts";

const DENY_RM: Rule = { verdict: "deny", text: "Bash(rm -rf *)", source: { file: ".claude/settings.json", line: 4, column: 7 } };

describe("explanations", () => {
  test("[A10] the deciding rule is named with file, line and column", () => {
    const judgement = evaluate({ name: "Bash", input: { command: "ls && sudo rm -rf /" } }, compilePolicy([DENY_RM]), SCENE);
    expect(judgement).toMatchObject({
      verdict: "deny",
      step: "deny-rule",
      rule: DENY_RM,
      mode: "default",
      because: "Denied by the deny rule Bash(rm -rf *) at .claude/settings.json:4:7.",
      spoke: [{ rule: DENY_RM, match: "yes" }],
      doubts: [],
    });
  });
  test("[A10] every command has its span in the original text, code arguments that of their word", () => {
    const text = "ls && sh -c 'rm -rf /' > out";
    const { commands } = shell(text, { deny: ["Bash(rm -rf *)"], allow: ["Bash(ls)"] });
    expect(commands.map(({ kind, start, end, verdict }) => [kind, text.slice(start, end), verdict])).toEqual([
      ["command", "ls", "allow"],
      ["command", "sh -c 'rm -rf /' > out", "ask"],
      ["nested", "'rm -rf /'", "deny"],
      ["redirect", "> out", "ask"],
    ]);
  });
  test("[A10] a construct that can't be resolved is named with its place and what to do", () => {
    const judgement = shell("ls; $CMD -rf /", { deny: ["Bash(rm -rf *)"] }, { mode: "bypassPermissions" });
    expect(judgement).toMatchObject({ verdict: "ask", step: "unresolved-deny" });
    expect(judgement.doubts).toEqual([
      {
        construct: "a command word that is computed, $CMD",
        start: 4,
        end: 8,
        why: "the program is only known when the shell runs it",
        advice: "write the program's name",
      },
    ]);
    expect(judgement.because).toBe(
      "The call has a command word that is computed, $CMD (the program is only known when the shell runs it), so the deny rule Bash(rm -rf *) may apply.",
    );
  });
  test("[A10] without a rule the mode is named", () => {
    expect(shell("ls", {})).toMatchObject({
      verdict: "ask",
      step: "mode",
      because: "The mode default says ask for shell commands, and no rule decided.",
      spoke: [],
    });
  });
  test("[A10] protected files say what they configure", () => {
    expect(evaluate({ name: "Write", input: { file_path: ".mcp.json" } }, compilePolicy([]), { ...SCENE, mode: "bypassPermissions" })).toMatchObject({
      verdict: "ask",
      step: "protected",
      because: "It writes to MCP servers, which is protected.",
    });
  });
  test("[A1] an ask rule that may match asks and says so", () => {
    expect(shell("$X", { ask: ["Bash(git push *)"] }, { mode: "bypassPermissions" })).toMatchObject({ verdict: "ask", step: "ask-rule" });
    expect(shell("git push x", { ask: ["Bash(git push *)"] }, { mode: "bypassPermissions" }).because).toBe("Asked because of the ask rule Bash(git push *).");
  });
});

describe("rules", () => {
  test.each([
    ["Bash", { kind: "rule", tool: "shell", written: "Bash", pattern: null }],
    ["developer__shell(x *)", { kind: "rule", tool: "shell", written: "developer__shell", pattern: "x *" }],
    ["mcp__a__b", { kind: "rule", tool: "mcp__a__b", written: "mcp__a__b", pattern: null }],
    ["Bash(a (b) c)", { kind: "rule", tool: "shell", written: "Bash", pattern: "a (b) c" }],
  ])("[R3] %s is read", (text, parsed) => expect(parseRule(text)).toEqual(parsed));
  test.each(["", " ", "(x)", "Bash(", "Bash()", "Bash( )", "Bash rm)", "Ba$h(x)"])("[F3] %j is a problem", (text) =>
    expect(parseRule(text).kind).toBe("problem"),
  );
  test("[F3] a malformed rule never disables its neighbours and is reported with the rule", () => {
    const broken: Rule = { verdict: "allow", text: "Bash(", source: { file: "a", line: 1, column: 2 } };
    const policy = compilePolicy([broken, DENY_RM]);
    expect(policy.problems.map(({ rule }) => rule)).toEqual([broken]);
    expect(evaluate({ name: "Bash", input: { command: "rm -rf /" } }, policy, SCENE).verdict).toBe("deny");
  });
  test("[A7] session rules are added without building the rest again", () => {
    const base = compilePolicy([DENY_RM]);
    const more = extendPolicy(base, [{ verdict: "allow", text: "Bash(ls)" }]);
    const most = extendPolicy(more, [
      { verdict: "deny", text: "Bash(curl *)" },
      { verdict: "ask", text: "Bash(" },
    ]);
    expect(most.tables[0]).toBe(base.tables[0]);
    expect(["ls", "curl x", "rm -rf x"].map((command) => evaluate({ name: "Bash", input: { command } }, most, SCENE).verdict)).toEqual(["ask", "deny", "deny"]);
    expect(evaluate({ name: "Bash", input: { command: "ls" } }, more, SCENE).verdict).toBe("allow");
    expect(most.problems).toHaveLength(1);
    expect(
      extendPolicy(
        base,
        Array.from({ length: 300 }, (_, index): Rule => ({ verdict: "allow", text: `Bash(x${index})` })),
      ).tables,
    ).toHaveLength(1);
  });
  test.each(["ls -la", "rm *.log", "echo 'a\\*b' \\\\*", "for i in *; do $X; done", "a:*", "git -c core.pager=x log", "x )", "FOO=1 sudo ls > out"])(
    "[W12] the exact rule of %j covers that call and no other",
    (command) => {
      const call = { name: "Bash", input: { command } };
      const text = exactRule(call) ?? "";
      const policy = compilePolicy([{ verdict: "allow", text }]);
      expect(evaluate(call, policy, SCENE)).toMatchObject({ verdict: "allow", step: "allow-rule" });
      expect(evaluate({ name: "Bash", input: { command: `${command}x` } }, policy, SCENE).verdict).toBe("ask");
    },
  );
  test("[W12] exact rules of other tools", () => {
    expect(exactRule({ name: "Write", input: { file_path: "/a/*{b}" } })).toBe("Write(/a/\\*\\{b\\})");
    expect(exactRule({ name: "WebFetch", input: { url: "https://a/*" } })).toBe("WebFetch(https://a/\\*)");
    expect(exactRule({ name: "mcp__a__b", input: {} })).toBe("mcp__a__b");
    expect(exactRule({ name: "Bash", input: {} })).toBeUndefined();
    expect(exactRule({ name: "AskUserQuestion", input: {} })).toBeUndefined();
    const call = { name: "Write", input: { file_path: "/a/*{b}" } };
    expect(evaluate(call, compilePolicy([{ verdict: "allow", text: exactRule(call) ?? "" }]), SCENE).verdict).toBe("allow");
  });
});

describe("conditions of hooks", () => {
  test.each([
    ["Bash(git push *)", "git push origin", "yes"],
    ["Bash(git push *)", "ls && sudo git push origin", "yes"],
    ["Bash(git push *)", "git status", "no"],
    ["Bash(git push *)", "$X", "maybe"],
    ["Bash(git push *)", "git -C . push x", "maybe"],
    ["Read(.env)", "cat .env", "yes"],
    ["Bash(", "ls", "maybe"],
    ["Bash", "ls", "yes"],
    ["Write", "ls", "no"],
  ])("[E3] %s on %j is %s", (rule, command, expected) => expect(matchCondition(rule, { name: "bash", input: { command } }, SCENE)).toBe(expected));
  test("[E3] a condition about another tool is no", () => {
    expect(matchCondition("Edit(src/**)", { name: "Write", input: { file_path: "src/a" } }, SCENE)).toBe("yes");
    expect(matchCondition("mcp__a", { name: "mcp__a__b", input: {} }, SCENE)).toBe("yes");
    expect(matchCondition("mcp__a", { name: "Bash", input: { command: "ls" } }, SCENE)).toBe("no");
  });
  test("[E3] many conditions are compiled within bounds", () => {
    for (let index = 0; index < 600; index += 1) expect(matchCondition(`Bash(x${index})`, { name: "Bash", input: { command: "ls" } }, SCENE)).toBe("no");
  });
});

describe("limits", () => {
  test("[A1] a text above a megabyte, a spent budget, another shell and a NUL are maybe", () => {
    const lists = { deny: ["Bash(rm -rf *)"] };
    const mode = { mode: "bypassPermissions" } as const;
    expect(shell("a".repeat(1_000_001), lists, mode).step).toBe("unresolved-deny");
    expect(shell("ls\0", lists, mode).step).toBe("unresolved-deny");
    expect(shell("ls \ud800", lists, mode).step).toBe("unresolved-deny");
    let time = 0;
    expect(shell("ls; ls; ls", lists, { ...mode, now: () => (time += 30) }).doubts[0]?.why).toBe("the time budget was spent");
    expect(shell("ls", lists, { ...mode, now: () => 0 }).verdict).toBe("allow");
    expect(shell("ls", lists, { ...mode, shell: "other" }).step).toBe("unresolved-deny");
  });
  test("[A1] for another shell only exact allows are automatic", () => {
    expect(shell("ls -la", { allow: ["Bash(ls *)"] }, { shell: "other" }).verdict).toBe("ask");
    expect(shell("ls -la", { allow: ["Bash(ls -la)"] }, { shell: "other" }).verdict).toBe("allow");
    expect(shell("ls -la", { allow: ["Bash(ls *)"] }, { shell: "bash" }).verdict).toBe("allow");
  });
  test("[A1] no cap on subcommands, no crash on nesting", () => {
    expect(shell(`${"true;".repeat(5000)}rm -rf /`, { deny: ["Bash(rm -rf *)"] }).verdict).toBe("deny");
    for (const open of ["(", "{ ", "$(", "`", "[[ ", "((", "if ", "case x in x) ", "<(", "${x:-", '"$(', "eval "]) {
      expect(shell(`${open.repeat(3000)}rm -rf /`, { deny: ["Bash(rm -rf *)"] }, { mode: "bypassPermissions" }).verdict).not.toBe("allow");
    }
  });
  test("[A1] comments and blanks are no command and no doubt", () => {
    expect(shell("# rm -rf /\n \n", { deny: ["Bash(rm -rf *)"] }, { mode: "bypassPermissions" })).toMatchObject({ verdict: "allow", doubts: [] });
    expect(shell("# x", { allow: ["Bash(ls)"] }).verdict).toBe("ask");
  });
});

describe("modes", () => {
  test("[A6] what a mode refuses is not turned into a question by a rule", () => {
    expect(shell("git push", { ask: ["Bash(git push)"] }, { mode: "plan" })).toMatchObject({ verdict: "deny", step: "mode" });
    expect(shell("$X", { deny: ["Bash(rm *)"] }, { mode: "plan" })).toMatchObject({ verdict: "deny", step: "mode" });
    expect(shell("git push", { ask: ["Bash(git push)"], allow: ["Bash"] }, { mode: "plan" })).toMatchObject({ verdict: "ask", step: "ask-rule" });
  });
  test("[A5] a file view is asked for links on both sides", () => {
    const files = symlinkMap({ "/srv/proj/x": "/secrets", "/vault": "/secrets" });
    const read = (path: string, text: string): string =>
      evaluate({ name: "Read", input: { file_path: path } }, compilePolicy(rulesOf({ deny: [text] })), { ...SCENE, files }).verdict;
    expect([
      read("x/a", "Read(/secrets/**)"),
      read("/secrets/a", "Read(/vault/**)"),
      read("/secrets/a", "Read(x/**)"),
      read("/other", "Read(/vault/**)"),
    ]).toEqual(["deny", "deny", "deny", "allow"]);
  });
});
