import { describe, expect, test } from "vitest";
import type { Rule } from "../../src/model/rule.ts";
import { evaluate } from "../../src/permissions/evaluate.ts";
import { noFiles } from "../../src/permissions/file-view.ts";
import { compilePolicy } from "../../src/permissions/rules.ts";
import type { Scene } from "../../src/permissions/scene.ts";
import { suggestRules, type AnsweredPrompt, type Suggestions } from "../../src/permissions/suggest.ts";

const SCENE: Scene = { mode: "default", cwd: "/srv/proj", root: "/srv/proj", home: "/home/dev", platform: "posix", files: noFiles };

function shell(command: string, answer: AnsweredPrompt["answer"] = "allow"): AnsweredPrompt {
  return { tool: "Bash", input: { command }, answer };
}

function suggest(prompts: readonly AnsweredPrompt[], existing: readonly Rule[] = []): Suggestions {
  return suggestRules(prompts, { existing: compilePolicy(existing), scene: SCENE });
}

function rulesFor(prompts: readonly AnsweredPrompt[], existing: readonly Rule[] = []): readonly string[] {
  return suggest(prompts, existing).rules.map(({ rule }) => rule);
}

describe("suggested rules", () => {
  test("are exact, one for each call, however often it was asked", () => {
    expect(suggest([shell("npm test"), shell("npm test", "always"), shell(" npm test\n"), shell("git fetch")]).rules).toEqual([
      { rule: "Bash(npm test)", prompts: 3, open: null },
      { rule: "Bash(git fetch)", prompts: 1, open: null },
    ]);
  });

  test("a compound call whose parts are approved needs none of its own", () => {
    expect(rulesFor([shell("npm run a && npm run b"), shell("npm run b"), shell("npm run a")])).toEqual(["Bash(npm run b)", "Bash(npm run a)"]);
    expect(rulesFor([shell("npm run a && npm run b")])).toEqual(["Bash(npm run a && npm run b)"]);
  });

  test("stars and other odd characters of a command stay plain characters", () => {
    const [rule] = rulesFor([shell("ls *.ts")]);
    expect(rule).toBe("Bash(ls \\*.ts)");
    const policy = compilePolicy([{ verdict: "allow", text: rule ?? "" }]);
    const verdict = (command: string): string => evaluate({ name: "Bash", input: { command } }, policy, SCENE).verdict;
    expect([verdict("ls *.ts"), verdict("ls a.ts")]).toEqual(["allow", "ask"]);
  });

  test("calls that rules allow already are counted and need none", () => {
    const { rules, counts } = suggest(
      [shell("npm test"), { tool: "Read", input: { file_path: "a" }, answer: "allow" }],
      [{ verdict: "allow", text: "Bash(npm test)" }],
    );
    expect({ rules, counts }).toEqual({ rules: [], counts: { approved: 2, saved: 0, already: 2, denied: 0, unanswered: 0 } });
  });

  test("files and addresses by name, with what a rule can't say", () => {
    const call = (tool: string, input: AnsweredPrompt["input"]): AnsweredPrompt => ({ tool, input, answer: "allow" });
    expect(
      suggest([
        call("Write", { file_path: "a.md", content: "1" }),
        call("write_file", { path: "a.md", content: "2" }),
        call("Edit", { file_path: "b{1}.md" }),
        call("WebFetch", { url: "https://example.com/a", prompt: "x" }),
      ]).rules,
    ).toEqual([
      { rule: "Write(a.md)", prompts: 2, open: "any content" },
      { rule: "Edit(b\\{1\\}.md)", prompts: 1, open: "any edit" },
      { rule: "WebFetch(https://example.com/a)", prompts: 1, open: "any prompt" },
    ]);
  });

  test("a call that was also denied is left to a person", () => {
    const { rules, left } = suggest([shell("git push"), shell("git push", "deny")]);
    expect({ rules, left }).toEqual({ rules: [], left: [{ tool: "Bash", input: { command: "git push" }, prompts: 1, why: "The same call was also denied." }] });
  });

  test("so is one that only a rule for every call of its tool would cover, one without words, and one that a rule can't settle", () => {
    const { rules, left } = suggest(
      [
        { tool: "mcp__db__query", input: { sql: "1" }, answer: "allow" },
        { tool: "Bash", input: {}, answer: "allow" },
        { tool: "Agent", input: { subagent_type: "x" }, answer: "allow" },
        shell("rm x"),
      ],
      [{ verdict: "ask", text: "Bash(rm:*)" }],
    );
    expect(rules).toEqual([]);
    expect(left.map(({ tool, why }) => [tool, why.slice(0, 7)])).toEqual([
      ["mcp__db__query", "No rule"],
      ["Bash", "No rule"],
      ["Agent", "No rule"],
      ["Bash", "Asked b"],
    ]);
  });

  test("a denied call that approved parts would let through costs the part of fewest prompts", () => {
    const prompts = [shell("cd build"), shell("cd build"), shell("make clean"), shell("cd build && make clean", "deny")];
    const { rules, left } = suggest(prompts);
    expect(rules).toEqual([{ rule: "Bash(cd build)", prompts: 2, open: null }]);
    expect(left).toEqual([{ tool: "Bash", input: { command: "make clean" }, prompts: 1, why: "With this rule a call that was denied would pass." }]);
  });

  test("nobody's silence is neither yes nor no", () => {
    expect(suggest([shell("ls", "none")])).toEqual({
      rules: [],
      offers: [],
      left: [],
      counts: { approved: 0, saved: 0, already: 0, denied: 0, unanswered: 1 },
    });
  });

  test("every approved call is allowed by them or left, and no denied one is allowed", () => {
    const words = ["a", "b", "c", "a && b", "b; c", "a | c", "$X", "a > out", "b", "a"];
    const prompts = words.flatMap((first, index) => [
      shell(`run ${first}`, index % 4 === 3 ? "deny" : "allow"),
      shell(`run ${first} && run ${words[(index * 7) % 10]}`, index % 3 === 0 ? "deny" : "always"),
    ]);
    const { rules, left } = suggest(prompts);
    const policy = compilePolicy(rules.map(({ rule }): Rule => ({ verdict: "allow", text: rule })));
    const verdict = ({ tool, input }: AnsweredPrompt): string => evaluate({ name: tool, input }, policy, SCENE).verdict;
    const leftOver = new Set(left.map(({ input }) => JSON.stringify(input)));
    const denied = new Set(prompts.filter(({ answer }) => answer === "deny").map(({ input }) => JSON.stringify(input)));
    for (const prompt of prompts) {
      const key = JSON.stringify(prompt.input);
      expect([key, verdict(prompt)]).toEqual([key, denied.has(key) || leftOver.has(key) ? "ask" : "allow"]);
    }
  });
});

describe("offered rules", () => {
  const runs = ["npm run a", "npm run b", "npm run c --fix"].map((command) => shell(command));

  test("a prefix of whole words that three approved calls share", () => {
    expect(suggest(runs).offers).toEqual([{ rule: "Bash(npm run:*)", prompts: 3, calls: ["npm run a", "npm run b", "npm run c --fix"] }]);
    expect(suggest(runs.slice(1)).offers).toEqual([]);
  });

  test("not when it would cover a denied call, nor for a program alone", () => {
    expect(suggest([...runs, shell("npm run evil", "deny")]).offers).toEqual([]);
    expect(suggest([shell("rm a"), shell("rm b"), shell("rm c")]).offers).toEqual([]);
  });

  test("the longest prefix first, a shorter one only for three calls more", () => {
    const more = ["npm run c x", "npm run c y", "npm run c 'z'"].map((command) => shell(command));
    expect(suggest([...runs, ...more]).offers.map(({ rule, calls }) => [rule, calls.length])).toEqual([["Bash(npm run c:*)", 4]]);
  });

  test("not when an option would still be asked", () => {
    expect(suggest(["-c a=b x", "-c a=b y", "-c a=b z"].map((rest) => shell(`git ${rest}`))).offers).toEqual([]);
  });

  test("a tool that rules can't look into, by its name", () => {
    const query = (sql: string): AnsweredPrompt => ({ tool: "mcp__db__query", input: { sql }, answer: "allow" });
    expect(suggest([query("1"), query("2"), query("3")]).offers).toEqual([
      { rule: "mcp__db__query", prompts: 3, calls: ['{"sql":"1"}', '{"sql":"2"}', '{"sql":"3"}'] },
    ]);
    expect(suggest([query("1"), query("2"), query("3"), { ...query("4"), answer: "deny" }]).offers).toEqual([]);
    const question = (text: string): AnsweredPrompt => ({ tool: "AskUserQuestion", input: { questions: [text] }, answer: "allow" });
    expect(suggest([question("1"), question("2"), question("3")]).offers.map(({ rule }) => rule)).toEqual(["AskUserQuestion"]);
  });
});
