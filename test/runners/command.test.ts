import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import type { Hook } from "../../src/model/hook.ts";
import { runCommand } from "../../src/runners/command.ts";
import type { Payload, RunContext, RunnerResult } from "../../src/runners/runner.ts";
import { hookFor } from "../../src/testing/index.ts";
import { payloadOf, runContext } from "../support/run-context.ts";
import { tempFolder } from "../support/temp.ts";

async function run(
  command: string,
  { hook = {}, payload = {}, context = {} }: { hook?: Partial<Hook>; payload?: Partial<Payload>; context?: Partial<RunContext> } = {},
): Promise<RunnerResult> {
  const action = { type: "command", launch: "sh -c", command, args: null } as const;
  return runCommand(hookFor(DIALECTS.lime, "PreToolUse", { action, timeoutMs: 5_000, ...hook }), payloadOf({ a: 1 }, payload), runContext(context));
}

test("stdin is the payload, the environment is the context's and the payload's", async () => {
  const { result } = await run('cat; echo "|$FROM|$HOOK_EVENT"', {
    payload: { env: { HOOK_EVENT: "PreToolUse" } },
    context: { env: { FROM: "outside", PATH: process.env["PATH"] ?? "" } },
  });
  expect(result).toEqual({ kind: "exited", code: 0, stdout: '{"a":1}|outside|PreToolUse\n', stderr: "" });
});

test("a variable of the dialect is never inherited from an outer hook", async () => {
  const { result } = await run('echo "[$HOOK_TOOL_OUTPUT]"', {
    payload: { ownEnv: ["HOOK_TOOL_OUTPUT"] },
    context: { env: { HOOK_TOOL_OUTPUT: "of the outer hook" } },
  });
  expect(result).toMatchObject({ stdout: "[]\n" });
});

describe("[F6] a payload too large for a variable", () => {
  const value = JSON.stringify({ command: "x".repeat(150_000) });

  test("is in the file, named in <VAR>_FILE, and gone afterwards", async () => {
    const cwd = tempFolder();
    const { result, stubbed } = await run('wc -c < "$BIG_FILE"; echo "$BIG"', { payload: { env: { BIG: value } }, context: { cwd } });
    expect(stubbed).toEqual(["BIG"]);
    expect(result).toMatchObject({ kind: "exited", stdout: expect.stringMatching(new RegExp(`^${value.length}\n\\{"snaphook":"too large`)) });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("is gone afterwards also when the hook could not be started or did not end", async () => {
    const cwd = tempFolder();
    await run("", {
      hook: { action: { type: "command", launch: "argv", command: "none", args: ["/no/such/program"] } },
      payload: { env: { BIG: value } },
      context: { cwd },
    });
    await run("sleep 60", { hook: { timeoutMs: 50 }, payload: { env: { BIG: value } }, context: { cwd } });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("a folder that can't be written is a fault, not an exception", async () => {
    expect((await run("true", { payload: { env: { BIG: value } }, context: { tempDir: "/no/such/folder" } })).result).toMatchObject({
      kind: "not-started",
      message: expect.stringContaining("could not be put into a file"),
    });
  });
});

describe("results", () => {
  test("[F7] too much output, with the exit code that came with it", async () => {
    expect((await run("head -c 20000 /dev/zero; exit 2")).result).toEqual({ kind: "oversized", limitBytes: 10_000, code: 2, stderr: "" });
  });

  test("[F7] stderr above the limit is cut, and said", async () => {
    const { result, remarks } = await run("head -c 20000 /dev/zero >&2; echo ok");
    expect(result).toMatchObject({ kind: "exited", stdout: "ok\n" });
    expect(remarks).toEqual(["stderr was cut after 10000 bytes"]);
  });

  test("[F1] what it left behind is said", async () => {
    expect((await run("sleep 60 & echo ok")).remarks).toEqual(["it left processes behind that held its output; they were ended"]);
  });

  test("the timeout", async () => {
    expect((await run("sleep 60", { hook: { timeoutMs: 50 } })).result).toEqual({ kind: "timed-out", afterMs: 50 });
  });
});

describe("a first line that asks not to be waited for", () => {
  test.each(['{"async":true}', '{"async": true, "asyncTimeout": 5000}'])("%s", async (line) => {
    const cwd = tempFolder();
    let background: Promise<unknown> = Promise.resolve();
    const { result } = await run(`echo '${line}'; cat go 2>/dev/null; while [ ! -e go ]; do sleep 0.02; done; echo > done`, {
      payload: { release: "async-line" },
      context: { cwd, background: (work) => void (background = work) },
    });
    expect(result).toEqual({ kind: "detached" });
    writeFileSync(join(cwd, "go"), "");
    await background;
    expect(readdirSync(cwd).toSorted()).toEqual(["done", "go"]);
  });

  test.each([`echo '{"async":false}'`, `printf '{"async":true}'`])("async: false, or not on a line of its own, is waited for: %s", async (command) => {
    expect((await run(command, { payload: { release: "async-line" } })).result).toMatchObject({ kind: "exited" });
  });

  test("in a dialect without such a line it is text: the denial behind it counts", async () => {
    expect((await run(`echo '{"async":true}'; sleep 0.1; exit 2`)).result).toMatchObject({ kind: "exited", code: 2 });
  });
});
