/** `snaphook fire`, as a user or another program starts it [K]. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fire, snaphook } from "../support/cli.ts";
import { marked, marker, until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const CALL = { sessionId: "s-1", tool: { name: "Bash", input: { command: "rm -rf /" } } };

function project(files: { readonly [path: string]: string | object }): string {
  const folder = tempFolder();
  writeFiles(folder, files);
  return folder;
}

const lime = (command: string, event = "PreToolUse"): { [path: string]: object } => ({ ".lime/settings.json": { hooks: { [event]: [command] } } });

describe("exit codes", () => {
  test("0: nothing denied, and the decision on stdout", async () => {
    const cwd = project(lime("true"));
    const { code, decision, stderr } = await fire("PreToolUse", CALL, ["--config", ".lime/settings.json"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    expect(decision).toMatchObject({
      event: "tool.before",
      verdict: null,
      hooks: [{ name: "true", ended: "exited", exitCode: 0, source: { file: join(cwd, ".lime/settings.json"), line: 4 } }],
    });
  });

  test("2: denied", async () => {
    const cwd = project(lime("echo no >&2; exit 2"));
    const { code, decision } = await fire("tool.before", CALL, ["--config", ".lime/settings.json"], { cwd });
    expect([code, decision.verdict, decision.reason]).toEqual([2, "deny", "no"]);
  });

  test("ask is not denied: 0", async () => {
    const cwd = project(lime(`echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`));
    expect(await fire("tool.before", CALL, ["--config", ".lime/settings.json"], { cwd })).toMatchObject({ code: 0, decision: { verdict: "ask" } });
  });
});

describe("64: wrong usage, in one line that says what to do", () => {
  test.each([
    ["no event", ["fire"], "snaphook: fire takes one event: snaphook fire tool.before < event.json"],
    ["two events", ["fire", "a", "b"], "snaphook: fire takes one event: snaphook fire tool.before < event.json"],
    ["an unknown event", ["fire", "Banana"], 'snaphook: unknown event "Banana". `snaphook fire --help` lists the events.'],
    [
      "a misspelt canonical event",
      ["fire", "tool.befor"],
      'snaphook: unknown event "tool.befor", did you mean "tool.before"? `snaphook fire --help` lists the events.',
    ],
    [
      "a misspelt wire event",
      ["fire", "PreToolUsee"],
      'snaphook: unknown event "PreToolUsee", did you mean "PreToolUse"? `snaphook fire --help` lists the events.',
    ],
    ["the name of a property every object has", ["fire", "toString"], 'snaphook: unknown event "toString". `snaphook fire --help` lists the events.'],
    [
      "an ambiguous wire event",
      ["fire", "Stop"],
      'snaphook: "Stop" is turn.cancel in Lime, turn.stop in Mains, Claude Code, session.end in Robota: use the canonical name, or one --dialect.',
    ],
    [
      "an unknown dialect",
      ["fire", "tool.before", "--dialect", "lima", "--config", "x.json"],
      'snaphook: unknown dialect "lima", did you mean "lime"? Known: lime, claw, mains, robota, goose, claude-code, snaphook.',
    ],
    ["an unknown option", ["fire", "tool.before", "--bogus"], "snaphook: Unknown option '--bogus'. `snaphook fire --help` lists the options."],
    ["an unknown command", ["fier"], 'snaphook: unknown command "fier", did you mean "fire"? `snaphook --help` lists the commands.'],
  ])("%s", async (_, args, message) => {
    expect(await snaphook(args)).toEqual({ code: 64, signal: null, stdout: "", stderr: `${message}\n` });
  });

  test("[E1] a dialect settles what its word means", async () => {
    const cwd = project({ "s.json": { hooks: {} } });
    const meant = async (dialect: string): Promise<string> => (await fire("Stop", {}, ["--dialect", dialect, "--config", "s.json"], { cwd })).decision.event;
    expect(await Promise.all(["lime", "mains", "robota", "claude-code"].map(meant))).toEqual(["turn.cancel", "turn.stop", "session.end", "turn.stop"]);
  });

  test("[E2] a wire event that stands for two is the one that happened", async () => {
    const cwd = project({ "s.json": { hooks: {} } });
    const meant = async (isError: boolean): Promise<string> =>
      (await fire("PostToolUse", { tool: { name: "Bash", isError } }, ["--dialect", "robota", "--config", "s.json"], { cwd })).decision.event;
    expect([await meant(false), await meant(true)]).toEqual(["tool.after", "tool.failed"]);
  });

  test.each([
    ["stdin that is not JSON", "{nope", "snaphook: the event is not valid: stdin is not JSON: "],
    ["stdin that is no object", "[1]", "snaphook: the event is not valid: it is not an object"],
    ["a field of the wrong type", '{"prompt":1}', "snaphook: the event is not valid: prompt is not text"],
    ["a nested field of the wrong type", '{"tool":{"name":1}}', "snaphook: the event is not valid: tool.name is not text"],
  ])("%s", async (_, stdin, message) => {
    const run = await snaphook(["fire", "tool.before"], { stdin });
    expect([run.code, run.stdout, run.stderr.startsWith(message), run.stderr.split("\n").length]).toEqual([64, "", true, 2]);
  });

  test("empty stdin is an empty event", async () => {
    expect((await snaphook(["fire", "session.start"])).code).toBe(0);
  });
});

describe("78: bad configuration", () => {
  test("a file that does not exist", async () => {
    const run = await snaphook(["fire", "tool.before", "--config", "none.json"]);
    expect([run.code, run.stdout]).toEqual([78, ""]);
    expect(run.stderr).toMatch(/^snaphook: .*none\.json:1:1: .*none\.json can't be read: ENOENT.*\n$/);
  });

  test("a file that can't be parsed, with line and column", async () => {
    const cwd = project({ "bad.json": '{\n  "hooks": {,}\n}' });
    const run = await snaphook(["fire", "tool.before", "--config", "bad.json"], { cwd });
    expect(run.code).toBe(78);
    expect(run.stderr).toMatch(/bad\.json:2:13: .*can't be parsed/);
  });

  test("callbacks that can't be loaded", async () => {
    const cwd = project({ "s.json": { hooks: {} }, "cb.mjs": "export const = 1" });
    const run = await snaphook(["fire", "tool.before", "--dialect", "mains", "--config", "s.json", "--callbacks", "cb.mjs"], { cwd });
    expect(run.code).toBe(78);
    expect(run.stderr).toMatch(/^snaphook: .*cb\.mjs: the callbacks can't be loaded: .*\n$/);
  });

  test("one bad file beside a good one: the good one runs, the call is at least asked [F3]", async () => {
    const cwd = project({ ...lime("true"), "bad.json": "{" });
    const { code, decision } = await fire("tool.before", CALL, ["--config", ".lime/settings.json", "--config", "bad.json"], { cwd });
    expect([code, decision.verdict, decision.hooks.length]).toEqual([0, "ask", 1]);
    expect(decision.notices).toMatchObject([{ kind: "unreadable-file", file: join(cwd, "bad.json"), line: 1 }]);
  });
});

describe("what is found", () => {
  test("[S15] a project's own hooks do not run untrusted, and it is said", async () => {
    const cwd = project(lime("touch ran; exit 2"));
    const { code, decision } = await fire("tool.before", CALL, [], { cwd });
    // The home folder holds the record of it.
    expect([code, decision.hooks, readdirSync(cwd)]).toEqual([0, [], [".home", ".lime"]]);
    expect(decision.notices).toMatchObject([{ kind: "not-trusted" }]);
  });

  test.each([
    ["--trust", ["--trust"], {}],
    ["SNAPHOOK_TRUST=all", [], { SNAPHOOK_TRUST: "all" }],
  ])("[W3] with %s they run", async (_, args, env) => {
    expect((await fire("tool.before", CALL, args, { cwd: project(lime("exit 2")), env })).code).toBe(2);
  });

  test("--cwd is the project and the hooks' folder", async () => {
    const cwd = project(lime("pwd >&2; exit 2"));
    const { decision } = await fire("tool.before", CALL, ["--trust", "--cwd", cwd], {});
    expect(decision.reason).toBe(cwd);
  });

  test("nothing configured: no opinion", async () => {
    expect(await fire("tool.before", CALL, [])).toMatchObject({ code: 0, decision: { verdict: null, hooks: [], notices: [] } });
  });
});

test("[L7] [G6] a hook that nobody waits for runs on after the decision was printed, and the command stays for it", async () => {
  const cwd = project(lime("sleep 0.3; touch done", "PostToolUse"));
  const { code, decision } = await fire("PostToolUse", { tool: { name: "Bash", output: "x" } }, ["--config", ".lime/settings.json"], { cwd });
  expect([code, decision.hooks.map(({ ended }) => ended)]).toEqual([0, ["detached"]]);
  expect(readdirSync(cwd)).toContain("done");
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends the command and everything it started", async (signal) => {
  const cwd = project(lime("sleep 300 & sleep 300"));
  const mark = marker();
  let pid = 0;
  const running = snaphook(["fire", "tool.before", "--config", ".lime/settings.json"], {
    cwd,
    stdin: CALL,
    env: { [mark.name]: mark.value },
    onStart: (started) => (pid = started),
  });
  expect(await until(() => marked(mark).filter((line) => line.includes("sleep 300")).length >= 2, 10_000)).toBe(true);
  process.kill(pid, signal);
  expect(await running).toMatchObject({ code: 130, stdout: "" });
  expect(await until(() => marked(mark).length === 0, 5_000)).toBe(true);
  expect(readdirSync(cwd)).toEqual([".lime"]);
});

test("a callback that leaves a timer behind does not keep the command", async () => {
  const cwd = project({
    "s.json": { hooks: { PreToolUse: [{ hooks: ["lingers"] }] } },
    "cb.mjs": "export const lingers = () => { setInterval(() => {}, 1000); Promise.reject(new Error('later')); return {}; };",
  });
  const { code, stderr } = await fire("tool.before", { tool: { name: "Bash" } }, ["--dialect", "mains", "--config", "s.json", "--callbacks", "cb.mjs"], {
    cwd,
  });
  expect(code).toBe(0);
  expect(stderr).toContain("a callback left an error behind: later");
});
