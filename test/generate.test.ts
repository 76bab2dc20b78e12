import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { exportsOf } from "../scripts/generate/api.ts";
import { dialectsReference, errorsReference, eventsReference, noticesReference } from "../scripts/generate/reference.ts";
import { dialectSchema, sharedSchema } from "../scripts/generate/schema.ts";
import { readConfigFile } from "../src/config/read.ts";
import { DIALECT_LIST, DIALECTS, type DialectId } from "../src/dialects/index.ts";
import { ERRORS } from "../src/model/errors.ts";
import { EVENTS } from "../src/model/events.ts";
import { NOTICES } from "../src/model/notice.ts";
import { folderWith } from "./config/folder.ts";
import { schemaErrors } from "./lint/json-schema.ts";

/** The configurations of the agents' own documentation, and what our own files may say. */
const SOUND: readonly (readonly [DialectId, string])[] = [
  [
    "lime",
    `{ hooks: { PreToolUse: ["./scripts/before_tool.sh"], PostToolUse: ["./scripts/log_tool.sh"], SessionStart: ["echo session started"], UserPromptSubmit: [], Stop: [] }, theme: dark }`,
  ],
  ["claw", `hooks: { PreToolUse: ["if echo \\"$HOOK_TOOL_INPUT\\" | grep -q 'rm -rf'; then echo 'Blocked: destructive command'; exit 2; fi"] }`],
  ["mains", `{ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": ["callback"], "timeout": 30 }] } }`],
  ["robota", `{ permissions: { allow: ["Read(*)", "Glob(*)", "Grep(*)", "Bash(pnpm *)"], deny: ["Bash(rm -rf *)"] } }`],
  [
    "robota",
    `{ hooks: { PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: "bash .hooks/validate-bash.sh" }] }], PostToolUse: [{ matcher: "", hooks: [{ type: command, command: "bash .hooks/log-tool-use.sh" }] }] } }`,
  ],
  [
    "goose",
    `{ GOOSE_MODEL: x, hooks: { session_start: [{ command: /path/to/start-hook.sh, timeout: 15 }], pre_tool_use: [{ command: /path/to/scanner.sh, timeout: 5, tool_name: developer__shell }] } }`,
  ],
  [
    "claude-code",
    `{ model: opus, hooks: { Stop: [{ hooks: [{ type: command, command: x, async: true, statusMessage: busy }] }], CwdChanged: [{ hooks: [] }], SessionStart: [{ matcher: startup, hooks: [{ type: http, url: "https://a.test/" }] }] } }`,
  ],
  [
    "snaphook",
    `{ $schema: x, hooks: { tool.before: [{ args: [a, b], matcher: shell, if: "Bash(git push *)", timeout: 1.5s, onFault: deny, once: true, env: { A: b } }, { url: "http://a.test" }, { type: callback, callback: x }], session.end: }, permissions: { defaultMode: plan } }`,
  ],
  ["snaphook", `{ eventTimeout: 30s, hooks: { tool.before: [{ command: a, onFault: { timeout: deny, badOutput: ask, default: allow } }] } }`],
];

/** What an editor should mark. */
const BROKEN: readonly (readonly [DialectId, string, string])[] = [
  ["lime", "hooks: { PreToolUze: [a] }", "$.hooks.PreToolUze: unknown"],
  ["lime", "hooks: { PreToolUse: [{ command: a }] }", "$.hooks.PreToolUse[0]: type"],
  ["lime", "hooks: { PreToolUse: a }", "$.hooks.PreToolUse: type"],
  ["claw", "hooks: { SessionStart: [a] }", "$.hooks.SessionStart: unknown"],
  ["mains", "hooks: { Stop: [{ matcher: a }] }", "$.hooks.Stop[0]: required"],
  ["mains", "hooks: { Stop: [{ hooks: [{ type: command, command: a }] }] }", "$.hooks.Stop[0].hooks[0]: type"],
  ["robota", "hooks: { Stop: [{ hooks: [{ type: comand, command: a }] }] }", "$.hooks.Stop[0].hooks[0].type: enum"],
  ["robota", "hooks: { Stop: [{ hooks: [{ type: http, command: a }] }] }", "$.hooks.Stop[0].hooks[0]: required"],
  ["robota", "hooks: { Stop: [{ hooks: [{ timeout: 5 }] }] }", "$.hooks.Stop[0].hooks[0]: anyOf"],
  ["goose", "hooks: { pre_tool_use: [{ timeout: 5 }] }", "$.hooks.pre_tool_use[0]: required"],
  ["goose", "hooks: { pre_tool_use: [{ command: a, timeout: 0 }] }", "$.hooks.pre_tool_use[0].timeout: exclusiveMinimum"],
  ["claude-code", "permissions: { defaultMode: yolo }", "$.permissions.defaultMode: enum"],
  ["snaphook", "hooks: { tool.before: [{ command: a, timeout: 10x }] }", "$.hooks.tool.before[0].timeout: pattern"],
  ["snaphook", "hooks: { tool.before: [{ command: a, bogus: 1 }] }", "$.hooks.tool.before[0].bogus: unknown"],
  ["snaphook", "eventTimeout: soon", "$.eventTimeout: pattern"],
  ["snaphook", "hooks: { tool.before: [{ command: a, onFault: { timeuot: deny } }] }", "$.hooks.tool.before[0].onFault: anyOf"],
  ["snaphook", "hoks: {}", "$.hoks: unknown"],
];

async function readProblems(dialect: DialectId, text: string): Promise<string[]> {
  const path = join(folderWith({ "c.yaml": text }), "c.yaml");
  const { notices } = await readConfigFile({ path, layer: "run", dialects: [DIALECTS[dialect]], plugin: null, named: true });
  return notices.filter(({ kind }) => kind !== "unfired-event").map(({ message }) => message);
}

describe("schemas", () => {
  test.each(SOUND)("%s: a sound file is valid, for the schema and for the reader (%#)", async (dialect, text) => {
    expect([schemaErrors(parse(text), dialectSchema(DIALECTS[dialect])), await readProblems(dialect, text)]).toEqual([[], []]);
  });

  test.each(BROKEN)("%s: %s is marked, by the schema and by the reader", async (dialect, text, error) => {
    expect(schemaErrors(parse(text), dialectSchema(DIALECTS[dialect]))).toContain(error);
    expect(await readProblems(dialect, text)).toHaveLength(1);
  });

  test("every event has a description, for editors to show", () => {
    for (const dialect of DIALECT_LIST) {
      const text = JSON.stringify(dialectSchema(dialect));
      for (const name of [...Object.keys(dialect.events), ...dialect.unfired]) expect(text).toContain(`${JSON.stringify(name)}:{"description":`);
    }
  });

  test("[W1] entries of all three dialects may stand in one .claude file", () => {
    const schema = sharedSchema(".claude/settings.json");
    expect(schemaErrors({ hooks: { PreToolUse: ["a", { hooks: ["cb"] }, { hooks: [{ type: "command", command: "b" }] }] } }, schema)).toEqual([]);
    expect(schemaErrors({ hooks: { PreToolUse: [5] } }, schema)).toEqual(["$.hooks.PreToolUse[0]: anyOf"]);
  });
});

describe("reference pages", () => {
  test("every row of every table is on its page", () => {
    const events = eventsReference();
    for (const name of Object.keys(EVENTS)) expect(events).toContain(`| \`${name}\` |`);
    for (const code of Object.keys(ERRORS)) expect(errorsReference()).toContain(`| \`${code}\` |`);
    for (const kind of Object.keys(NOTICES)) expect(noticesReference()).toContain(`| \`${kind}\` |`);
    for (const { title } of DIALECT_LIST) expect(dialectsReference()).toContain(` ${title} |`);
  });

  test("[E1] Stop stands in three rows", () => {
    expect(
      eventsReference()
        .split("\n")
        .filter((line) => /\| `Stop` \|/.test(line))
        .map((line) => line.split("`")[1]),
    ).toEqual(["session.end", "turn.cancel", "turn.stop"]);
  });
});

describe("the API reference", () => {
  test("follows exports to their declarations, with comments, overloads and braces in texts", () => {
    const folder = folderWith();
    mkdirSync(join(folder, "a"));
    writeFileSync(join(folder, "index.d.ts"), 'export { one, type Two as Second } from "./a/b.ts";\nexport declare const LOCAL = 1;\n');
    writeFileSync(
      join(folder, "a/b.d.ts"),
      '/** Not this. */\nexport interface Two {\n    /** a } in a comment */\n    readonly x: "}";\n}\n/** The\n * first. */\nexport declare function one(a: string): { b: 1; };\nexport declare function one(a: number): void;\nexport type Rest = 1;\n',
    );
    expect(exportsOf(join(folder, "index.d.ts"))).toEqual([
      { name: "one", comment: "The\nfirst.", declaration: "function one(a: string): { b: 1; };\nfunction one(a: number): void;" },
      { name: "Second", comment: "Not this.", declaration: 'interface Two {\n    /** a } in a comment */\n    readonly x: "}";\n}' },
      { name: "LOCAL", comment: "", declaration: "const LOCAL = 1;" },
    ]);
  });
});
