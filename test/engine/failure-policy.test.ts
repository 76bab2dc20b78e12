/** `onFault` by kind of failure, and the time of a whole event: as a library, and through the command line. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEngine, type Engine, type EngineOptions } from "../../src/engine/engine.ts";
import { defineHook } from "../../src/engine/library-hook.ts";
import { fire, snaphook } from "../support/cli.ts";
import { callOf } from "../support/events.ts";
import { marked, marker, until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

type Options = Partial<EngineOptions> & { readonly files?: { readonly [path: string]: string | object } };

async function opened({ files = {}, cwd = tempFolder(), ...options }: Options): Promise<Engine> {
  writeFiles(cwd, files);
  const engine = await createEngine({ cwd, env: { PATH: process.env["PATH"] ?? "", HOME: join(cwd, ".home"), TMPDIR: cwd }, ...options });
  onTestFinished(async () => engine.close());
  return engine;
}

const POLICY = { timeout: "deny", badOutput: "ask", default: "allow" } as const;
const NATIVE = [{ file: "hooks.json", dialect: "snaphook" }];
const settings = (hooks: readonly object[], more: object = {}): { [path: string]: object } => ({ "hooks.json": { ...more, hooks: { "tool.before": hooks } } });

describe("onFault by kind of failure", () => {
  // prettier-ignore
  const rows = [
    ["sleep 60",                          "deny",  "timeout",      undefined],
    ["echo '{\"verdict\": '",             "ask",   "answer",       "partialJson"],
    ["echo '{\"verdict\": oops}'",        "ask",   "answer",       "badJson"],
    ["no-such-program",                   null,    "exit",         "notFound"],
    ["exit 7",                            null,    "exit",         undefined],
  ] as const;
  test.each(rows)("%s: %s", async (command, verdict, kind, failure) => {
    const engine = await opened({ files: settings([{ command, name: "h", timeout: "300ms", onFault: POLICY }]), configs: NATIVE });
    const decision = await engine.fire(callOf("ls"));
    expect(decision).toMatchObject({ verdict, hooks: [{ fault: { kind, ...(failure && { failure }) } }] });
  });

  test("of a function, and its default is the native one", async () => {
    const hooks = [defineHook({ event: "tool.before", onFault: { exception: "deny" }, call: () => Promise.reject(new Error("oops")) })];
    expect(await (await opened({ hooks })).fire(callOf("ls"))).toMatchObject({ verdict: "deny" });
    const slow = [defineHook({ event: "tool.before", onFault: { exception: "deny" }, timeoutMs: 5, call: () => new Promise(() => {}) })];
    expect(await (await opened({ hooks: slow })).fire(callOf("ls"))).toMatchObject({ verdict: "ask" });
  });

  test("a kind that does not exist is told, and the hook denies when it fails", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, settings([{ command: "exit 7", onFault: { timeuot: "allow" } }]));
    const { decision } = await fire("tool.before", { tool: { name: "Bash", input: { command: "ls" } } }, ["--dialect", "snaphook", "--config", "hooks.json"], {
      cwd,
    });
    expect(decision).toMatchObject({ verdict: "deny", notices: [{ kind: "wrong-type", line: 6 }, { kind: "fault" }] });
    expect(decision.notices[0]?.message).toContain("kind of failure");
  });

  test("the command line follows it, and list shows it", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".snaphook/hooks.json": { hooks: { "tool.before": [{ command: "exit 7", onFault: { exit: "deny", default: "ask" } }] } } });
    const run = await fire("tool.before", { tool: { name: "Bash", input: { command: "ls" } } }, ["--trust"], { cwd });
    expect([run.code, run.decision.verdict]).toEqual([2, "deny"]);
    expect((await snaphook(["list", "--trust"], { cwd })).stdout.replaceAll(/\s+/g, " ")).toContain("onFault exit deny, else ask");
  });
});

describe("the time of a whole event", () => {
  test("what runs is killed, what waits is not started, and each counts as its policy says", async () => {
    const mark = marker();
    const cwd = tempFolder();
    const hooks = [
      { command: "sleep 60", name: "slow", env: { [mark.name]: mark.value }, timeout: "30s", onFault: { eventTimeout: "ask", default: "allow" } },
      { command: "touch started", name: "behind", onFault: "deny" },
    ];
    const engine = await opened({ cwd, files: settings(hooks, { eventTimeout: "300ms" }), configs: NATIVE });
    const decision = await engine.fire(callOf("ls"));
    const fault = { kind: "timeout", failure: "eventTimeout", message: "the event's time of 300 ms was used up before it had answered" };
    expect(decision).toMatchObject({
      verdict: "deny",
      hooks: [
        { ended: "timed-out", fault },
        { ended: "timed-out", fault },
      ],
    });
    expect(existsSync(join(cwd, "started"))).toBe(false);
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });

  test("functions too, and one that has answered in time is heard", async () => {
    const hooks = [
      defineHook({ event: "tool.before", name: "quick", call: () => ({ context: "seen" }) }),
      defineHook({ event: "tool.before", name: "slow", onFault: "allow", call: () => new Promise(() => {}) }),
      defineHook({ event: "tool.before", name: "behind", onFault: { timeout: "deny", default: "allow" }, call: () => ({ verdict: "allow" }) }),
    ];
    const decision = await (await opened({ hooks, eventTimeoutMs: 50 })).fire(callOf("ls"));
    expect(decision).toMatchObject({
      verdict: "deny",
      context: ["seen"],
      hooks: [{ fault: null }, { fault: { failure: "eventTimeout" } }, { fault: { failure: "eventTimeout" } }],
    });
  });

  test("another agent's hook that we cut short makes the call a question, though its dialect goes on after a timeout of its own", async () => {
    const lime = { "lime.json": { hooks: { PreToolUse: ["sleep 60"] } } };
    const engine = await opened({ files: lime, configs: [{ file: "lime.json", dialect: "lime" }], eventTimeoutMs: 100 });
    expect(await engine.fire(callOf("ls"))).toMatchObject({ verdict: "ask", reason: "the event's time was used up before sleep 60 had answered" });
  });

  test("a denial that was given in time stands", async () => {
    const hooks = [
      { command: "exit 2", name: "guard" },
      { command: "sleep 60", name: "slow", onFault: "allow" },
    ];
    const engine = await opened({ files: settings(hooks, { eventTimeout: "2s" }), configs: NATIVE, eventTimeoutMs: 400 });
    expect(await engine.fire(callOf("ls"))).toMatchObject({ verdict: "deny", hooks: [{ verdict: "deny" }, { fault: { failure: "eventTimeout" } }] });
  });

  test("a project does not say how long the owner's hooks may take; managed settings say it above the user's", async () => {
    const cwd = tempFolder();
    const root = join(cwd, "machine");
    const limit = (eventTimeout: string): object => ({ eventTimeout, hooks: {} });
    writeFiles(cwd, {
      "project/.snaphook/settings.json": limit("1ms"),
      "home/.config/snaphook/settings.json": limit("5s"),
      "machine/etc/snaphook/settings.json": limit("9s"),
    });
    const env = { PATH: process.env["PATH"] ?? "", HOME: join(cwd, "home"), TMPDIR: cwd };
    const owner = process.getuid?.() ?? 0;
    const withManaged = await createEngine({ cwd: join(cwd, "project"), env, trust: true, managed: { root, owner } });
    const without = await createEngine({ cwd: join(cwd, "project"), env, trust: true, managed: { root: join(cwd, "nothing"), owner } });
    expect([withManaged.configuration.eventTimeoutMs, without.configuration.eventTimeoutMs]).toEqual([9_000, 5_000]);
    expect(without.configuration.notices).toMatchObject([{ kind: "authority", file: join(cwd, "project/.snaphook/settings.json") }]);
  });

  test("a bad value is told with its place, and in another agent's file it is no key", async () => {
    const engine = await opened({ files: settings([], { eventTimeout: "soon" }), configs: NATIVE });
    expect([engine.configuration.eventTimeoutMs, engine.configuration.notices]).toMatchObject([null, [{ kind: "bad-duration", line: 2 }]]);
    const lime = await opened({ files: { "l.json": { eventTimeout: "1s", hooks: {} } }, configs: [{ file: "l.json", dialect: "lime" }] });
    expect([lime.configuration.eventTimeoutMs, lime.configuration.notices]).toMatchObject([null, [{ kind: "unsupported-option" }]]);
  });
});
