import { describe, expect, test } from "vitest";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { DIALECTS } from "../../src/dialects/index.ts";
import { match } from "../../src/engine/match.ts";
import { buildRegistry } from "../../src/engine/registry.ts";
import type { HookEvent } from "../../src/model/events.ts";
import type { Hook, Matcher } from "../../src/model/hook.ts";
import { hookFor } from "../../src/testing/index.ts";
import { callOf, guard } from "../support/events.ts";

const { lime, goose, robota, mains, "claude-code": claudeCode, snaphook } = DIALECTS;
const yes = (): boolean => true;
const pattern = (text: string): Matcher => ({ kind: "pattern", text, test: (subject) => new RegExp(text, "u").test(subject) });
const names = (...all: string[]): Matcher => ({ kind: "names", names: all });
const fires = (hook: Hook, event: HookEvent): boolean => match(buildRegistry([hook]), event, yes).length === 1;
const calling = (name: string, input = {}): HookEvent => ({ name: "tool.before", tool: { name, input } });

describe("tools", () => {
  test.each<[string, Dialect]>([
    ["Bash", robota],
    ["shell", snaphook],
    ["bash", lime],
    ["developer__shell", goose],
    ["Bash", goose],
    ["developer__shell", claudeCode],
  ])("[E3] a matcher %s fires for a shell call, whoever spells it (%#)", (name, dialect) => {
    for (const spelled of ["shell", "Bash", "bash", "developer__shell"]) {
      expect(fires(guard("h", dialect, { matcher: names(name) }), calling(spelled))).toBe(true);
      expect(fires(guard("h", dialect, { matcher: pattern(`^${name}$`) }), calling(spelled))).toBe(true);
    }
    expect(fires(guard("h", dialect, { matcher: names(name) }), calling("Read"))).toBe(false);
  });

  test("[E3] a tool in no table passes through unchanged", () => {
    expect(fires(guard("h", claudeCode, { matcher: pattern("mcp__fake__.*") }), calling("mcp__fake__add"))).toBe(true);
    expect(fires(guard("h", claudeCode, { matcher: names("mcp__fake") }), calling("mcp__fake__add"))).toBe(false);
  });

  test("one name for several tools: what the call is about tells them apart", () => {
    const reads = guard("h", robota, { matcher: names("Read") });
    expect(fires(reads, calling("developer__text_editor", { command: "view", path: "/a" }))).toBe(true);
    expect(fires(reads, calling("developer__text_editor", { command: "write", path: "/a" }))).toBe(false);
  });

  test("Task still means Agent", () => {
    expect(fires(guard("h", claudeCode, { matcher: names("Task") }), calling("Agent"))).toBe(true);
  });

  test("case counts", () => {
    expect(fires(guard("h", claudeCode, { matcher: names("BASH") }), calling("Bash"))).toBe(false);
  });
});

describe("other subjects", () => {
  test("SessionStart matches its source", () => {
    const hook = hookFor(claudeCode, "SessionStart", { matcher: names("resume") });
    expect(fires(hook, { name: "session.start", source: "resume" })).toBe(true);
    expect(fires(hook, { name: "session.start", source: "startup" })).toBe(false);
  });

  test("SubagentStart matches the type, PreCompact the trigger", () => {
    expect(fires(hookFor(claudeCode, "SubagentStart", { matcher: names("explore") }), { name: "subagent.start", agent: { type: "plan" } })).toBe(false);
    expect(fires(hookFor(claudeCode, "PreCompact", { matcher: names("auto") }), { name: "compact.before", trigger: "auto" })).toBe(true);
  });

  test("where an event has nothing to match against, the hook fires", () => {
    expect(fires(hookFor(mains, "UserPromptSubmit", { matcher: names("Bash") }), { name: "prompt.submit", prompt: "hi" })).toBe(true);
  });

  test("[G1] goose's filter is for tool events only", () => {
    expect(fires(hookFor(goose, "session_start", { matcher: names("developer__shell") }), { name: "session.start", source: "startup" })).toBe(true);
  });
});

describe("the registry", () => {
  test("[E2] one wire event stands for two canonical ones", () => {
    const registry = buildRegistry([hookFor(robota, "PostToolUse")]);
    expect(match(registry, { name: "tool.after" }, yes)).toHaveLength(1);
    expect(match(registry, { name: "tool.failed" }, yes)).toHaveLength(1);
    expect(match(registry, { name: "tool.before" }, yes)).toHaveLength(0);
  });

  test("hooks keep configured order", () => {
    const hooks = ["c", "a", "b"].map((name) => guard(name));
    expect(match(buildRegistry(hooks), callOf("ls"), yes)).toEqual(hooks);
  });
});

describe("conditions", () => {
  const hook = guard("h", claudeCode, { condition: "Bash(git *)" });

  test("are asked with the call", () => {
    const asked: unknown[] = [];
    const found = match(buildRegistry([hook]), callOf("ls"), (condition, event) => asked.push([condition, event.tool?.input]) < 0);
    expect([found, asked]).toEqual([[], [["Bash(git *)", { command: "ls" }]]]);
  });

  test("are not asked where the matcher already said no", () => {
    const narrow = { ...hook, matcher: names("Read") };
    expect(match(buildRegistry([narrow]), callOf("ls"), () => expect.unreachable("the condition was asked"))).toEqual([]);
  });

  test("mean nothing at an event without a call", () => {
    const start = hookFor(claudeCode, "SessionStart", { condition: "Bash(git *)" });
    expect(match(buildRegistry([start]), { name: "session.start" }, () => false)).toHaveLength(1);
  });
});
