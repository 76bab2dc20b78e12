import { describe, expect, test } from "vitest";
import { MODES } from "../../../src/model/rule.ts";
import { evaluate } from "../../../src/permissions/evaluate.ts";
import { symlinkMap } from "../../../src/permissions/file-view.ts";
import { PROTECTED, protectedBy } from "../../../src/permissions/protected.ts";
import { compilePolicy } from "../../../src/permissions/rules.ts";
import { SCENE, rulesOf, shell } from "../scenes.ts";

const ALLOW = rulesOf({ allow: ["Write", "Edit", "Bash"] });

describe("protected files", () => {
  test.each(["Write", "Edit"])("[A5] %s asks in every mode, and says what is protected", (name) => {
    const answers = MODES.map((mode) => evaluate({ name, input: { file_path: ".claude/settings.json" } }, compilePolicy(ALLOW), { ...SCENE, mode }));
    expect(answers.map(({ verdict, step, because }) => ({ verdict, step, because }))).toEqual(
      MODES.map(() => ({ verdict: "ask", step: "protected", because: "It writes to Claude Code's settings and hooks, which is protected." })),
    );
  });
  test("[A5] the shell asks in every mode but bypassPermissions, whose user handed the shell over", () => {
    const lists = { allow: ["Bash(echo *)", "Write(**)"] };
    const answers = MODES.map((mode) => shell("echo x > .git/hooks/pre-commit", lists, { mode }));
    expect(answers.map(({ mode, verdict, step }) => [mode, verdict, step])).toEqual([
      ["plan", "ask", "protected"],
      ["default", "ask", "protected"],
      ["acceptEdits", "ask", "protected"],
      ["bypassPermissions", "allow", "allow-rule"],
    ]);
    expect(answers[0]?.because).toBe("It writes to git hooks and configuration, which is protected.");
  });
  test("[A5] what plan mode refuses is refused, not asked", () => {
    expect(shell("echo x > .git/hooks/pre-commit", {}, { mode: "plan" })).toMatchObject({ verdict: "deny", step: "mode" });
    expect(evaluate({ name: "Write", input: { file_path: ".mcp.json" } }, compilePolicy([]), { ...SCENE, mode: "plan" })).toMatchObject({
      verdict: "deny",
      step: "mode",
    });
  });
  test("[A5] a deny rule comes before the question", () => {
    expect(evaluate({ name: "Write", input: { file_path: ".mcp.json" } }, compilePolicy(rulesOf({ deny: ["Write(.mcp.json)"] })), SCENE)).toMatchObject({
      verdict: "deny",
      step: "deny-rule",
    });
  });
  test("[A5] reading one is not asked", () => {
    expect(evaluate({ name: "Read", input: { file_path: ".mcp.json" } }, compilePolicy([]), SCENE).verdict).toBe("allow");
  });
  test.each([
    ["> .mcp.json", "through a redirection"],
    ["cp a .mcp.json", "through a program in the table"],
    ["cd .claude && touch settings.json", "after a change of folder"],
    ["cd $X; touch ~/.bashrc", "from an unknown folder"],
    ["tee link/x < a", "through a link"],
    ["echo a >> .git/config; echo b > /dev/null", "beside a device"],
  ])("[A5] `%s` is asked: %s", (command) => {
    expect(shell(command, { allow: ["Bash"] }, { files: symlinkMap({ "/srv/proj/link": "/home/dev/.ssh" }) })).toMatchObject({
      verdict: "ask",
      step: "protected",
    });
  });
  test("[A5] the quick look before the table passes every row", () => {
    const samples = [
      "/a/.claude/settings.json",
      "/a/.claude.json",
      "/a/.lime/x",
      "/a/.robota",
      "/a/.mains/x",
      "/h/.config/goose/c",
      "/h/.snaphook/x",
      "/etc/snaphook/p",
      "/a/.mcp.json",
      "/p/hooks/hooks.json",
      "/a/.git/hooks/x",
      "/h/.gitconfig",
      "/h/.bashrc",
      "/etc/profile",
      "/h/.ssh/id",
      "/a/.vscode/x",
      "/h/.npmrc",
      "/a/lefthook.yml",
      "/Library/LaunchAgents/x",
    ];
    const found = samples.map((path) => protectedBy({ forms: [path], real: [path], certain: true }, SCENE));
    expect(found).toEqual(samples.map((path) => PROTECTED.find(({ files }) => files.test(path))?.what));
    expect(new Set(samples.map((path) => PROTECTED.findIndex(({ files }) => files.test(path)))).size).toBe(PROTECTED.length);
  });
});
