/** Workers in an engine: when they start, when they end, that nothing of them is left, and what their faults mean. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import type { FaultKind } from "../../src/model/outcome.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { LiveEngine } from "../../src/session/live-engine.ts";
import { fire } from "../support/cli.ts";
import { ROOT } from "../support/places.ts";
import { marked, marker, until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const each = (body: string): string => `while read -r line; do id=\${line#*:}; id=\${id%%,*}; ${body}; done`;
const ANSWER = `echo "{\\"id\\":$id}"`;
const CALL = { name: "tool.before", tool: { name: "Bash", input: { command: "ls" } } } as const;

interface Warm {
  readonly engine: Engine;
  readonly cwd: string;
  readonly mark: ReturnType<typeof marker>;
}

async function warm(entry: object, files: { readonly [path: string]: string } = {}): Promise<Warm> {
  const cwd = tempFolder();
  const mark = marker();
  writeFiles(cwd, { "hooks.json": { hooks: { "tool.before": [{ worker: true, ...entry }] } }, ...files });
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, TMPDIR: cwd, [mark.name]: mark.value };
  const engine = await createEngine({ cwd, env, configs: [{ file: "hooks.json", dialect: "snaphook" }] });
  onTestFinished(async () => engine.close());
  expect(engine.configuration.notices).toEqual([]);
  return { engine, cwd, mark };
}

describe("its life", () => {
  test("it starts with the first event and ends with the engine, also one that ignores the end of stdin and TERM", async () => {
    const { engine, mark } = await warm({ command: `trap '' TERM; ${each(ANSWER)}; while :; do sleep 0.1; done` });
    expect(marked(mark)).toEqual([]);
    await engine.fire(CALL);
    expect(marked(mark)).not.toEqual([]);
    await engine.close();
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });

  test("an engine that is closed while a worker is asked cancels the event and leaves nothing", async () => {
    const { engine, mark } = await warm({ command: each("sleep 300") });
    const firing = engine.fire(CALL);
    const ended = expect(firing).rejects.toThrow(/abort/i);
    expect(await until(() => marked(mark).some((line) => line.includes("sleep 300")))).toBe(true);
    await engine.close();
    await ended;
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });

  test("it ends when it was idle for long, and the next event starts it again", async () => {
    const { engine, mark } = await warm({ command: each(`echo "{\\"id\\":$id,\\"context\\":\\"$$\\"}"`), idle: "50ms" });
    const first = await engine.fire(CALL);
    expect(await until(() => marked(mark).length === 0)).toBe(true);
    const second = await engine.fire(CALL);
    expect([first.context.length, second.context.length]).toEqual([1, 1]);
    expect(second.context).not.toEqual(first.context);
  });

  test("it ends when its configuration changed, and the new one holds", async () => {
    const cwd = tempFolder();
    const mark = marker();
    const entry = (word: string): object => ({
      hooks: { "tool.before": [{ worker: true, command: each(`echo "{\\"id\\":$id,\\"context\\":\\"${word}\\"}"`) }] },
    });
    writeFiles(cwd, { "hooks.json": entry("old") });
    const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, TMPDIR: cwd, [mark.name]: mark.value };
    const live = await LiveEngine.open({ cwd, env, configs: [{ file: "hooks.json", dialect: "snaphook" }] });
    onTestFinished(async () => live.close());
    expect((await live.engine.fire(CALL)).context).toEqual(["old"]);
    writeFiles(cwd, { "hooks.json": entry("brand new") });
    expect(await live.refresh(async () => true)).toMatchObject({ kind: "changed" });
    expect(await until(() => marked(mark).length === 0)).toBe(true);
    expect((await live.engine.fire(CALL)).context).toEqual(["brand new"]);
  });
});

describe("its owner", () => {
  /** A program that creates an engine, fires one event, prints what came of it, and does what `then` says. */
  function owner(
    command: string,
    then: string,
  ): { readonly said: Promise<string>; readonly ended: Promise<number | null>; readonly pid: number; readonly mark: Warm["mark"] } {
    const cwd = tempFolder();
    const mark = marker();
    writeFiles(cwd, {
      "hooks.json": { hooks: { "tool.before": [{ worker: true, command }] } },
      "owner.mjs": `
        import { createEngine } from ${JSON.stringify(join(ROOT, "dist/index.js"))};
        const engine = await createEngine({ cwd: ${JSON.stringify(cwd)}, env: process.env, configs: [{ file: "hooks.json", dialect: "snaphook" }] });
        const decision = await engine.fire(${JSON.stringify(CALL)});
        console.log(decision.verdict);
        ${then}`,
    });
    const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, TMPDIR: cwd, [mark.name]: mark.value };
    const child = spawn(process.execPath, ["owner.mjs"], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<number | null>((resolve) => void child.on("close", resolve));
    const said = new Promise<string>((resolve) => void createInterface({ input: child.stdout }).once("line", resolve));
    return { said, ended, pid: child.pid ?? 0, mark };
  }

  test("that is killed leaves no worker, also none that is busy, ignores TERM and the end of stdin", async () => {
    const busy = `trap '' TERM HUP; read -r line; echo '{"id":1,"verdict":"deny"}'; sleep 300 & while :; do sleep 0.1; done`;
    const { said, ended, pid, mark } = owner(busy, "setInterval(() => {}, 1000);");
    expect(await said).toBe("deny");
    expect(marked(mark).length).toBeGreaterThan(2);
    process.kill(pid, "SIGKILL");
    await ended;
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });

  test("ends by itself while a worker lives, and the worker with it", async () => {
    const { said, ended, mark } = owner(each(`echo "{\\"id\\":$id,\\"verdict\\":\\"ask\\"}"`), "");
    expect(await said).toBe("ask");
    expect(await ended).toBe(0);
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });
});

describe("snaphook fire", () => {
  test.each([
    ["a worker", { command: each(`echo "{\\"id\\":$id,\\"verdict\\":\\"deny\\",\\"reason\\":\\"by worker\\"}"`), worker: true }, "by worker"],
    ["a module", { module: "./hook.mjs" }, "by module"],
  ])("%s is started, asked and ended", async (_, entry, reason) => {
    const cwd = tempFolder();
    const mark = marker();
    writeFiles(cwd, { "hooks.json": { hooks: { "tool.before": [entry] } }, "hook.mjs": `export default () => ({ verdict: "deny", reason: "by module" });` });
    const { code, decision } = await fire("tool.before", { tool: CALL.tool }, ["--config", "hooks.json", "--dialect", "snaphook"], {
      cwd,
      env: { [mark.name]: mark.value },
    });
    expect(code).toBe(2);
    expect(decision).toMatchObject({ verdict: "deny", reason, notices: [] });
    expect(marked(mark)).toEqual([]);
  });
});

describe("many", () => {
  const descriptors = (): number => readdirSync("/proc/self/fd").length;

  test("a hundred events at once get their own answers", async () => {
    const { engine, mark } = await warm({ command: each(`text=\${line#*marker-}; text=\${text%%\\"*}; echo "{\\"id\\":$id,\\"context\\":\\"$text\\"}"`) });
    const all = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => engine.fire({ name: "tool.before", tool: { name: "Bash", input: { command: `marker-${n}` } } })),
    );
    expect(all.map(({ context }) => context)).toEqual(Array.from({ length: 100 }, (_, n) => [String(n)]));
    expect(marked(mark)).toHaveLength(2); // the worker and its guard
  });

  test("ten thousand events leave memory, descriptors and processes as they were", { timeout: 120_000 }, async () => {
    const { engine, mark } = await warm(
      { command: "node echo.mjs" },
      {
        "echo.mjs": `let rest = "";
          process.stdin.setEncoding("utf8").on("data", (text) => {
            const lines = (rest + text).split("\\n");
            rest = lines.pop();
            for (const line of lines) process.stdout.write(JSON.stringify({ id: JSON.parse(line).id }) + "\\n");
          });`,
      },
    );
    const fireTimes = async (times: number): Promise<void> => {
      let noticed = 0;
      for (let time = 0; time < times; time++) noticed += (await engine.fire(CALL)).notices.length;
      expect(noticed).toBe(0);
    };
    await fireTimes(1_000);
    const before = { descriptors: descriptors(), processes: marked(mark).length, bytes: heapBytes() };
    await fireTimes(10_000);
    expect(descriptors()).toBe(before.descriptors);
    expect(marked(mark)).toHaveLength(before.processes);
    expect(heapBytes() - before.bytes).toBeLessThan(4_000_000); // 400 bytes an event would be a leak
    await engine.close();
    expect(await until(() => marked(mark).length === 0)).toBe(true);
    expect(await until(() => descriptors() < before.descriptors)).toBe(true);
  });

  test("a worker that dies at each event leaves nothing either", async () => {
    const { engine, mark } = await warm({ command: `read -r line; sleep 300 & echo '{"id":1}'; exit 2` });
    await engine.fire(CALL);
    const before = descriptors();
    for (let time = 0; time < 50; time++) await engine.fire(CALL);
    await engine.close();
    expect(await until(() => marked(mark).length === 0)).toBe(true);
    expect(await until(() => descriptors() <= before)).toBe(true);
  });
});

describe("[F8] what goes wrong never lets a guarded call through where onFault does not", () => {
  const FAULTS: readonly { readonly does: string; readonly command: string; readonly timeout?: string; readonly fault: FaultKind }[] = [
    { does: "hangs", command: each("sleep 300"), timeout: "200ms", fault: "timeout" },
    { does: "dies", command: each("exit 1"), fault: "exit" },
    { does: "dies by a signal", command: each("kill -KILL $$"), fault: "signal" },
    { does: "ends without an answer", command: each("exit 0"), fault: "answer" },
    { does: "never starts", command: "no-such-command", fault: "exit" },
    { does: "says half an answer", command: each(`printf '{"id":%s,"verdict":"allow' "$id"; exit 1`), fault: "exit" },
    { does: "says bad JSON", command: each("echo '{\"id\":1,'"), timeout: "500ms", fault: "timeout" },
    { does: "misspells its verdict", command: each(`echo "{\\"id\\":$id,\\"verdict\\":\\"okay\\"}"`), fault: "answer" },
    { does: "forgets the id", command: each(`echo '{"verdict":"allow"}'`), fault: "answer" },
    { does: "answers another event", command: each(`echo '{"id":7,"verdict":"allow"}'`), timeout: "500ms", fault: "timeout" },
    { does: "says too much", command: each("cat /dev/zero"), fault: "oversized" },
    { does: "says that it failed", command: each(`echo "{\\"id\\":$id,\\"error\\":\\"no\\"}"`), fault: "exception" },
  ];
  const POLICIES: readonly (readonly [Verdict, Verdict | null])[] = [["allow", null], ["ask", "ask"], ["deny", "deny"]]; // prettier-ignore

  test.each(FAULTS)("a worker that $does", async ({ command, timeout = "20s", fault }) => {
    for (const [onFault, verdict] of POLICIES) {
      const { engine } = await warm({ command, timeout, onFault });
      const decision = await engine.fire(CALL);
      expect({ verdict: decision.verdict, fault: decision.hooks[0]?.fault?.kind, said: decision.hooks[0]?.verdict }).toEqual({ verdict, fault, said: null });
      expect(decision.notices.filter(({ kind }) => kind === "fault")).toHaveLength(1);
    }
  });

  test("ending with exit code 2 at an event is a denial, whatever onFault says, as often as it is said", async () => {
    const { engine } = await warm({ command: each("echo 'not today' >&2; exit 2"), onFault: "allow" });
    for (let time = 0; time < 4; time++) {
      const decision = await engine.fire(CALL);
      expect(decision).toMatchObject({ verdict: "deny", reason: "not today", hooks: [{ fault: null, exitCode: 2 }] });
    }
  });

  test("a crash loop asks, and says so", async () => {
    const { engine } = await warm({ command: each("exit 1") });
    await engine.fire(CALL);
    await engine.fire(CALL);
    const decision = await engine.fire(CALL);
    expect(decision).toMatchObject({ verdict: "ask", hooks: [{ fault: { kind: expect.stringMatching(/not-started|exit/) } }] });
  });
});

function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}
