/** The daemon's answers are those of `snaphook fire`, to the byte, whatever is asked and however it is given. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { snaphook } from "../support/cli.ts";
import { until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";
import { CALL, FIRE, guard, home, hook, shell, startDaemon, tallyAfter, timeless, type Home } from "./support.ts";

const LONG = "long ".repeat(2_000);

const FILES: { readonly [path: string]: string | object } = {
  "quiet.json": { hooks: { PreToolUse: ["true"] } },
  "deny.json": { hooks: { PreToolUse: ["echo 'nein, \\ \"danke\" ✋' >&2; exit 2"] } },
  "ask.json": { hooks: { PreToolUse: [`echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}'`] } },
  "long.json": { hooks: { PreToolUse: [`printf '%s' '${LONG}' >&2; exit 2`] } },
  "lines.json": { hooks: { PreToolUse: ["printf 'a\\n  b\\n\\n' >&2; exit 2"] } },
  "rules.json": { permissions: { deny: ["Bash(rm *)", "Read(.env)"], allow: ["Bash(ls *)"] }, hooks: {} },
  "broken.json": "{ no",
  "odd.json": { hooks: { Nope: ["true"] } },
  "once.yaml": "hooks:\n  tool.before:\n    - command: echo once >&2; exit 2\n      once: true\n",
};

/** What is asked, and what must come: the exit code of each, so that equal nonsense does not pass. */
const CASES: readonly (readonly [says: string, args: readonly string[], stdin: unknown, code: number])[] = [
  ["nothing to say", ["fire", "tool.before", "--dialect", "lime", "--config", "quiet.json"], CALL, 0],
  ["a denial with quotes, backslashes and more than ASCII", ["fire", "tool.before", "--dialect", "lime", "--config", "deny.json"], CALL, 2],
  ["a question", ["fire", "tool.before", "--dialect", "lime", "--config", "ask.json"], CALL, 0],
  ["more than fits into a line", ["fire", "tool.before", "--dialect", "lime", "--config", "long.json"], CALL, 2],
  ["several lines in a reason", ["fire", "tool.before", "--dialect", "claw", "--config", "lines.json"], CALL, 2],
  ["a rule that denies", ["fire", "tool.before", "--dialect", "robota", "--config", "rules.json"], CALL, 2],
  ["a hook that runs once", ["fire", "tool.before", "--config", "once.yaml"], CALL, 2],
  ["the same hook again, for another process", ["fire", "tool.before", "--config", "once.yaml"], CALL, 2],
  ["notices", ["fire", "tool.before", "--dialect", "lime", "--config", "odd.json"], CALL, 0],
  ["one file of two broken", ["fire", "tool.before", "--dialect", "lime", "--config", "quiet.json", "--config", "broken.json"], CALL, 0],
  ["a broken file", ["fire", "tool.before", "--config", "broken.json"], CALL, 78],
  ["a missing file", ["fire", "tool.before", "--config", "none.json"], CALL, 78],
  ["an unknown event", ["fire", "Banana"], CALL, 64],
  ["an unknown option", ["fire", "tool.before", "--bogus"], CALL, 64],
  ["no event", ["fire"], CALL, 64],
  ["help", ["fire", "--help"], "", 0],
  ["stdin that is not JSON", ["fire", "tool.before"], "{nope", 64],
  ["empty stdin", ["fire", "session.start"], "", 0],
  ["odd arguments", ["fire", "tool.before", "--config", "a b\n'\"\\*"], CALL, 78],
];

async function warm(at: Home): Promise<void> {
  writeFiles(at.cwd, FILES);
  await startDaemon(at);
}

describe("the same bytes and exit code as snaphook fire", () => {
  test("for every kind of answer, none of them from Node", async () => {
    const at = home();
    await warm(at);
    for (const [says, args, stdin, code] of CASES) {
      const cold = await snaphook(args, { cwd: at.cwd, env: at.env, stdin });
      const answered = await hook(at, args, { stdin });
      expect({ says, ...timeless(answered) }).toEqual({ says, ...timeless(cold) });
      expect([says, answered.code]).toEqual([says, code]);
    }
    expect(await tallyAfter(at, ({ served }) => served === CASES.length)).toMatchObject({ served: CASES.length, running: 0, unserved: {} });
  });

  test.each(["dash", "bash", "bash --posix"])("asked by %s", async (program) => {
    const at = home();
    await warm(at);
    const run = await shell(at, `${program} "$CLIENT" fire tool.before --dialect lime --config deny.json`, {
      env: { CLIENT: join(import.meta.dirname, "../../bin/snaphook-hook") },
      stdin: CALL,
    });
    expect([run.code, JSON.parse(run.stdout).reason, run.stderr]).toEqual([2, 'nein, \\ "danke" ✋', ""]);
    expect((await tallyAfter(at, ({ served }) => served === 1)).served).toBe(1);
  });

  test("through a link, as npm makes it", async () => {
    const at = home();
    await warm(at);
    symlinkSync(join(import.meta.dirname, "../../bin/snaphook-hook"), join(at.cwd, "linked"));
    expect((await hook(at, ["fire", "tool.before", "--dialect", "lime", "--config", "deny.json"], { client: join(at.cwd, "linked"), stdin: CALL })).code).toBe(
      2,
    );
    expect((await tallyAfter(at, ({ served }) => served === 1)).served).toBe(1);
  });
});

describe("stdin, whole and unchanged", () => {
  test.each([
    ["a socket", "hook $FIRE"],
    ["a pipe", "cat | hook $FIRE"],
    ["a file", "cat >event.json; hook $FIRE <event.json"],
    ["a file read from its middle", "{ echo x; cat; } >event.json; { read -r x; hook $FIRE; } <event.json"],
    ["a named pipe", "cat >event.json; mkfifo pipe; cat event.json >pipe & hook $FIRE <pipe"],
  ])("%s", async (_, line) => {
    const at = home();
    writeFiles(at.cwd, { "s.json": { hooks: { "tool.before": [{ command: "cat >seen; exit 2" }] } } });
    await startDaemon(at);
    const command = "ein Wort, ✋ \n \u0000 ".repeat(200_000);
    const run = await shell(at, line, {
      env: { FIRE: "fire tool.before --dialect snaphook --config s.json" },
      stdin: { tool: { name: "Bash", input: { command } } },
    });
    expect([run.code, run.stderr]).toEqual([2, ""]);
    expect(JSON.parse(readFileSync(join(at.cwd, "seen"), "utf8")).tool.input).toEqual({ command });
    expect((await tallyAfter(at, ({ served }) => served === 1)).served).toBe(1);
  });

  test("small events in pipes, many at once: each is answered with its own", async () => {
    const at = home();
    writeFiles(at.cwd, guard("grep -o 'call-[0-9]*' >&2; exit 2"));
    await startDaemon(at);
    const line = `for n in 1 2 3 4 5 6 7 8 9 10 11 12; do { printf '{"tool":{"name":"Bash","input":{"command":"call-%s"}}}' $n | hook $FIRE >$n.out; } & done; wait`;
    expect(await shell(at, line, { env: { FIRE: FIRE.join(" ") } })).toMatchObject({ code: 0, stderr: "" });
    const reasons = Array.from({ length: 12 }, (_, index) => JSON.parse(readFileSync(join(at.cwd, `${index + 1}.out`), "utf8")).reason);
    expect(reasons).toEqual(Array.from({ length: 12 }, (_, index) => `call-${index + 1}`));
    expect(await tallyAfter(at, ({ served }) => served === 12)).toMatchObject({ served: 12, unserved: {} });
  });

  test("a pipe that is written slowly, and one that is never read", async () => {
    const at = home();
    writeFiles(at.cwd, guard("cat >seen; exit 2"));
    await startDaemon(at);
    const env = { FIRE: FIRE.join(" ") };
    const slow = `{ printf '{"tool":{"name":"Bash",'; until [ -e go ]; do sleep 0.05; done; printf '"input":{"command":"x"}}}'; } | { touch go; hook $FIRE; }`;
    expect((await shell(at, slow, { env })).code).toBe(2);
    expect(JSON.parse(readFileSync(join(at.cwd, "seen"), "utf8")).tool_input).toEqual({ command: "x" });
    expect(await shell(at, "{ until [ -e told ]; do sleep 0.05; done; } | { hook fire --help; touch told; }", { env })).toMatchObject({ code: 0, stderr: "" });
    expect(await tallyAfter(at, ({ served }) => served === 2)).toMatchObject({ served: 2, unserved: {} });
  });

  test.each([
    ["nothing", "hook $FIRE </dev/null"],
    ["closed", "hook $FIRE <&-"],
  ])("%s", async (_, line) => {
    const at = home();
    await warm(at);
    const { code, stdout } = await shell(at, line, { env: { FIRE: "fire session.start --dialect lime --config quiet.json" } });
    expect([code, JSON.parse(stdout).event]).toEqual([0, "session.start"]);
  });
});

describe("nothing of one call is seen by another", () => {
  test("50 at once, each with its folder, environment and input", async () => {
    const at = home();
    await startDaemon(at);
    const settings = { hooks: { PreToolUse: ["echo \"$(pwd) $WHO $(cat | grep -o 'call-[0-9]*')\" >&2; exit 2"] } };
    const calls = Array.from({ length: 50 }, (_, index) => ({ index, cwd: tempFolder() }));
    const answers = await Promise.all(
      calls.map(async ({ index, cwd }) => {
        writeFiles(cwd, { ".lime/settings.json": settings });
        const stdin = { tool: { name: "Bash", input: { command: `call-${index}` } } };
        const { code, stdout } = await hook(at, FIRE, { cwd, env: { WHO: `user-${index}`, [`ONLY_${index}`]: "x" }, stdin });
        return [code, JSON.parse(stdout).reason];
      }),
    );
    expect(answers).toEqual(calls.map(({ index, cwd }) => [2, `${cwd} user-${index} call-${index}`]));
  });

  test("a hook gets the caller's environment, and nothing of the daemon's or the client's", async () => {
    const at = home();
    writeFiles(at.cwd, guard("env -0 >seen; exit 2"));
    await startDaemon({ ...at, env: { ...at.env, OF_THE_DAEMON: "1" } });
    const env = { NEWLINES: "a\n b\n", snap_slot: "mine", "npm_config_//host:key": "odd", EMPTY: "" };
    await hook(at, FIRE, { env, stdin: CALL });
    const seen = Object.fromEntries(
      readFileSync(join(at.cwd, "seen"), "utf8")
        .split("\0")
        .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
    );
    expect(seen).toMatchObject({ NEWLINES: "a\n b\n", snap_slot: "mine", EMPTY: "" });
    expect(Object.keys(seen).filter((name) => name.startsWith("snap_") || name === "OF_THE_DAEMON")).toEqual(["snap_slot"]);
    expect((await tallyAfter(at, ({ served }) => served === 1)).served).toBe(1);
  });

  test("/proc/self is the caller, not the daemon: a rule can't be walked around through it", async () => {
    const at = home();
    await warm(at);
    const stdin = { tool: { name: "Read", input: { file_path: "/proc/self/cwd/.env" } } };
    const { code, stdout } = await hook(at, ["fire", "tool.before", "--dialect", "robota", "--config", "rules.json"], { stdin });
    expect([code, JSON.parse(stdout).gate.verdict]).toEqual([2, "deny"]);
    expect((await tallyAfter(at, ({ served }) => served === 1)).served).toBe(1);
  });
});

describe("an answer is never old", () => {
  const reasonOf = async (at: Home, args: readonly string[] = FIRE, env = {}): Promise<unknown> =>
    JSON.parse((await hook(at, args, { stdin: CALL, env })).stdout).reason;

  test("a file that is written anew at once, with the same size", async () => {
    const at = home();
    await startDaemon(at);
    for (const word of ["one", "two", "six", "ten"]) {
      writeFiles(at.cwd, guard(`echo ${word} >&2; exit 2`));
      expect(await reasonOf(at)).toBe(word);
    }
    expect((await tallyAfter(at, ({ served }) => served === 4)).served).toBe(4);
  });

  test("a file that appears, and one that vanishes, where files are searched", async () => {
    const at = home();
    await startDaemon(at);
    const env = { SNAPHOOK_TRUST: "all" };
    const search = ["fire", "tool.before"];
    expect(await reasonOf(at, search, env)).toBeNull();
    writeFiles(at.cwd, guard("echo there >&2; exit 2"));
    expect(await reasonOf(at, search, env)).toBe("there");
    expect(await reasonOf(at, search)).toBeNull(); // another environment: not trusted
    expect(await reasonOf(at, search, env)).toBe("there");
    await shell(at, "rm -r .lime");
    expect(await reasonOf(at, search, env)).toBeNull();
    writeFiles(at.cwd, { ".home/.lime/settings.json": { hooks: { PreToolUse: ["echo home >&2; exit 2"] } } });
    expect(await reasonOf(at, search)).toBe("home");
    expect(await reasonOf(at, search, { HOME: join(at.cwd, "elsewhere") })).toBeNull();
    expect((await tallyAfter(at, ({ served }) => served === 7)).served).toBe(7);
  });

  test("trust given and taken back", async () => {
    const at = home();
    writeFiles(at.cwd, guard("echo trusted >&2; exit 2"));
    await startDaemon(at);
    const search = ["fire", "tool.before"];
    expect(await reasonOf(at, search)).toBeNull();
    await snaphook(["trust"], { cwd: at.cwd, env: at.env });
    expect(await reasonOf(at, search)).toBe("trusted");
    await snaphook(["trust", "--revoke"], { cwd: at.cwd, env: at.env });
    expect(await reasonOf(at, search)).toBeNull();
    expect((await tallyAfter(at, ({ served }) => served === 3)).served).toBe(3);
  });

  test("a link in the way of a rule that points elsewhere now", async () => {
    const at = home();
    await warm(at);
    const args = ["fire", "tool.before", "--dialect", "robota", "--config", "rules.json"];
    const stdin = { tool: { name: "Read", input: { file_path: join(at.cwd, "link") } } };
    writeFileSync(join(at.cwd, "plain"), "");
    symlinkSync("plain", join(at.cwd, "link"));
    expect((await hook(at, args, { stdin })).code).toBe(0);
    await shell(at, "ln -sfn .env link");
    expect((await hook(at, args, { stdin })).code).toBe(2);
  });
});

test("hooks that nobody waits for: the decision comes at once, the command ends with them", async () => {
  const at = home();
  writeFiles(at.cwd, { ".lime/settings.json": { hooks: { PostToolUse: ["until [ -e go ]; do sleep 0.05; done; echo done >ended"] } } });
  await startDaemon(at);
  const line = `hook fire tool.after --config .lime/settings.json >out; echo "$(cat ended)"`;
  const run = shell(at, line, { stdin: { tool: { name: "Bash", input: {}, output: "x" } } });
  const printed = (): boolean => {
    try {
      return readFileSync(join(at.cwd, "out"), "utf8").endsWith("\n");
    } catch {
      return false;
    }
  };
  expect(await until(printed, 10_000)).toBe(true);
  writeFileSync(join(at.cwd, "go"), "");
  expect(await run).toMatchObject({ code: 0, stdout: "done\n" });
});
