import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { tempFolder, writeFiles } from "../support/temp.ts";
import { run, type Printed } from "./surface.ts";

const COMMAND = "git status && git push --force origin main";

const SETTINGS = `{
  "permissions": {
    "allow": [
      "Bash(git status:*)",
      "Bash(npm run:*)"
    ],
    "deny": [
      "Bash(git push --force:*)",
      "Read(.env)"
    ]
  },
  "hooks": {
    "PreToolUse": ["./log.sh"]
  }
}
`;

const GOOSE = `hooks:
  pre_tool_use:
    - command: scanner.sh
      tool_name: developer__shell
`;

/** A folder with three agents' files; `home` is the home folder. */
function project(files: { readonly [path: string]: string | object } = {}): string {
  const cwd = tempFolder();
  writeFiles(cwd, {
    ".claude/settings.json": SETTINGS,
    ".lime/settings.json": '{ "hooks": { "PreToolUse": ["./guard.sh"] }, "permissions": { "ask": ["Bash(git push:*)"] } }\n',
    "home/.config/goose/config.yaml": GOOSE,
    "guard.sh": '#!/bin/sh\ncase "$HOOK_TOOL_INPUT" in *publish*) echo "publishing is for people" >&2; exit 2;; esac\n',
    "log.sh": "#!/bin/sh\ntouch ran\n",
    "scanner.sh": "#!/bin/sh\n",
    ...files,
  });
  return cwd;
}

async function json(args: readonly string[], cwd: string): Promise<{ readonly [key: string]: unknown }> {
  const { out } = await run(["why", ...args, "--json"], { cwd });
  const parsed: { readonly [key: string]: unknown } = JSON.parse(out);
  return parsed;
}

/** The first lines: the answer up to the first blank line after it. */
function answerOf({ out }: Printed): string {
  return out.split("\n\n")[0]?.replace(/^\n/, "") ?? "";
}

describe("why in a folder without configuration", () => {
  test("[A10] explains the default mode, shows the parse and offers a first rule set", async () => {
    expect(await run(["why", COMMAND], { cwd: tempFolder() })).toEqual({
      exit: 0,
      err: "",
      out: `
  ASK    git status && git push --force origin main
         ^^^^^^^^^^    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
         1 ask         2 ask

  1  git status                    ask  no rule, so mode default
  2  git push --force origin main  ask  no rule, so mode default
     no configuration was found here, so mode default decides: it allows tools
     that read and asks before tools that write, shell commands and tools of
     other kinds.

  The same call in each mode (here: default)
     plan deny · default ask · acceptEdits ask · bypassPermissions allow

  A first rule set: paste it into .snaphook/settings.json
     {
       "permissions": {
         "allow": ["Bash(git status:*)"],
         "ask": ["Bash(git push:*)"],
         "deny": ["Bash(git push --force:*)", "Bash(git push -f:*)"]
       }
     }
     with it: 1 allow, 2 deny: the answer is deny.
`,
    });
  });

  test("the rules it offers do what it says, once they are pasted and the folder is trusted", async () => {
    const cwd = tempFolder();
    const before = await json([COMMAND], cwd);
    expect(before).toMatchObject({ verdict: "ask", starter: { file: ".snaphook/settings.json", verdict: "deny" } });
    const { starter } = before;
    writeFiles(cwd, {
      ".snaphook/settings.json": { permissions: typeof starter === "object" && starter !== null && "permissions" in starter ? starter.permissions : {} },
    });
    expect(await json([COMMAND, "--trust"], cwd)).toMatchObject({
      verdict: "deny",
      step: "deny-rule",
      starter: null,
      commands: [{ verdict: "allow" }, { verdict: "deny" }],
    });
  });

  test.each([
    ["rm -rf build", { ask: ["Bash(rm:*)"], deny: ["Bash(rm -rf /*)", "Bash(rm -rf ~*)"] }, "ask"],
    ["sudo npm publish", { deny: ["Bash(sudo:*)", "Bash(npm publish:*)"] }, "deny"],
    ["npm run build:all | tail -3", { allow: ["Bash(npm run build:all:*)", "Bash(tail:*)"] }, "allow"],
    ["docker compose up", { ask: ["Bash(docker compose:*)"] }, "ask"],
    ["make", { ask: ["Bash(make:*)"] }, "ask"],
  ])("the first rules for %s", async (command, permissions, verdict) => {
    expect(await json([command], tempFolder())).toMatchObject({ starter: { permissions, verdict } });
  });

  test("offers nothing for a program that is only known at run time", async () => {
    expect(await json(["$TOOL x"], tempFolder())).toMatchObject({ verdict: "ask", starter: null });
  });

  test("other tools get rules of their own", async () => {
    const cwd = tempFolder();
    expect(await json(["--tool", "Write", "a.txt"], cwd)).toMatchObject({
      verdict: "ask",
      starter: { permissions: { allow: ["Write(a.txt)"] }, verdict: "allow" },
    });
    expect(await json(["--tool", "Read", "a.txt"], cwd)).toMatchObject({
      verdict: "allow",
      starter: { permissions: { deny: ["Read(.env)", "Read(~/.ssh/**)"] } },
    });
    expect(await json(["--tool", "AskUserQuestion", "--input", "{}"], cwd)).toMatchObject({ verdict: "ask", starter: null });
  });
});

describe("why under the configurations of a folder", () => {
  test("[A10] every command with its rule and place, the step, the hooks, the files and the modes", async () => {
    expect(await run(["why", COMMAND, "--trust"], { cwd: project() })).toEqual({
      exit: 2,
      err: "",
      out: `
  DENY   git status && git push --force origin main
         ~~~~~~~~~~    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
         1 allow       2 deny

  1  git status                    allow  Bash(git status:*)
                                          .claude/settings.json:4:7
  2  git push --force origin main  deny   Bash(git push --force:*)
                                          .claude/settings.json:8:7
     also                          ask    Bash(git push:*)
                                          .lime/settings.json:1:71
     mode default was not asked: a deny decides.

  Hooks that would run (none was run; --run runs the trusted ones)
     goose  pre_tool_use  scanner.sh  user
                          home/.config/goose/config.yaml:3:16
                          matcher developer__shell
     lime   PreToolUse    ./guard.sh  trusted
                          .lime/settings.json:1:29
     claw   PreToolUse    ./log.sh    trusted
                          .claude/settings.json:13:20

  The same call under each file alone
     goose no opinion · lime ask · claw deny

  The same call in each mode: deny in all of them
`,
    });
  });

  test("in a wide terminal everything of a command stands on its line", async () => {
    const { out } = await run(["why", COMMAND, "--trust"], { cwd: project(), columns: 120 });
    expect(out).toContain("  1  git status                    allow  Bash(git status:*)        .claude/settings.json:4:7\n");
    expect(out).toContain("     goose  pre_tool_use  scanner.sh  user     home/.config/goose/config.yaml:3:16  matcher developer__shell\n");
  });

  test("the allow rules of a folder that is not trusted are named, and do not count", async () => {
    const cwd = project({ "home/.config/goose/config.yaml": "", ".lime/settings.json": "{}" });
    const { exit, out } = await run(["why", "npm run build"], { cwd });
    expect(exit).toBe(0);
    expect(out).toBe(`
  ASK    npm run build
         ^^^^^^^^^^^^^
         1 ask

  1  npm run build  ask  Bash(npm run:*), not trusted  .claude/settings.json:5:7
     no rule decides, so mode default does: it asks before shell commands.
     allow rules that come with this folder do not count before it is trusted;
     then the rules would say allow.

  Hooks that would run (none was run; --run runs the trusted ones)
     claw  PreToolUse  ./log.sh  untrusted  .claude/settings.json:13:20
     untrusted hooks come with this folder: \`snaphook trust\` lets them run,
     --trust once

  The same call under each file alone
     goose no opinion · lime no opinion · claw ask

  The same call in each mode (here: default)
     plan deny · default ask · acceptEdits ask · bypassPermissions allow
`);
  });

  test("[A1] a maybe names the construct, the nearest rule and what would make it known", async () => {
    const cwd = project({ "home/.config/goose/config.yaml": "" });
    const printed = await run(["why", "$TOOL --version && rm -rf build"], { cwd });
    expect(printed.exit).toBe(0);
    expect(answerOf(printed)).toBe(`  ASK    $TOOL --version && rm -rf build
         ^^^^^
         a command word that is computed, $TOOL: the program is only known when
         the shell runs it
         nearest rule: deny Bash(git push --force:*)  .claude/settings.json:8:7
         to make it known: write the program's name`);
  });

  test("a call that is no shell command, in any dialect's spelling", async () => {
    const cwd = project();
    const { exit, out } = await run(["why", "--tool", "read_file", "--input", '{"path":".env"}'], { cwd });
    expect(exit).toBe(2);
    expect(out).toContain(
      '  DENY   read_file {"path":".env"}\n\n     deny  Read(.env)  .claude/settings.json:9:7\n     mode default was not asked: a deny decides.\n',
    );
  });

  test("[R2] --mode asks for one mode", async () => {
    const cwd = project();
    expect(await json(["ls", "--mode", "plan"], cwd)).toMatchObject({ verdict: "deny", step: "mode", mode: "plan" });
    expect(await json(["ls", "--mode", "bypassPermissions"], cwd)).toMatchObject({ verdict: "allow", step: "mode" });
    expect(await run(["why", "ls", "--mode", "yolo"], { cwd })).toMatchObject({
      exit: 64,
      err: 'snaphook: mode "yolo" is not one of plan, default, acceptEdits, bypassPermissions\n',
    });
  });

  test("[M5] a built-in hook that pre-approves the call is counted, for it is no hook of a file", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".mains/settings.json": { hooks: {} } });
    expect(await json(["ls"], cwd)).toMatchObject({ verdict: "ask", step: "mode", hooks: [] });
    expect(await json(["ls", "--trust"], cwd)).toMatchObject({
      verdict: "allow",
      step: "hook",
      because: "Bash is pre-approved in Mains",
      hooks: [{ dialect: "mains", trust: "built in", source: null }],
      byFile: [{ dialects: ["mains"], verdict: "allow" }],
      byMode: [
        { mode: "plan", verdict: "deny" },
        { mode: "default", verdict: "allow" },
        { mode: "acceptEdits", verdict: "allow" },
        { mode: "bypassPermissions", verdict: "allow" },
      ],
    });
  });

  test("[F4] a file that can't be read makes an allowed call a question", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".lime/settings.json": "{", "home/.claude/settings.json": { permissions: { allow: ["Bash(ls)"] } } });
    const { out } = await run(["why", "ls"], { cwd });
    expect(out).toContain("     .lime/settings.json can't be read, so a guard in it may be missing.\n");
    expect(out).toContain("     1 finding in these files: `snaphook lint` tells where and what to do.\n");
    expect(await json(["ls"], cwd)).toMatchObject({ verdict: "ask", step: "unreadable-file" });
  });

  test("a rule too long for its column stands below its command", async () => {
    const cwd = tempFolder();
    const rule = `Bash(deploy ${"--to somewhere/very/far/away ".repeat(4)}now)`;
    writeFiles(cwd, { ".lime/settings.json": { permissions: { deny: [rule] } } });
    const { out } = await run(["why", rule.slice(5, -1)], { cwd });
    expect(out).toContain(`
  1  deploy --to somewhere/very/far/away --to somewhere/very/far/away --to some…
     deny
     Bash(deploy --to somewhere/very/far/away --to somewhere/very/far/away --to
     somewhere/very/far/away --to somewhere/very/far/away now)
     .lime/settings.json:4:7
     mode default was not asked: a deny decides.
`);
  });

  test("an ask rule, a protected file and what no rule could be sure of are told in words", async () => {
    const cwd = project({ "home/.claude/settings.json": { permissions: { allow: ["Bash(make:*)"] } } });
    expect((await run(["why", "git push"], { cwd })).out).toContain("     mode default was not asked: an ask rule decides.\n");
    expect((await run(["why", "--tool", "Write", ".lime/settings.json"], { cwd })).out).toContain(
      "     It writes to Lime's configuration, which is protected.\n",
    );
    expect((await run(["why", "make"], { cwd })).out).toContain("     mode default was not asked: rules allow all of it.\n");
    expect((await run(["why", "PATH=x ls"], { cwd })).out).toMatch(
      / {5}no rule could be sure of an assignment, PATH: [\s\S]* {5}a rule that lets it pass: allow Bash\(PATH=x ls\)\n/,
    );
  });

  test("matchers, conditions and types of hooks are told, and hooks that nobody waits for are marked", async () => {
    const cwd = tempFolder();
    const hooks = {
      "tool.before": [
        { matcher: "shell|read", if: "Bash(ls *)", command: "x.sh", async: true },
        { if: "Bash(rm *)", command: "other.sh" },
        { type: "prompt", prompt: "ok?" },
      ],
    };
    writeFiles(cwd, { "home/.config/snaphook/hooks.json": { hooks } });
    const { out } = await run(["why", "ls -l"], { cwd, columns: 140 });
    expect(out).toMatch(
      / {5}snaphook {2}tool\.before {2}x\.sh +user {2}home\/\.config\/snaphook\/hooks\.json:\d+:\d+ {2}matcher shell\|read {2}if Bash\(ls \*\) {2}not waited for\n/,
    );
    expect(out).toMatch(/ {2}prompt\n/);
    expect(out).not.toContain("other.sh");
  });

  test("files without rules get a first rule set too", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".lime/settings.json": { hooks: { PreToolUse: ["./x.sh"] } } });
    expect((await run(["why", "ls"], { cwd })).out).toContain("no rules were found here, so mode default decides");
  });
});

describe("why --run", () => {
  test("runs the trusted hooks and counts what they say", async () => {
    const cwd = project();
    const printed = await run(["why", "npm run publish", "--trust", "--run"], { cwd });
    expect(printed.exit).toBe(2);
    const out = printed.out.replace(/ +[\d.]+ ms +/g, "  T  ");
    expect(out).toContain("     a hook decides: publishing is for people\n");
    expect(out).toMatch(/ {5}goose {2}pre_tool_use {2}scanner\.sh {2}skipped +user\n/);
    expect(out).toMatch(/ {5}lime {3}PreToolUse {4}\.\/guard\.sh {2}deny {2}T {2}trusted\n {26}\.lime\/settings\.json:1:29\n {26}publishing is for people\n/);
    expect(out).toContain("     goose no opinion · lime deny · claw allow\n");
    expect(out).toContain("  The same call in each mode: deny in all of them\n");
  });

  test("runs none that is not trusted", async () => {
    const { out, exit } = await run(["why", "npm run publish", "--run"], { cwd: project({ "home/.config/goose/config.yaml": "" }) });
    expect(exit).toBe(0);
    expect(out).toMatch(/lime {2}PreToolUse {2}\.\/guard\.sh {2}not run {2}untrusted/);
  });

  test("[P4] rules judge what a hook made of the call", async () => {
    const cwd = tempFolder();
    const answer = JSON.stringify({ hookSpecificOutput: { updatedInput: { command: "ls -l" } } });
    writeFiles(cwd, {
      ".lime/settings.json": { hooks: { PreToolUse: ["./rewrite.sh"] }, permissions: { allow: ["Bash(ls:*)"] } },
      "rewrite.sh": `#!/bin/sh\nprintf '%s' '${answer}'\n`,
    });
    expect(await json(["dir", "--trust", "--run"], cwd)).toMatchObject({
      verdict: "allow",
      input: { command: "ls -l" },
      originalInput: { command: "dir" },
      ran: true,
    });
    const { out } = await run(["why", "dir", "--trust", "--run"], { cwd });
    expect(out).toContain("  ALLOW  ls -l\n");
    expect(out).toContain('  A hook rewrote the call; rules judge what it made of it\n     asked was {"command":"dir"}\n');
  });

  test("a hook that fails is told with its fault", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".lime/settings.json": { hooks: { PreToolUse: ["./gone.sh"] } } });
    expect((await run(["why", "ls", "--trust", "--run"], { cwd })).out).toMatch(/\.\/gone\.sh {2}fault[\s\S]*failed: /);
  });
});

describe("the drawing", () => {
  test("commands in commands go below each other, those of one span share a line", async () => {
    const printed = await run(["why", "bash -c 'git push --force && ls' > out.txt | tee log"], { cwd: project() });
    expect(answerOf(printed)).toBe(`  DENY   bash -c 'git push --force && ls' > out.txt | tee log
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^   ^^^^^^^
         1 ask                                        5 ask
                 ^^^^^^^^^^^^^^^^^^^^^^^^ ^^^^^^^^^
                 2 deny, 3 ask            4 ask`);
  });

  test("several lines, tabs, wide characters and a line longer than the page", async () => {
    const command = 'npm run a && \\\n\tnpm run 日本語 && echo "a very long argument that makes this line longer than it can be" && ls';
    const printed = await run(["why", command, "--trust"], { cwd: project() });
    expect(answerOf(printed)).toBe(`  ASK    npm run a && \\
         ~~~~~~~~~
         1 allow
             npm run 日本語 && echo "a very long argument that makes this line
             ~~~~~~~~~~~~~~    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
             2 allow           3 ask
         longer than it can be" && ls
         ^^^^^^^^^^^^^^^^^^^^^^    ^^
                                   4 ask`);
  });

  test("labels that would not fit are numbers", async () => {
    const printed = await run(["why", "a;b;c;d;e;f;g;h;i;j;k"], { cwd: tempFolder() });
    expect(answerOf(printed)).toBe(`  ASK    a;b;c;d;e;f;g;h;i;j;k
         ^ ^ ^ ^ ^ ^ ^ ^ ^ ^ ^
         1 2 3 4 5 6 7 8 9 10
                             11`);
  });

  test("what a terminal would obey or hide is shown as a picture", async () => {
    const { out } = await run(["why", "echo \u001B[31m\u00A0x\u202Ey"], { cwd: tempFolder() });
    expect(out).toContain("  ASK    echo ␛[31m⍽x\uFFFDy\n");
    expect(["\u001B", "\u202E", "\u00A0"].filter((character) => out.includes(character))).toEqual([]);
  });

  test("several doubts have letters, and a missing word is pointed at where it is missing", async () => {
    const printed = await run(["why", '$A; $B "x'], { cwd: project() });
    expect(answerOf(printed)).toMatch(/^ {2}ASK {4}\$A; \$B "x\n/);
    expect(answerOf(printed)).toMatch(/\n {9}a {2}a /);
    expect(answerOf(printed)).toMatch(/\n {9}b {2}a /);
  });

  test("a text of hundreds of lines is told by its beginning and by what stops it", async () => {
    const lines = Array.from({ length: 400 }, (_, index) => (index === 200 ? "git push --force" : "git status"));
    const { out, exit } = await run(["why", lines.join("\n"), "--trust"], { cwd: project() });
    expect(exit).toBe(2);
    expect(out).toContain("⋮");
    expect(out).toContain("         git push --force\n         ^^^^^^^^^^^^^^^^\n         201 deny\n");
    expect(out.split("\n").length).toBeLessThan(200);
  });

  test.each([COMMAND, "$TOOL x && rm -rf build", `cat .env > ${"very/".repeat(20)}long`, "bash -c 'git push --force'; a;b;c;d"])(
    "%s fits 80 columns, and colour carries nothing",
    async (command) => {
      const cwd = project();
      const plain = await run(["why", command], { cwd });
      const coloured = await run(["why", command], { cwd, colour: true });
      expect(plain.out.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expect(coloured.out).toContain("\u001B[");
      expect(stripVTControlCharacters(coloured.out)).toBe(plain.out);
    },
  );
});

describe("why --json", () => {
  test("[A10] holds everything as data", async () => {
    const cwd = project();
    const file = `${cwd}/.claude/settings.json`;
    const found = await json([COMMAND, "--trust"], cwd);
    const keys = "verdict because step mode tool input rule commands spoke doubts ran hooks byFile byMode files notices passes ifTrusted starter";
    expect(Object.keys(found)).toEqual(keys.split(" "));
    expect(found).toMatchObject({
      verdict: "deny",
      because: `Denied by the deny rule Bash(git push --force:*) at ${file}:8:7.`,
      step: "deny-rule",
      mode: "default",
      commands: [
        {
          text: "git status",
          start: 0,
          end: 10,
          kind: "command",
          verdict: "allow",
          rule: { text: "Bash(git status:*)", source: { file, line: 4, column: 7 } },
        },
        { text: "git push --force origin main", start: 14, end: 42, kind: "command", verdict: "deny" },
      ],
      spoke: [
        { rule: { text: "Bash(git push:*)" }, match: "yes" },
        { rule: { text: "Bash(git push --force:*)" }, match: "yes" },
      ],
      hooks: [
        { dialect: "goose", event: "pre_tool_use", name: "scanner.sh", matcher: "developer__shell", trust: "user", gate: "permission-first", detached: false },
        { dialect: "lime", event: "PreToolUse", name: "./guard.sh", matcher: null, trust: "trusted", gate: "hooks-first" },
        { dialect: "claw", event: "PreToolUse", name: "./log.sh", trust: "trusted", gate: "permission-first" },
      ],
      byFile: [{ verdict: null }, { verdict: "ask" }, { verdict: "deny" }],
    });
  });
});

describe("how why is called", () => {
  test.each([
    [[], /^snaphook: why takes a shell command in quotes, or --tool and --input/],
    [["git", "status"], /^snaphook: why takes one command: put it in quotes/],
    [["ls", "--input", "{}"], /^snaphook: a command and --input are two ways/],
    [["--tool", "Read", "--input", "[]"], /^snaphook: --input "\[\]" is not a JSON object/],
    [["--tool", "mcp__a__b", "x"], /^snaphook: it is not known which input of mcp__a__b/],
  ])("%j is wrong usage", async (args, message) => {
    const { exit, err } = await run(["why", ...args], { cwd: tempFolder() });
    expect({ exit, told: message.test(err) }).toEqual({ exit: 64, told: true });
  });

  test("a named file that can't be read is bad configuration", async () => {
    expect((await run(["why", "ls", "--config", "nowhere.json"], { cwd: tempFolder() })).exit).toBe(78);
  });

  test("[K1] --config takes the place of what is found, and is trusted", async () => {
    const cwd = project();
    writeFiles(cwd, { "other.json": { permissions: { allow: ["Bash(git push:*)"] } } });
    expect(await json([COMMAND.slice(14), "--config", "other.json"], cwd)).toMatchObject({
      verdict: "allow",
      step: "allow-rule",
      files: [`${cwd}/other.json`],
    });
  });
});
