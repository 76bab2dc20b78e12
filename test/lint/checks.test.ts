/** Each row: a configuration, and every finding there should be in it. What is sound has none. */
import { describe, expect, test } from "vitest";
import { loadConfiguration } from "../../src/config/load.ts";
import { namedConfig } from "../../src/config/locate.ts";
import { dialectById } from "../../src/dialects/index.ts";
import { lint } from "../../src/lint/lint.ts";
import { folderWith, type Files } from "../config/folder.ts";
import { trustAll } from "../../src/trust/open.ts";

async function findings(dialect: string, text: string, files: Files = {}): Promise<string[]> {
  const name = dialect === "goose" || dialect === "snaphook" ? "c.yaml" : "s.json";
  const cwd = folderWith({ ...files, [name]: text });
  const source = namedConfig({ file: name, cwd, dialect: dialectById(dialect) });
  const configuration = await loadConfiguration({ sources: [source], env: {}, trust: trustAll(), envHooksOf: [] });
  const report = await lint(configuration, { cwd, home: `${cwd}/home` });
  return report.findings.map(({ line, column, kind, message }) => `${line}:${column} ${kind} ${message.replaceAll(cwd, "CWD")}`);
}

const lime = (command: string): string => JSON.stringify({ hooks: { PreToolUse: [command] } });
const group = (event: string, matcher: string, hook: object = { type: "command", command: "true" }): string =>
  JSON.stringify({ hooks: { [event]: [{ matcher, hooks: [hook] }] } });

describe("modules", () => {
  test("one that does not exist is found, one that does is sound", async () => {
    const entry = (module: string): string => `hooks:\n  tool.before:\n    - module: ${module}\n`;
    expect(await findings("snaphook", entry("./none.ts"))).toEqual(["3:15 missing-script CWD/none.ts does not exist: create it, or correct the path"]);
    expect(await findings("snaphook", entry("./a.ts"), { "a.ts": "" })).toEqual([]);
  });
});

describe("scripts", () => {
  const files: Files = {
    "run.sh": { text: "", mode: 0o755 },
    "plain.sh": "",
    "dir/x.sh": "",
    "home/h.sh": { text: "", mode: 0o755 },
    "p/hooks/hooks.json": "{}",
  };

  test.each([
    "./run.sh",
    "./run.sh --flag; exit 0",
    "./run.sh|jq .",
    "FOO=1 exec ./run.sh",
    "~/h.sh",
    "$HOME/h.sh && true",
    '"$CLAUDE_PROJECT_DIR"/run.sh',
    "${CLAUDE_PROJECT_DIR}/run.sh",
    "bash plain.sh",
    "sh -eu ./plain.sh",
    "bash dir/x.sh -x",
    "sh -c './none.sh'",
    "python3 -m none",
    "node --import ./none.mjs ./none.js",
    "$TOOL/none.sh",
    "./$(name).sh",
    "./*.sh",
    "echo ./none.sh",
    "curl https://a.test/b.sh",
    "if [ -x ./none.sh ]; then ./none.sh; fi",
    "jq -c '. | {a: .b}' >> ~/none/audit.log",
    "none",
    "cat 'open",
  ])("%s is sound, or can't be known", async (command) => {
    expect(await findings("lime", lime(command), files)).toEqual([]);
  });

  test.each([
    ["./none.sh", "missing-script ./none.sh does not exist (hooks run in CWD): create it, or correct the path"],
    ["./none.sh; exit 0", "missing-script ./none.sh does not exist (hooks run in CWD): create it, or correct the path"],
    ["/none/x", "missing-script /none/x does not exist: create it, or correct the path"],
    ["bash none.sh", "missing-script none.sh does not exist (hooks run in CWD): create it, or correct the path"],
    ["python3 -u scripts/none.py", "missing-script scripts/none.py does not exist (hooks run in CWD): create it, or correct the path"],
    ["$CLAUDE_PROJECT_DIR/none.sh", "missing-script CWD/none.sh does not exist: create it, or correct the path"],
    ["~/none.sh", "missing-script CWD/home/none.sh does not exist: create it, or correct the path"],
    ["./plain.sh", "not-executable ./plain.sh is not executable: chmod +x plain.sh"],
    ["dir/x.sh a", "not-executable dir/x.sh is not executable: chmod +x dir/x.sh"],
    ["./dir", "missing-script ./dir is a folder, not a script: name the script in it"],
  ])("%s", async (command, finding) => {
    expect(await findings("lime", lime(command), files)).toEqual([`1:25 ${finding}`]);
  });

  test("[G1] without a shell ~ and $ are plain characters", async () => {
    const text = "hooks:\n  pre_tool_use:\n    - command: ~/h.sh\n    - command: $HOME/h.sh\n    - command: ./run.sh\n";
    expect(await findings("goose", text, files)).toEqual([
      "3:16 missing-script ~/h.sh is started without a shell, so ~ and $ in it are taken as they stand. Write the whole path",
      "4:16 missing-script $HOME/h.sh is started without a shell, so ~ and $ in it are taken as they stand. Write the whole path",
    ]);
  });

  test("[R10] a plugin's scripts are found under its own folder", async () => {
    const cwd = folderWith({ "p/hooks/hooks.json": group("PreToolUse", "", { type: "command", command: "${CLAUDE_PLUGIN_ROOT}/none.sh" }) });
    const configuration = await loadConfiguration({
      sources: [namedConfig({ file: "p/hooks/hooks.json", cwd, dialect: undefined })],
      env: {},
      trust: trustAll(),
      envHooksOf: [],
    });
    const report = await lint(configuration, { cwd, home: "" });
    expect(report.findings.map(({ message }) => message)).toEqual([`${cwd}/p/none.sh does not exist: create it, or correct the path`]);
  });
});

describe("matchers", () => {
  test.each([
    ["PreToolUse", "Bash"],
    ["PreToolUse", "Bash|Write"],
    ["PreToolUse", "bash|write_file"],
    ["PreToolUse", "MyOwnTool"],
    ["PreToolUse", "NotebookEdit|TodoWrite|WebSearch|TaskCreate|ToolSearch|LS|Skill|BashOutput"],
    ["PreToolUse", "mcp__server__tool"],
    ["PreToolUse", "mcp__server__.*"],
    ["PreToolUse", "^(Bash|Edit)$"],
    ["PreToolUse", ".*"],
    ["PreToolUse", "Notebook.*"],
    ["SessionStart", "startup|resume"],
    ["SessionStart", "reconnect"],
    ["PreCompact", "auto"],
    ["SubagentStop", "Explore"],
    ["Notification", "permission_prompt"],
  ])("%s %j is sound", async (event, matcher) => {
    expect(await findings("claude-code", group(event, matcher))).toEqual([]);
  });

  test.each([
    ["PreToolUse", "Bsh", 'matcher "Bsh": no tool is called Bsh, did you mean Bash?'],
    ["PreToolUse", "BASH", 'matcher "BASH": no tool is called BASH, did you mean Bash?'],
    ["PreToolUse", "Write|Eidt_file|Wrte", 'matcher "Write|Eidt_file|Wrte": no tool is called Eidt_file, did you mean edit_file?'],
    ["PreToolUse", "^(Bash|Wrte)$", 'matcher "^(Bash|Wrte)$": no tool is called Wrte, did you mean Write?'],
    ["PreToolUse", "mcp__fake", 'matcher "mcp__fake": mcp__fake is a server, and names are matched whole. Write mcp__fake__.* for all its tools'],
    [
      "PreToolUse",
      "Bash(git push *)",
      'matcher "Bash(git push *)" never matches: it is tested against the tool\'s name alone. Write matcher "Bash", and the pattern as "if" or in the hook itself',
    ],
    ["UserPromptSubmit", "Bash", 'matcher "Bash" has no effect: UserPromptSubmit has nothing to match, so this hook runs every time. Remove it'],
    [
      "SessionStart",
      "Bash",
      'matcher "Bash" never matches: SessionStart is matched by its source (startup, resume, clear, compact), not by a tool. Remove it to run every time',
    ],
    ["SessionStart", "startp", 'matcher "startp": SessionStart has no source startp, did you mean startup?'],
  ])("%s %j", async (event, matcher, message) => {
    const [first] = await findings("claude-code", group(event, matcher));
    expect(first).toMatch(/^1:\d+ unreachable-matcher /);
    expect(first?.replace(/^\S+ \S+ /, "")).toBe(message);
  });

  test("a pattern is searched for anywhere, so a part of a name is enough", async () => {
    expect(await findings("robota", group("PreToolUse", "Bas"))).toEqual([]);
    expect(await findings("goose", "hooks:\n  pre_tool_use:\n    - command: a\n      tool_name: shell\n")).toEqual([]);
  });

  test("tool_name filters tool events only", async () => {
    expect(await findings("goose", "hooks:\n  session_start:\n    - command: a\n      tool_name: developer__shell\n")).toEqual([
      '4:18 unreachable-matcher tool_name "developer__shell" has no effect: session_start has nothing to match, so this hook runs every time. Remove it',
    ]);
  });
});

describe("patterns, conditions, headers", () => {
  test("an exponential pattern", async () => {
    expect(await findings("robota", group("PreToolUse", "(B+a*)+sh"))).toEqual([
      '1:36 slow-pattern "(B+a*)+sh" repeats a group that repeats: in an agent that backtracks it can take exponential time. Write it without the outer repetition',
    ]);
  });

  test("one bad pattern over three hooks is one finding", async () => {
    const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "(", hooks: ["a", "b", "c"] }] } });
    expect(await findings("mains", text)).toEqual([expect.stringMatching(/^1:36 bad-pattern /)]);
  });

  test("if on an event without a tool call", async () => {
    expect(await findings("snaphook", "hooks:\n  prompt.submit:\n    - command: a\n      if: Bash(x)\n")).toEqual([
      '3:16 unsupported-option if "Bash(x)" has no effect: prompt.submit has no tool call, so this hook runs every time. Remove it',
    ]);
  });

  test("if that can't be read", async () => {
    const [only, ...more] = await findings("snaphook", "hooks:\n  tool.before:\n    - command: a\n      if: Bash(x\n");
    expect([only, more]).toEqual([expect.stringMatching(/^3:16 bad-rule if: The rule "Bash\(x" is not closed/), []]);
  });

  test("variables in headers that are not listed", async () => {
    const hook = { type: "http", url: "https://a.test/", headers: { a: "$TOKEN ${OTHER}", b: "$TOKEN" }, allowedEnvVars: ["OTHER"] };
    expect(await findings("claude-code", group("PreToolUse", "Bash", hook))).toEqual([
      expect.stringMatching(/unsupported-option \$TOKEN in a header is not in allowedEnvVars and will be left empty: add "allowedEnvVars": \["TOKEN"\]$/),
    ]);
    expect(await findings("robota", group("PreToolUse", "Bash", { type: "http", url: "https://a.test/", headers: { a: "$TOKEN" } }))).toEqual([]);
  });
});

describe("duplicates and rules", () => {
  test("the same hook twice in one file; another matcher makes another hook", async () => {
    expect(await findings("lime", '{"hooks": {"Stop": ["a", "b",\n "a"]}}')).toEqual([
      "2:2 duplicate-hook a stands for Stop at 1:21 already, with the same matcher. Remove one",
    ]);
    const groups = ["Bash", "Write"].map((matcher) => ({ matcher, hooks: [{ type: "command", command: "a" }] }));
    expect(await findings("claude-code", JSON.stringify({ hooks: { PreToolUse: groups } }))).toEqual([]);
  });

  test("rules that can't be read are errors, useless ones warnings", async () => {
    const text = '{"permissions": {"deny": ["Bash(rm *)", "Bash(", "Bash(rm *)"]}}';
    expect((await findings("robota", text)).map((finding) => finding.split(" ").slice(0, 2).join(" "))).toEqual(["1:41 bad-rule", "1:50 rule-finding"]);
  });
});

describe("what is another program's own", () => {
  test("tools that are in no table are no mistake in a rule, near misses are", async () => {
    const text = '{"permissions": {"allow": ["WebSearch", "TodoWrite", "NotebookEdit(*)", "mcp__server", "Wrte"]}}';
    expect(await findings("claude-code", text)).toEqual([
      expect.stringMatching(/^1:88 rule-finding "Wrte" names a tool that is in no table\. Did you mean Write\?$/),
    ]);
  });

  test("keys of other programs pass, in groups and in hooks", async () => {
    const text = JSON.stringify({
      $schema: "x",
      description: "y",
      statusLine: {},
      hooks: { Stop: [{ id: "a", description: "b", hooks: [{ type: "command", command: "true", id: "c", shell: "bash", version: 1 }] }] },
    });
    expect(await findings("claude-code", text)).toEqual([]);
  });
});

describe("counts", () => {
  test("every hook is armed or not, also those that could not be read", async () => {
    const cwd = folderWith({
      "c.yaml": "hooks:\n  tool.before:\n    - command: a\n    - command: b\n      enabled: false\n    - bogus: 1\n    - 7\n  tool.befor:\n    - command: c\n",
    });
    const source = namedConfig({ file: "c.yaml", cwd, dialect: dialectById("snaphook") });
    const report = await lint(await loadConfiguration({ sources: [source], env: {}, trust: trustAll(), envHooksOf: [] }), { cwd, home: "" });
    expect([report.files, report.hooks, report.armed, report.notArmed]).toEqual([1, 5, 1, 4]);
  });
});
