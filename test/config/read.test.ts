import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfigFile, type ConfigFile } from "../../src/config/read.ts";
import { DIALECTS, type DialectId } from "../../src/dialects/index.ts";
import { folderWith } from "./folder.ts";

async function read(name: string, text: string, ...dialects: readonly DialectId[]): Promise<ConfigFile> {
  const path = join(folderWith({ [name]: text }), name);
  return readConfigFile({ path, layer: "run", dialects: dialects.map((id) => DIALECTS[id]), plugin: null, named: true });
}

const armed = ({ hooks }: ConfigFile): string[] =>
  hooks.map(({ dialect, wireName, name, source }) => `${dialect} ${wireName} ${name} ${source?.line}:${source?.column}`);
const told = ({ notices }: ConfigFile): string[] => notices.map(({ kind, line, column, message }) => `${line}:${column} ${kind} ${message}`);
const kinds = ({ notices }: ConfigFile): string[] => notices.map(({ kind, line, column }) => `${line}:${column} ${kind}`);

describe("formats", () => {
  const JSON_TEXT = '{\n  "hooks": {\n    "PreToolUse": ["./a.sh",\n      "./b.sh"]\n  }\n}\n';

  test("JSON: every hook has its line and column", async () => {
    expect(armed(await read("s.json", JSON_TEXT, "lime"))).toEqual(["lime PreToolUse ./a.sh 3:20", "lime PreToolUse ./b.sh 4:7"]);
  });

  test("JSON with comments and trailing commas", async () => {
    const file = await read("s.json", '// mine\n{\n  "hooks": {\n    /* guard */ "PreToolUse": ["./a.sh",],\n  },\n}', "lime");
    expect([armed(file), file.notices]).toEqual([["lime PreToolUse ./a.sh 4:32"], []]);
  });

  test("a byte order mark moves no column", async () => {
    expect(armed(await read("s.json", `\uFEFF{"hooks": {"PreToolUse": ["./a.sh"]}}`, "lime"))).toEqual(["lime PreToolUse ./a.sh 1:27"]);
    expect(armed(await read("s.yaml", "\uFEFFhooks:\n  pre_tool_use:\n    - command: a\n", "goose"))).toEqual(["goose pre_tool_use a 3:16"]);
  });

  test("CRLF counts as one line end, in every format", async () => {
    expect(armed(await read("s.json", JSON_TEXT.replaceAll("\n", "\r\n"), "lime"))).toEqual(["lime PreToolUse ./a.sh 3:20", "lime PreToolUse ./b.sh 4:7"]);
    expect(armed(await read("s.yaml", "hooks:\r\n  pre_tool_use:\r\n    - command: a b\r\n      timeout: 5\r\n", "goose"))).toEqual([
      "goose pre_tool_use a b 3:16",
    ]);
    expect(armed(await read("s.toml", '[[hooks."tool.before"]]\r\ncommand = "a"\r\n', "snaphook"))).toEqual(["snaphook tool.before a 2:1"]);
  });

  test("YAML: flow style, anchors and merge keys", async () => {
    const text = "limits: &limits { timeout: 5 }\nhooks:\n  pre_tool_use:\n    - { <<: *limits, command: a }\n    - <<: *limits\n      command: b\n";
    const file = await read("c.yaml", text, "goose");
    expect(armed(file)).toEqual(["goose pre_tool_use a 4:31", "goose pre_tool_use b 6:16"]);
    expect(file.hooks.map(({ timeoutMs }) => timeoutMs)).toEqual([5_000, 5_000]);
  });

  test("TOML: lists of tables", async () => {
    const text =
      '# mine\n[[hooks."tool.before"]]\ncommand = "a"\ntimeout = "2s"\n\n[[hooks."tool.before"]]\n  command = "b"\n\n[permissions]\ndeny = ["Bash(rm *)"]\n';
    const file = await read("h.toml", text, "snaphook");
    expect(armed(file)).toEqual(["snaphook tool.before a 3:1", "snaphook tool.before b 7:3"]);
    expect(file.rules.map(({ verdict, text: rule }) => `${verdict} ${rule}`)).toEqual(["deny Bash(rm *)"]);
  });

  test.each([
    ["s.json", '{"hooks": {"PreToolUse": [}', "1:27"],
    ["s.yaml", "hooks:\n  a: [1\n  b: 2\n", "3:"],
    ["s.toml", 'hooks = \nx = "', "1:9"],
    ["s.json", "", "1:1"],
  ])("%s that can't be parsed is broken, with the place (%#)", async (name, text, at) => {
    const file = await read(name, text, "lime");
    expect([file.broken, file.hooks]).toEqual([true, []]);
    expect(told(file)).toEqual([expect.stringContaining(at)]);
    expect(told(file)[0]).toContain("nothing in it is armed");
  });

  test("a file that is not there is told, not thrown", async () => {
    const file = await readConfigFile({ path: join(folderWith(), "none.json"), layer: "run", dialects: [], plugin: null, named: true });
    expect([file.broken, kinds(file)]).toEqual([true, ["1:1 unreadable-file"]]);
  });

  test("a list or a text instead of an object is told", async () => {
    expect(kinds(await read("s.json", "[]", "lime"))).toEqual(["1:1 wrong-type"]);
    expect(kinds(await read("s.json", '{"hooks": []}', "lime"))).toEqual(["1:11 wrong-type"]);
  });
});

describe("[F3] one malformed entry never disables its neighbours", () => {
  test("[F3] an entry of the wrong type in a list of commands", async () => {
    const file = await read("s.json", '{"hooks": {"PreToolUse": ["a", 42, null, {"x": 1}, "", "b"], "Stop": "c", "SessionEnd": ["d"]}}', "lime");
    expect(armed(file)).toEqual(["lime PreToolUse a 1:27", "lime PreToolUse b 1:56", "lime SessionEnd d 1:90"]);
    expect(kinds(file)).toEqual(["1:32 wrong-type", "1:36 wrong-type", "1:42 wrong-type", "1:52 bad-command", "1:70 wrong-type"]);
  });

  test("[F3] an unknown event, with what was meant and how many hooks it costs", async () => {
    const file = await read("s.json", '{"hooks": {\n  "PreToolUze": ["a", "b"],\n  "PreToolUse": ["c"]}}', "lime");
    expect(armed(file)).toEqual(["lime PreToolUse c 3:18"]);
    expect(told(file)).toEqual(['2:3 unknown-event unknown event "PreToolUze", did you mean "PreToolUse"?  The 2 hooks under it never run.']);
  });

  test("[F4] [R5] an option that the dialect's agent does not know has no effect, and it is said: async must not lose Robota's denial", async () => {
    const text = '{"hooks": {"PreToolUse": [{"hooks": [\n{"type": "command", "command": "a", "async": true, "once": true, "if": "Bash(x)"}]}]}}';
    const options = ({ hooks }: ConfigFile): unknown[] => hooks.map((hook) => [hook.async, hook.once, hook.condition]);
    const robota = await read("s.json", text, "robota");
    expect(options(robota)).toEqual([[false, false, null]]);
    expect(told(robota)).toEqual([
      '2:37 unknown-key Robota hooks have no "async"; it was ignored',
      '2:52 unknown-key Robota hooks have no "once"; it was ignored',
      '2:66 unknown-key Robota hooks have no "if"; it was ignored',
    ]);
    const claudeCode = await read("s.json", text, "claude-code");
    expect([options(claudeCode), told(claudeCode)]).toEqual([[[true, true, "Bash(x)"]], []]);
  });

  test("[F3] a hook of an unknown type in a group", async () => {
    const text =
      '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "comand", "command": "a"}, {"type": "command", "command": "b"}, {"type": "http"}, 7]}]}}';
    const file = await read("s.json", text, "robota");
    expect(armed(file)).toEqual(["robota PreToolUse b 1:124"]);
    expect(kinds(file)).toEqual(["1:66 wrong-type", "1:130 missing-key", "1:148 wrong-type"]);
  });

  test("[F3] a bad pattern turns its own hook off", async () => {
    const file = await read("c.yaml", 'hooks:\n  pre_tool_use:\n    - command: a\n      tool_name: "developer__("\n    - command: b\n', "goose");
    expect([armed(file), kinds(file)]).toEqual([["goose pre_tool_use b 5:16"], ["4:18 bad-pattern"]]);
  });

  test("[F3] a command with an open quote", async () => {
    const file = await read("c.yaml", `hooks:\n  pre_tool_use:\n    - command: "a 'b"\n    - command: c\n`, "goose");
    expect([armed(file), kinds(file)]).toEqual([["goose pre_tool_use c 4:16"], ["3:16 bad-command"]]);
  });

  test("[F3] a bad option costs only itself, and what guards more holds", async () => {
    const file = await read("h.yaml", "hooks:\n  tool.before:\n    - command: a\n      timeout: 10x\n      onFault: maybe\n      enabled: 3\n", "snaphook");
    expect(file.hooks.map(({ timeoutMs, onFault }) => [timeoutMs, onFault])).toEqual([[60_000, "deny"]]);
    expect(kinds(file)).toEqual(["4:16 bad-duration", "5:16 wrong-type", "6:16 wrong-type"]);
  });

  test("every entry is accounted for: what came of it, and what was said", async () => {
    const file = await read("s.json", '{"hooks": {"PreToolUse": [{"hooks": [{"command": "a"}, {"type": "x"}]}], "Nope": [{"hooks": [{}, {}]}]}}', "robota");
    expect(file.entries.map(({ wireName, meant, hooks, notices }) => [wireName, meant, hooks.length, notices.length])).toEqual([
      ["PreToolUse", 2, 1, 1],
      ["Nope", 2, 0, 1],
    ]);
  });
});

describe("hooks that stay between events", () => {
  const native = async (entry: string): Promise<ConfigFile> => read("h.yaml", `hooks:\n  tool.before:\n    - ${entry}\n`, "snaphook");

  test("worker: true keeps a command, for ten minutes without an event or as long as it says", async () => {
    const command = { type: "command", launch: "sh -c", command: "a", args: null };
    expect((await native("{ command: a, worker: true }")).hooks[0]?.action).toEqual({ ...command, worker: { idleMs: 600_000 } });
    expect((await native("{ command: a, worker: true, idle: 30s }")).hooks[0]?.action).toEqual({ ...command, worker: { idleMs: 30_000 } });
    expect((await native("{ command: a, worker: false }")).hooks[0]?.action).toEqual(command);
  });

  test("a module is named from its file", async () => {
    const file = await native("{ module: ./a.ts, idle: 1m }");
    const module = join(file.source.path, "../a.ts");
    expect(file.hooks).toMatchObject([{ name: "./a.ts", action: { type: "module", module, worker: { idleMs: 60_000 } } }]);
    expect(told(file)).toEqual([]);
  });

  test.each([
    ["{ url: 'http://a.test', worker: true }", 1, "3:39 unsupported-option worker is for command hooks; this one is of type http"],
    ["{ command: a, idle: 5s }", 1, "3:27 unsupported-option idle is for hooks that stay between events: add worker: true"],
    ["{ module: ./a.ts, worker: false }", 1, "3:33 unsupported-option a module always stays between events; remove worker"],
    ["{ command: a, worker: true, idle: 5 }", 1, "3:41 bad-duration idle 5 is not a duration; write 10s, 500ms or 2m; the default holds"],
    ["{ command: a, worker: yes please }", 1, '3:29 wrong-type worker "yes please" is not true or false'],
    ["{ command: a, module: ./a.ts }", 0, '3:7 missing-key an entry has either "module" or "command", not both'],
    ["{ type: module, command: a }", 0, '3:7 missing-key a module hook needs "module", the path of a JavaScript or TypeScript file'],
  ])("%s", async (entry, count, notice) => {
    const file = await native(entry);
    expect([file.hooks.length, told(file)]).toEqual([count, [notice]]);
  });

  test("other dialects have neither", async () => {
    const file = await read("s.json", '{"hooks": {"Stop": [{"hooks": [{"command": "a", "worker": true, "module": "b", "idle": 1}]}]}}', "claude-code");
    expect(file.hooks.map(({ action }) => action)).toEqual([{ type: "command", launch: "sh -c", command: "a", args: null }]);
  });
});

describe("keys", () => {
  test("[F4] a key that stands twice is told; events of both lists are armed", async () => {
    const file = await read("s.json", '{"hooks": {"Stop": ["a"],\n "Stop": ["b"]}}', "lime");
    expect([armed(file), kinds(file)]).toEqual([["lime Stop a 1:21", "lime Stop b 2:11"], ["2:2 duplicate-key"]]);
  });

  test("[F4] hooks that stand twice are told: the first ones are off", async () => {
    const file = await read("s.json", '{"hooks": {"Stop": ["a"]},\n "model": 1, "model": 2, "hooks": {}}', "lime");
    expect([armed(file), kinds(file)]).toEqual([[], ["2:26 duplicate-key"]]);
  });

  test("[F4] a field of null is an absent one, and told where it is needed", async () => {
    const goose = await read("c.yaml", "hooks:\n  pre_tool_use:\n    - command:\n      timeout: 5\n", "goose");
    expect([armed(goose), kinds(goose)]).toEqual([[], ["3:7 missing-key"]]);
    const robota = await read("s.json", '{"hooks": {"Stop": [{"hooks": [{"type": null, "command": "a"}]}]}}', "robota");
    expect([armed(robota), kinds(robota)]).toEqual([["robota Stop a 1:58"], []]);
  });

  test("[F4] a misspelt key at the root would disarm the file, so it is told", async () => {
    const file = await read("s.json", '{"hook": {"Stop": ["a"]}, "model": "x"}', "lime");
    expect(told(file)).toEqual(['1:2 unknown-key unknown key "hook", did you mean "hooks"?  Nothing under it is armed.']);
  });

  test("[F4] a misspelt list of rules is told", async () => {
    const file = await read("s.json", '{"permissions": {"denny": ["Bash"], "additionalDirectories": []}}', "lime");
    expect(told(file)).toEqual(['1:18 unknown-key unknown key "denny" in permissions, did you mean "deny"?  It has no effect.']);
  });

  test("our own file is strict on every key, a shared one tells near misses only", async () => {
    expect(kinds(await read("h.yaml", "hooks:\n  tool.before:\n    - command: a\n      bogus: 1\nother: 1\n", "snaphook"))).toEqual([
      "5:1 unknown-key",
      "4:7 unknown-key",
    ]);
    expect(kinds(await read("c.yaml", "other: 1\nhooks:\n  pre_tool_use:\n    - command: a\n      bogus: 1\n      timeot: 3\n", "goose"))).toEqual([
      "6:7 unknown-key",
    ]);
  });

  test("a key called toString or __proto__ is a key like any other", async () => {
    const file = await read("s.json", '{"hooks": {"toString": ["a"], "__proto__": ["b"], "constructor": ["c"], "Stop": ["d"]}}', "lime");
    expect([armed(file), kinds(file)]).toEqual([["lime Stop d 1:82"], ["1:12 unknown-event", "1:31 unknown-event", "1:51 unknown-event"]]);
  });
});

describe("whose words", () => {
  test("[W1] in a .claude file the shape of an entry names its dialect, and all may stand in one file", async () => {
    const text = '{"hooks": {"PreToolUse": ["a", {"hooks": ["cb"]}, {"hooks": [{"type": "command", "command": "b"}]}, 5]}}';
    const file = await read("s.json", text, "claw", "mains", "claude-code");
    expect(file.hooks.map(({ dialect, name }) => `${dialect} ${name}`)).toEqual(["claw a", "mains cb", "claude-code b"]);
    expect(kinds(file)).toEqual(["1:101 wrong-type"]);
  });

  test.each([
    ["h.yaml", "hooks: { tool.before: [{ command: a }] }", "snaphook"],
    ["c.yaml", "hooks: { pre_tool_use: [{ command: a }] }", "goose"],
    ["s.json", '{"hooks": {"PreToolUse": ["a"]}}', "lime"],
    ["s.json", '{"hooks": {"PreToolUse": [{"hooks": ["a"]}]}}', "mains"],
    ["s.json", '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "a"}]}]}}', "claude-code"],
  ])("%s without a place is known by its words (%#)", async (name, text, dialect) => {
    expect((await read(name, text)).hooks.map((hook) => hook.dialect)).toEqual([dialect]);
  });

  test("an event that the agent has and nobody fires is information, not an error", async () => {
    expect(kinds(await read("s.json", '{"hooks": {"CwdChanged": [{"hooks": []}]}}', "claude-code"))).toEqual(["1:12 unfired-event"]);
  });
});

describe("matchers", () => {
  const matcherOf = async (text: string, dialect: DialectId): Promise<unknown> => {
    const file = await read("s.json", JSON.stringify({ hooks: { PreToolUse: [{ matcher: text, hooks: [{ type: "command", command: "a" }] }] } }), dialect);
    const [hook] = file.hooks;
    return hook?.matcher.kind === "pattern" ? hook.matcher.text : hook?.matcher;
  };

  test.each(["", "*", " "])("[R9] %j matches all", async (text) => {
    expect([await matcherOf(text, "robota"), await matcherOf(text, "claude-code")]).toEqual([{ kind: "all" }, { kind: "all" }]);
  });

  test("a list of names is exact in Claude Code and a pattern in Robota", async () => {
    expect([await matcherOf("Bash|Write", "claude-code"), await matcherOf("Bash|Write", "robota")]).toEqual([
      { kind: "names", names: ["Bash", "Write"] },
      "Bash|Write",
    ]);
  });
});

describe("permissions", () => {
  test("[W1] rules come with their places, and a list may stand twice", async () => {
    const file = await read("s.json", '{"permissions": {"allow": ["Read"],\n "deny": ["Bash(rm *)"], "allow": ["Grep", 4]}}', "robota");
    expect(file.rules.map(({ verdict, text, source }) => `${verdict} ${text} ${source?.line}:${source?.column}`)).toEqual([
      "allow Read 1:28",
      "allow Grep 2:36",
      "deny Bash(rm *) 2:11",
    ]);
    expect(kinds(file)).toEqual(["2:44 bad-rule"]);
  });

  test("[R2] a mode that does not exist is told", async () => {
    const file = await read("s.json", '{"permissions": {"defaultMode": "yolo"}}', "robota");
    expect([file.mode, kinds(file)]).toEqual([null, ["1:33 wrong-type"]]);
  });
});
