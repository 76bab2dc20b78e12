import { describe, expect, test } from "vitest";
import { evaluate } from "../../../src/permissions/evaluate.ts";
import { lintRules } from "../../../src/permissions/lint.ts";
import { compilePolicy } from "../../../src/permissions/rules.ts";
import type { ToolCall } from "../../../src/model/tools.ts";
import { SCENE, rulesOf, shell } from "../scenes.ts";

type Lists = Parameters<typeof rulesOf>[0];

const BYPASS = { ...SCENE, mode: "bypassPermissions" } as const;

function verdict(call: ToolCall, lists: Lists, scene = SCENE): string {
  return evaluate(call, compilePolicy(rulesOf(lists)), scene).verdict;
}

const ISSUE: ToolCall = { name: "mcp__github__get_issue", input: { id: 1 } };
const fetch = (url: unknown): ToolCall => ({ name: "WebFetch", input: { url } });

describe("tools by name", () => {
  test.each<[string, ToolCall, Lists, string]>([
    ["a server allows its tools", ISSUE, { allow: ["mcp__github"] }, "allow"],
    ["a server with a star is the server", ISSUE, { allow: ["mcp__github__*"] }, "allow"],
    ["half a name with a star", ISSUE, { allow: ["mcp__github__get_*"] }, "allow"],
    ["half a name of another tool", ISSUE, { allow: ["mcp__github__set_*"] }, "ask"],
    ["a star for tools of every server allows nothing", ISSUE, { allow: ["mcp__*"] }, "ask"],
    ["a star with a pattern allows nothing", ISSUE, { allow: ["mcp__github__get_*(x)"] }, "ask"],
    ["a star denies", ISSUE, { deny: ["mcp__*"] }, "deny"],
    ["a star with a pattern may deny", ISSUE, { deny: ["mcp__*(x)"], allow: ["mcp__github"] }, "ask"],
    ["a pattern on a tool without an argument may deny", ISSUE, { deny: ["mcp__github__get_issue(x)"], allow: ["mcp__github"] }, "ask"],
    ["a server's deny covers its tools", ISSUE, { deny: ["mcp__github"], allow: ["mcp__github__get_issue"] }, "deny"],
    ["another server is no prefix", ISSUE, { deny: ["mcp__git"] }, "ask"],
    ["a name without a tool is no server", { name: "mcp__github", input: {} }, { deny: ["mcp__github"] }, "deny"],
    ["everything denied", ISSUE, { deny: ["*"] }, "deny"],
    ["a rule that names nothing asks", ISSUE, { deny: ["(x)"], allow: ["mcp__github"] }, "ask"],
    ["a rule that names nothing leaves reading alone", { name: "Read", input: { file_path: "/a" } }, { deny: ["(x)", "Read(/b)"] }, "allow"],
    ["an unknown tool", { name: "Frobnicate", input: {} }, { allow: ["Frobnicate"] }, "allow"],
  ])("[A1] %s", (_, call, lists, expected) => expect(verdict(call, lists)).toBe(expected));

  test("[A10] the rule that came first is named, whether it names the tool or its server", () => {
    const because = (allow: readonly string[]): string => evaluate(ISSUE, compilePolicy(rulesOf({ allow })), SCENE).because;
    expect(because(["mcp__github__get_issue", "mcp__github"])).toBe("Allowed by the allow rule mcp__github__get_issue.");
    expect(because(["mcp__github", "mcp__github__get_issue"])).toBe("Allowed by the allow rule mcp__github.");
    expect(because(["mcp__github__get_*", "mcp__github"])).toBe("Allowed by the allow rule mcp__github__get_*.");
  });
  test("[A5] a rule for all tools also speaks about the files of a command", () => {
    expect([shell("cat a > b", { deny: ["*", "Read(/x)"] }).verdict, shell("cat a > b", { ask: ["W*", "Read(/x)"], allow: ["Bash"] }).verdict]).toEqual([
      "deny",
      "allow",
    ]);
  });
  test("[A4] an empty prefix is everything to a deny and nothing to an allow", () => {
    expect([
      shell("ls", { deny: ["Bash(:*)"] }).verdict,
      shell("ls", { allow: ["Bash(:*)"] }).verdict,
      shell("ls", { ask: ["Bash(:*)"], allow: ["Bash"] }).verdict,
    ]).toEqual(["deny", "ask", "ask"]);
  });
});

describe("web tools", () => {
  test.each<[string, unknown, Lists, string]>([
    ["the domain", "https://example.com/x", { allow: ["WebFetch(domain:example.com)"] }, "allow"],
    ["a subdomain", "https://a.b.example.com", { allow: ["WebFetch(domain:example.com)"] }, "allow"],
    ["a subdomain by a star", "https://a.example.com", { allow: ["WebFetch(domain:*.example.com)"] }, "allow"],
    ["a look-alike", "https://notexample.com", { allow: ["WebFetch(domain:example.com)"] }, "ask"],
    ["every domain", "https://a", { allow: ["WebFetch(domain:*)"] }, "allow"],
    ["user, port, case and dot", "https://u@EXAMPLE.com.:8443/x", { deny: ["WebFetch(domain:Example.com.)"] }, "deny"],
    ["no address", "nonsense", { deny: ["WebFetch(domain:example.com)"], allow: ["WebFetch"] }, "ask"],
    ["an address without a host", "file:///etc/passwd", { deny: ["WebFetch(domain:example.com)"], allow: ["WebFetch"] }, "ask"],
    ["no address for an allow", "nonsense", { allow: ["WebFetch(domain:example.com)"] }, "ask"],
    ["the text of the address", "https://a/x/y", { allow: ["WebFetch(https://a/x/*)"] }, "allow"],
    ["an address that is no text", 7, { deny: ["WebFetch(domain:a)"], allow: ["WebFetch"] }, "ask"],
    ["an address that is no text for an allow", 7, { allow: ["WebFetch(domain:a)"] }, "ask"],
  ])("[A1] %s", (_, url, lists, expected) => expect(verdict(fetch(url), lists)).toBe(expected));
  test("[R2] without a rule the mode decides", () => {
    expect([verdict(fetch("https://a"), {}), verdict(fetch("https://a"), {}, BYPASS)]).toEqual(["ask", "allow"]);
  });
});

describe("files that commands name", () => {
  test.each<[string, string]>([
    ["dd of=/etc/x", "deny"],
    ["dd $X", "ask"],
    ["cp a /etc/x", "deny"],
    ["cp a /etc", "deny"],
    ["cp -t /etc a", "deny"],
    ["cp a", "allow"],
    ["cp a/ b", "allow"],
    ["cp / /etc", "deny"],
    ["cp a $X", "ask"],
    ["cp $X", "ask"],
    ["tee -a /etc/x", "deny"],
    ["tar xf a -C /etc", "deny"],
    ["tar x -f a", "allow"],
    ["curl -o /etc/x y", "deny"],
    ["curl --output=/etc/x y", "deny"],
    ["curl -o", "ask"],
  ])("[A5] with Write(/etc/**) denied, `%s` is %s", (command, expected) =>
    expect(shell(command, { deny: ["Write(/etc/**)"] }, { mode: "bypassPermissions" }).verdict).toBe(expected),
  );
  test.each<[string, string]>([
    ["curl -d @/etc/x y", "deny"],
    ["curl -F a=@/etc/x y", "deny"],
    ["grep x /etc/x", "deny"],
    ["grep -r x /", "ask"],
    ["grep -e x /etc/x", "deny"],
    ["grep x $X", "ask"],
    ["dd if=/etc/x", "deny"],
  ])("[A5] with Read(/etc/**) denied, `%s` is %s", (command, expected) =>
    expect(shell(command, { deny: ["Read(/etc/**)"] }, { mode: "bypassPermissions" }).verdict).toBe(expected),
  );
});

describe("linting", () => {
  test.each<[string, Lists, readonly string[]]>([
    ["a malformed allow", { allow: ["Bash("] }, ["malformed"]],
    ["a domain that can match", { deny: ["WebFetch(domain:a.b)"] }, []],
    ["of two covering rules the first is named", { deny: ["Bash(git *)", "Bash(git push *)", "Bash(git push origin *)"] }, ["covered", "covered"]],
    ["braces that nothing covers as a whole", { deny: ["Read(/a/**)", "Read({/a/b,/c})"] }, []],
    ["everything, and a text", { deny: ["Bash(git *)", "Bash(:*)", "Bash"] }, ["covered", "covered"]],
  ])("[F4] %s", (_, lists, kinds) => expect(lintRules(rulesOf(lists)).map(({ kind }) => kind)).toEqual(kinds));
});
