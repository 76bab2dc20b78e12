/** The seeds' example scripts, as printed, from the files in examples/hooks/, through the command line. */
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/model/decision.ts";
import { run } from "../cli/surface.ts";
import { needs } from "../support/needs.ts";
import { ROOT } from "../support/places.ts";
import { tempFolder } from "../support/temp.ts";

/** A copy of an example, with a home folder of its own. */
function example(dialect: string): string {
  const folder = tempFolder();
  cpSync(join(ROOT, "examples/hooks", dialect), folder, { recursive: true });
  mkdirSync(join(folder, ".home"));
  return folder;
}

async function fired(cwd: string, event: string, input: object, args: readonly string[] = ["--trust"], env = {}): Promise<Decision> {
  const surroundings = { PATH: process.env["PATH"] ?? "", HOME: join(cwd, ".home"), TMPDIR: cwd, LANG: "C.UTF-8", ...env };
  const { out, err } = await run(["fire", event, ...args, "--json"], { cwd, env: surroundings, stdin: JSON.stringify({ sessionId: "s-1", ...input }) });
  if (out === "") throw new TypeError(`no decision: ${err}`);
  return JSON.parse(out);
}

const calling = (name: string, input: object, rest: object = {}): object => ({ tool: { name, input, ...rest } });
const shell = (command: string, rest: object = {}): object => calling("Bash", { command }, rest);
const linesOf = (file: string): unknown[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("lime [L12]", () => {
  test("block destructive shell", async () => {
    expect(await fired(example("lime"), "tool.before", shell("rm -rf /"))).toMatchObject({ verdict: "deny", reason: "rm -rf is blocked by hook", notices: [] });
  });

  test("inject extra context, and let everything else pass", async () => {
    expect(await fired(example("lime"), "tool.before", shell("ls"))).toMatchObject({
      verdict: null,
      context: ["Note: this repo uses pnpm, not npm."],
      notices: [],
    });
  });

  test.skipIf(needs("jq"))("audit only, never block", async () => {
    const cwd = example("lime");
    mkdirSync(join(cwd, ".home/.lime"));
    await fired(cwd, "tool.after", shell("ls", { output: "x", isError: false }));
    await fired(cwd, "tool.failed", shell("ls", { output: "x", isError: true }));
    expect(linesOf(join(cwd, ".home/.lime/audit.log"))).toEqual([
      { event: "PostToolUse", tool: "bash", ok: true },
      { event: "PostToolUseFailure", tool: "bash", ok: false },
    ]);
  });
});

describe("claw [C6]", () => {
  test("the example command blocks, with its words as the tool result", async () => {
    expect(await fired(example("claw"), "tool.before", shell("rm -rf /"))).toMatchObject({
      verdict: "deny",
      result: { output: "Blocked: destructive command", isError: true },
      hooks: [{ dialect: "claw", exitCode: 2 }],
    });
  });

  test("and lets other commands pass", async () => {
    expect(await fired(example("claw"), "tool.before", shell("ls"))).toMatchObject({ verdict: null, notices: [] });
  });
});

describe("mains [M2]", () => {
  test("the callback denies, beside the approval hook", async () => {
    const decision = await fired(example("mains"), "tool.before", shell("git push origin main"));
    expect(decision).toMatchObject({
      verdict: "deny",
      reason: "open a pull request instead of pushing",
      hooks: [{ name: "Mains approval" }, { name: "callback", verdict: "deny" }],
    });
  });

  test("[M6] context before a prompt and after a result", async () => {
    expect((await fired(example("mains"), "prompt.submit", { prompt: "hi" })).context).toEqual(["The default branch is main."]);
    const written = await fired(example("mains"), "tool.after", calling("Write", { file_path: "a.ts", content: "" }, { output: "ok" }));
    expect(written.result).toEqual({ output: "ok\n\nFormat a.ts before you commit.", isError: false });
  });

  test("the matcher keeps it away from other tools", async () => {
    expect((await fired(example("mains"), "tool.before", calling("Read", { file_path: "a" }))).hooks.map(({ name }) => name)).toEqual(["Mains approval"]);
  });
});

describe.skipIf(needs("jq"))("robota [R5]", () => {
  test("exit 2 denies with stderr", async () => {
    expect(await fired(example("robota"), "tool.before", shell("pnpm publish"))).toMatchObject({ verdict: "deny", reason: "publishing is left to CI" });
  });

  test("[R1] the rules of the same file: deny, allow, and the mode's question", async () => {
    expect(await fired(example("robota"), "tool.before", shell("rm -rf /"))).toMatchObject({ verdict: "deny", gate: { verdict: "deny" } });
    expect((await fired(example("robota"), "tool.before", shell("pnpm test"))).verdict).toBe("allow");
    expect((await fired(example("robota"), "tool.before", shell("curl example.com"))).verdict).toBe("ask");
  });

  test("every tool use is logged", async () => {
    const cwd = example("robota");
    await fired(cwd, "tool.after", calling("Read", { file_path: "a" }, { output: "x" }));
    expect(linesOf(join(cwd, "tool-use.log"))).toEqual([{ tool: "Read", session: "s-1" }]);
  });
});

describe.skipIf(needs("jq"))("goose [G9]", () => {
  const CONFIG = ["--config", ".config/goose/config.yaml"];

  test("session context loader", async () => {
    expect((await fired(example("goose"), "session_start", {}, CONFIG)).context).toEqual(["Use the words of the glossary.\n"]);
  });

  test.each(["rm -rf /", "sudo dd if=/dev/zero of=/dev/sda", "mkfs.ext4 /dev/sdb"])("security scanner blocks %s", async (command) => {
    expect(await fired(example("goose"), "pre_tool_use", shell(command), CONFIG)).toMatchObject({
      verdict: "deny",
      reason: "Destructive command blocked by security policy",
    });
  });

  test("security scanner lets ls pass", async () => {
    expect(await fired(example("goose"), "pre_tool_use", shell("ls"), CONFIG)).toMatchObject({ verdict: "allow", notices: [] });
  });

  test("audit logger, found in its native place", async () => {
    const cwd = example("goose");
    mkdirSync(join(cwd, ".home/.goose"));
    await fired(cwd, "tool.after", shell("ls", { output: "x" }), [], { XDG_CONFIG_HOME: join(cwd, ".config") });
    expect(linesOf(join(cwd, ".home/.goose/audit.jsonl"))).toMatchObject([
      { event: "post_tool_use", tool_name: "developer__shell", timestamp: expect.stringMatching(/Z$/) },
    ]);
  });
});

describe.skipIf(needs("jq"))("claude-code", () => {
  test("a guard that answers in JSON", async () => {
    expect(await fired(example("claude-code"), "tool.before", calling("Write", { file_path: "/p/package-lock.json" }))).toMatchObject({
      verdict: "deny",
      reason: "run npm install instead",
      notices: [],
    });
    expect(await fired(example("claude-code"), "tool.before", calling("Write", { file_path: "/p/a.ts" }))).toMatchObject({ verdict: null, notices: [] });
  });

  test("text at a prompt is context", async () => {
    expect((await fired(example("claude-code"), "prompt.submit", { prompt: "hi" })).context).toEqual(["Answer in English."]);
  });

  test("an async hook is not waited for, and runs", async () => {
    const cwd = example("claude-code");
    const decision = await fired(cwd, "tool.after", calling("Edit", { file_path: "/p/a.ts" }, { output: "ok" }));
    expect(decision.hooks).toMatchObject([{ ended: "detached" }]);
    expect(readFileSync(join(cwd, "touched.txt"), "utf8")).toBe("/p/a.ts\n");
  });
});

describe("snaphook", () => {
  test("if: a permission pattern chooses the calls", async () => {
    expect(await fired(example("snaphook"), "tool.before", shell("git push --force"))).toMatchObject({
      verdict: "deny",
      reason: "force pushes rewrite what others have",
    });
    expect((await fired(example("snaphook"), "tool.before", shell("git push"))).verdict).toBeNull();
    expect((await fired(example("snaphook"), "tool.before", shell("ls --force"))).hooks).toEqual([]);
  });

  test("args: a program and its arguments without a shell", async () => {
    expect(await fired(example("snaphook"), "tool.before", calling("write_file", { path: "docs/a.md" }))).toMatchObject({
      verdict: "ask",
      reason: "docs/ is generated",
    });
  });

  test("text at the start of a session is context", async () => {
    const cwd = example("snaphook");
    expect((await fired(cwd, "session.start", {})).context).toEqual([`The project is ${cwd}.`]);
  });
});
