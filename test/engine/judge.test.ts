import { describe, expect, test } from "vitest";
import { Gate } from "../../src/engine/judge.ts";
import { noFiles } from "../../src/permissions/file-view.ts";
import type { Rule } from "../../src/model/rule.ts";

const DENY_ENV: Rule = { verdict: "deny", text: "Read(.env)" };
const gateWith = (rules: readonly Rule[]): Gate =>
  new Gate({ rules, mode: "default", permits: (mode) => mode, root: "/srv/proj", home: "/home/dev", platform: "posix", files: () => noFiles });

describe("gate", () => {
  test("[E3] a call that names two files by two spellings of one key is judged for both", () => {
    const gate = gateWith([DENY_ENV]);
    const verdict = (input: { readonly [key: string]: string }): string | undefined =>
      gate.judge({ name: "tool.before", tool: { name: "Read", input } })?.verdict;
    expect(verdict({ file_path: "a.txt", filePath: ".env" })).toBe("deny");
    expect(verdict({ path: ".env" })).toBe("deny");
    expect(verdict({ file_path: "a.txt", filePath: "a.txt" })).toBe("allow");
  });

  test("[A7] rules that a session learned hold for it alone, and never beat a deny", () => {
    const gate = gateWith([{ verdict: "deny", text: "Bash(rm *)" }]);
    const learned: readonly Rule[] = [{ verdict: "allow", text: "Bash" }];
    const verdict = (command: string, rules?: readonly Rule[]): string | undefined =>
      gate.judge({ name: "tool.before", tool: { name: "Bash", input: { command } } }, rules)?.verdict;
    expect([verdict("make"), verdict("make", learned), verdict("rm x", learned), verdict("make")]).toEqual(["ask", "allow", "deny", "ask"]);
  });

  test("[A1] an event without a call has no judgement", () => {
    expect(gateWith([DENY_ENV]).judge({ name: "session.start" })).toBeNull();
  });

  test("the event's mode counts before the engine's", () => {
    const report = gateWith([]).report({ name: "tool.before", permissionMode: "plan", tool: { name: "Write", input: { file_path: "a" } } });
    expect(report).toMatchObject({ verdict: "deny", step: "mode", mode: "plan" });
  });
});

describe("searches", () => {
  test("[A5] a rule on everything below a folder is a rule on searching it", () => {
    const gate = gateWith([{ verdict: "deny", text: "Read(secret/**)" }]);
    const verdict = (name: string, path: string): string | undefined =>
      gate.judge({ name: "tool.before", tool: { name, input: { pattern: "x", path } } })?.verdict;
    expect([verdict("Grep", "secret"), verdict("Glob", "secret/deep"), verdict("Grep", "src"), verdict("Grep", ".")]).toEqual([
      "deny",
      "deny",
      "allow",
      "allow",
    ]);
  });
});
