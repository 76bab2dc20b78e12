/** The library's engine: options, once, close, and what holds across stages. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEngine, type Engine, type EngineOptions } from "../../src/engine/engine.ts";
import { defineHook } from "../../src/engine/library-hook.ts";
import { callOf } from "../support/events.ts";
import { until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

async function engineOf(
  files: { readonly [path: string]: string | object },
  configs: EngineOptions["configs"] = [],
  options: Partial<EngineOptions> = {},
): Promise<Engine & { readonly cwd: string }> {
  const cwd = tempFolder();
  writeFiles(cwd, files);
  const engine = await createEngine({ cwd, env: { PATH: process.env["PATH"] ?? "", HOME: join(cwd, ".home"), TMPDIR: cwd }, configs, ...options });
  return { ...engine, cwd };
}

const native = (hook: object, event = "tool.before"): { [path: string]: object } => ({ "hooks.json": { hooks: { [event]: [hook] } } });
const NATIVE = [{ file: "hooks.json", dialect: "snaphook" }];

describe("functions as hooks", () => {
  test("see the canonical event and answer in the native words", async () => {
    const seen: unknown[] = [];
    const hook = defineHook({ event: "tool.before", name: "mine", call: ({ tool }) => (seen.push(tool), { verdict: "deny", reason: "no" }) });
    const engine = await engineOf({}, [], { hooks: [hook] });
    expect(await engine.fire({ name: "tool.before", tool: { name: "developer__shell", input: { command: "ls" } } })).toMatchObject({
      verdict: "deny",
      reason: "no",
      hooks: [{ name: "mine", type: "callback", source: null }],
    });
    expect(seen).toEqual([{ name: "shell", input: { command: "ls" } }]);
  });

  test("a function that throws is a question by default: it fails closed", async () => {
    const engine = await engineOf({}, [], {
      hooks: [
        defineHook({
          event: "tool.before",
          name: "mine",
          call: () => {
            throw new Error("oops");
          },
        }),
      ],
    });
    expect(await engine.fire(callOf("ls"))).toMatchObject({
      verdict: "ask",
      reason: "mine failed (it threw: oops) and its onFault is ask",
      hooks: [{ verdict: null, fault: { kind: "exception" } }],
    });
  });
});

describe("options of a hook", () => {
  test("once: it runs once in an engine's life", async () => {
    const engine = await engineOf(native({ command: "echo >> ran", once: true }), NATIVE);
    await engine.fire(callOf("ls"));
    await engine.fire(callOf("ls"));
    expect(readFileSync(join(engine.cwd, "ran"), "utf8")).toBe("\n");
  });

  test("async: not waited for; settled() waits, and onDetached is told how it ended", async () => {
    const ended: unknown[] = [];
    const engine = await engineOf(native({ command: "while [ ! -e go ]; do sleep 0.02; done; exit 3", async: true }), NATIVE, {
      onDetached: ({ outcome }) => ended.push(outcome.fault?.kind),
    });
    expect((await engine.fire(callOf("ls"))).hooks).toMatchObject([{ ended: "detached", verdict: null }]);
    expect(ended).toEqual([]);
    writeFileSync(join(engine.cwd, "go"), "");
    await engine.settled();
    expect(ended).toEqual(["exit"]);
  });

  test("enabled: false", async () => {
    const engine = await engineOf(native({ command: "exit 2", enabled: false }), NATIVE);
    expect(await engine.fire(callOf("ls"))).toMatchObject({ verdict: null, hooks: [] });
  });

  test("if: only calls that meet it", async () => {
    const engine = await engineOf(native({ command: "exit 2", if: "Bash(git *)" }), NATIVE);
    expect((await engine.fire(callOf("ls"))).hooks).toEqual([]);
    expect((await engine.fire(callOf("git push"))).verdict).toBe("deny");
    expect((await engine.fire(callOf("cd x && git push"))).verdict).toBe("deny");
  });

  test("env", async () => {
    const engine = await engineOf(native({ command: 'echo "$MINE" >&2; exit 2', env: { MINE: "yes" } }), NATIVE);
    expect((await engine.fire(callOf("ls"))).reason).toBe("yes");
  });
});

describe("across stages", () => {
  test("[P4] rules judge the input after the last rewrite", async () => {
    const rules = { permissions: { deny: ["Bash(rm *)"], allow: ["Bash(ls)"] } };
    const rewriteTo = (command: string): object => ({
      hooks: { PreToolUse: [`echo '${JSON.stringify({ hookSpecificOutput: { updatedInput: { command } } })}'`] },
      ...rules,
    });
    const intoDenied = await engineOf({ ".lime/settings.json": rewriteTo("rm x") }, [{ file: ".lime/settings.json" }]);
    expect(await intoDenied.fire(callOf("ls"))).toMatchObject({ verdict: "deny", input: { command: "rm x" }, originalInput: { command: "ls" } });
    const awayFromIt = await engineOf({ ".lime/settings.json": rewriteTo("ls") }, [{ file: ".lime/settings.json" }]);
    expect(await awayFromIt.fire(callOf("rm x"))).toMatchObject({ verdict: "allow", input: { command: "ls" } });
  });

  test("[G8] [C1] hooks of claw and goose are not asked where the gate has denied", async () => {
    const files = { ".claude/settings.json": { hooks: { PreToolUse: ["touch ran"] }, permissions: { deny: ["Bash"] } } };
    const engine = await engineOf(files, [{ file: ".claude/settings.json", dialect: "claw" }]);
    expect(await engine.fire(callOf("ls"))).toMatchObject({ verdict: "deny", hooks: [{ ended: "skipped", fault: null }] });
    expect(existsSync(join(engine.cwd, "ran"))).toBe(false);
  });

  test("[P6] the same command for the same matcher in two files fires once, and it is said", async () => {
    const file = { hooks: { PreToolUse: ["echo >> ran"] } };
    const engine = await engineOf({ "a.json": file, "b.json": file }, [
      { file: "a.json", dialect: "lime" },
      { file: "b.json", dialect: "lime" },
    ]);
    const decision = await engine.fire(callOf("ls"));
    expect(readFileSync(join(engine.cwd, "ran"), "utf8")).toBe("\n");
    expect(decision.notices).toMatchObject([{ kind: "duplicate-hook" }]);
  });

  test("[F6] an input that did not fit is at least asked, and said", async () => {
    const engine = await engineOf({ ".lime/settings.json": { hooks: { PreToolUse: ["true"] } } }, [{ file: ".lime/settings.json" }]);
    const decision = await engine.fire(callOf(`echo ${"x".repeat(150_000)}`));
    expect(decision.verdict).toBe("ask");
    expect(decision.notices).toMatchObject([{ kind: "stub", message: expect.stringContaining("HOOK_TOOL_INPUT") }]);
  });

  test("[P5] hooks of several dialects in one engine: the strictest wins", async () => {
    const engine = await engineOf(
      {
        "l.json": { hooks: { PreToolUse: [`echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`] } },
        "g.yaml": 'hooks:\n  pre_tool_use:\n    - command: sh -c \'echo {\\"decision\\":\\"require_approval\\"}\'\n',
      },
      [
        { file: "l.json", dialect: "lime" },
        { file: "g.yaml", dialect: "goose" },
      ],
    );
    expect(await engine.fire(callOf("ls"))).toMatchObject({
      verdict: "ask",
      hooks: [
        { dialect: "lime", verdict: "allow" },
        { dialect: "goose", verdict: "ask" },
      ],
    });
  });
});

describe("the end", () => {
  test("a closed engine refuses, with a code", async () => {
    const engine = await engineOf({});
    await engine.close();
    await expect(engine.fire(callOf("ls"))).rejects.toMatchObject({ code: "SNAP_ENGINE_CLOSED" });
  });

  test("close ends what is still running", async () => {
    const engine = await engineOf(native({ command: "echo > started; sleep 300", async: true }), NATIVE);
    await engine.fire(callOf("ls"));
    await until(() => existsSync(join(engine.cwd, "started")));
    const before = performance.now();
    await engine.close();
    expect(performance.now() - before).toBeLessThan(3_000);
  });

  test("an unknown dialect is the caller's mistake", async () => {
    await expect(engineOf({}, [{ file: "x", dialect: "gose" }])).rejects.toMatchObject({
      code: "SNAP_UNKNOWN_DIALECT",
      message: 'unknown dialect "gose", did you mean "goose"? Known: lime, claw, mains, robota, goose, claude-code, snaphook.',
    });
  });

  test("onDecision sees every decision", async () => {
    const seen: string[] = [];
    const engine = await engineOf({}, [], { onDecision: ({ event }) => void seen.push(event) });
    await engine.fire(callOf("ls"));
    await engine.fire({ name: "session.end" });
    expect(seen).toEqual(["tool.before", "session.end"]);
  });
});
