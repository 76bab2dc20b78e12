import { describe, expect, test } from "vitest";
import { folderWith } from "../config/folder.ts";
import { run } from "./surface.ts";

const LIME =
  '{\n  "hooks": {\n    "SessionStart": ["echo hi"],\n    "PreToolUze": ["./a.sh", "./b.sh"],\n    "PostToolUseFailure": ["./scripts/alert.sh"]\n  }\n}\n';
const GOOSE = 'hooks:\n  pre_tool_use:\n    - command: scan\n      tool_name: "developer__("\n    - command: scan\n';

describe("snaphook lint", () => {
  test("[K] one line a finding: place, severity, what is wrong and what to do; a closing line counts", async () => {
    const cwd = folderWith({ ".lime/settings.json": LIME, "scripts/alert.sh": "#!/bin/sh\n", "home/.config/goose/config.yaml": GOOSE });
    const { exit, out } = await run(["lint"], { cwd });
    expect(out.split("\n")).toEqual([
      expect.stringMatching(
        /^home\/\.config\/goose\/config\.yaml:4:18 {2}error {2}tool_name "developer__\(" is not a valid pattern: .*This hook is off; the others are on\.$/,
      ),
      '.lime/settings.json:4:5  error  unknown event "PreToolUze", did you mean "PreToolUse"?  The 2 hooks under it never run.',
      ".lime/settings.json:5:28  warning  ./scripts/alert.sh is not executable: chmod +x scripts/alert.sh",
      "2 files, 6 hooks: 3 armed, 3 not.",
      "",
    ]);
    expect(exit).toBe(78);
  });

  test("[K] warnings alone end with 0", async () => {
    const { exit, out } = await run(["lint", "s.json"], { cwd: folderWith({ "s.json": '{"hooks": {"Stop": ["./none.sh"]}}' }) });
    expect([exit, out]).toEqual([0, expect.stringContaining("s.json:1:21  warning  ./none.sh does not exist")]);
  });

  test("a sound file has nothing but the closing line, trusted or not", async () => {
    const { exit, out } = await run(["lint"], { cwd: folderWith({ ".lime/settings.json": '{"hooks": {"Stop": ["echo bye"]}}' }) });
    expect([exit, out]).toEqual([0, "1 file, 1 hook: 1 armed, 0 not.\n"]);
  });

  test("files as words and with --config, each with its dialect", async () => {
    const cwd = folderWith({ "a.yaml": "hooks: { pre_tool_use: [{ command: a }] }", "b.json": '{"hooks": {"PreToolUse": ["b"]}}' });
    expect((await run(["lint", "a.yaml", "b.json"], { cwd })).out).toBe("2 files, 2 hooks: 2 armed, 0 not.\n");
    expect((await run(["lint", "--dialect", "claw", "--config", "b.json", "--dialect", "goose", "a.yaml"], { cwd })).out).toBe(
      "2 files, 2 hooks: 2 armed, 0 not.\n",
    );
    expect((await run(["lint", "--dialect", "goose", "b.json"], { cwd })).exit).toBe(78);
  });

  test("a file that can't be read or parsed is an error at its place", async () => {
    const { exit, out } = await run(["lint", "none.json", "bad.json"], { cwd: folderWith({ "bad.json": '{\n "hooks": {,}\n}' }) });
    expect(exit).toBe(78);
    expect(out).toMatch(/^none\.json:1:1 {2}error {2}none\.json can't be read: ENOENT.*\nbad\.json:2:12 {2}error {2}bad\.json can't be parsed: /);
  });

  test("in an empty folder it names the places that were searched", async () => {
    const { exit, out } = await run(["lint"], { cwd: folderWith() });
    expect([exit, out]).toEqual([0, expect.stringContaining("no hook files found here; places searched:")]);
  });

  test("[K] --json gives findings and counts", async () => {
    const cwd = folderWith({ ".lime/settings.json": LIME, "scripts/alert.sh": { text: "#!/bin/sh\n", mode: 0o755 } });
    const { exit, out } = await run(["lint", "--json"], { cwd });
    expect([exit, JSON.parse(out)]).toEqual([
      78,
      {
        findings: [
          {
            kind: "unknown-event",
            severity: "error",
            message: 'unknown event "PreToolUze", did you mean "PreToolUse"?  The 2 hooks under it never run.',
            file: `${cwd}/.lime/settings.json`,
            line: 4,
            column: 5,
          },
        ],
        files: 1,
        hooks: 4,
        armed: 2,
        notArmed: 2,
      },
    ]);
  });

  test("--sarif is SARIF 2.1.0: rules by id, levels, relative places", async () => {
    const cwd = folderWith({ ".lime/my settings.json": LIME, "scripts/alert.sh": "" });
    const { out } = await run(["lint", "--sarif", ".lime/my settings.json", "/none/x.json"], { cwd });
    const log = JSON.parse(out);
    const [{ tool, results, originalUriBaseIds }] = log.runs;
    expect([log.version, tool.driver.name, originalUriBaseIds]).toEqual(["2.1.0", "snaphook", { SRCROOT: { uri: `file://${cwd}/` } }]);
    expect(
      tool.driver.rules.map(({ id, defaultConfiguration }: { id: string; defaultConfiguration: { level: string } }) => [id, defaultConfiguration.level]),
    ).toEqual([
      ["unreadable-file", "error"],
      ["unknown-event", "error"],
      ["not-executable", "warning"],
    ]);
    expect(results.map((result: { ruleId: string; ruleIndex: number }) => tool.driver.rules[result.ruleIndex].id === result.ruleId)).toEqual([
      true,
      true,
      true,
    ]);
    expect(results[0]).toMatchObject({
      ruleId: "unknown-event",
      level: "error",
      locations: [
        { physicalLocation: { artifactLocation: { uri: ".lime/my%20settings.json", uriBaseId: "SRCROOT" }, region: { startLine: 4, startColumn: 5 } } },
      ],
    });
    expect(results[2].locations[0].physicalLocation.artifactLocation).toEqual({ uri: "file:///none/x.json" });
  });

  test("text from a file can't drive the terminal", async () => {
    const cwd = folderWith({ "s.json": '{"hooks": {"\\u001b[2JStopp": ["a"]}}' });
    expect((await run(["lint", "s.json"], { cwd })).out).not.toContain("\u001B");
  });

  test("no hook is run and no callback is loaded", async () => {
    const cwd = folderWith({
      ".lime/settings.json": '{"hooks": {"SessionStart": ["touch ran.txt"]}}',
      ".mains/settings.json": '{"hooks": {"Setup": [{"hooks": ["cb"]}]}}',
      ".mains/callbacks.mjs": "throw new Error('loaded')",
    });
    expect((await run(["lint"], { cwd })).exit).toBe(0);
    expect((await run(["lint", "ran.txt"], { cwd })).out).toContain("can't be read");
  });
});
