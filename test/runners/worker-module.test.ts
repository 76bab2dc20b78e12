/** Modules as hooks, each in a process of its own: JavaScript on every Node, TypeScript where something can run it. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import type { HookEvent } from "../../src/model/events.ts";
import { moduleLaunch } from "../../src/runners/worker-module.ts";
import { ROOT } from "../support/places.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const CALL: HookEvent = { name: "tool.before", sessionId: "s1", tool: { name: "Bash", input: { command: "ls" }, useId: "t1" } };

async function opened(files: { readonly [path: string]: string }, entry: object): Promise<Engine> {
  const cwd = tempFolder();
  writeFiles(cwd, { "hooks.json": { hooks: { "tool.before": [entry] } }, ...files });
  const engine = await createEngine({ cwd, env: { PATH: process.env["PATH"] ?? "", HOME: cwd }, configs: [{ file: "hooks.json", dialect: "snaphook" }] });
  onTestFinished(async () => engine.close());
  expect(engine.configuration.notices).toEqual([]);
  return engine;
}

describe("what a module gets and gives", () => {
  test("the event, the tool use id and a signal; its state stays", async () => {
    const engine = await opened(
      {
        "hook.mjs": `let calls = 0;
          export default async (input, toolUseId, { signal }) =>
            ({ verdict: "ask", reason: JSON.stringify([++calls, input.event, input.tool.input, toolUseId, signal.aborted, "id" in input]) });`,
      },
      { module: "./hook.mjs" },
    );
    const reasons = [await engine.fire(CALL), await engine.fire(CALL)].map(({ reason }) => reason);
    expect(reasons).toEqual([1, 2].map((n) => JSON.stringify([n, "tool.before", { command: "ls" }, "t1", false, false])));
  });

  test.each([
    ["hook.cjs", `module.exports = () => ({ verdict: "deny", reason: "cjs" });`, "cjs"],
    ["hook.js", `module.exports = () => ({ verdict: "deny", reason: "js" });`, "js"],
    ["hook.mjs", `export default () => ({ verdict: "deny", reason: "mjs" });`, "mjs"],
    ["hook.ts", `const reason: string = "ts"; export default (input: { event: string }) => ({ verdict: "deny", reason });`, "ts"],
    ["hook.mts", `type Word = string; const reason: Word = "mts"; export default () => ({ verdict: "deny", reason });`, "mts"],
  ])("%s", async (name, text, reason) => {
    const engine = await opened({ [name]: text }, { module: `./${name}` });
    expect(await engine.fire(CALL)).toMatchObject({ verdict: "deny", reason, notices: [], hooks: [{ type: "module", ended: "returned" }] });
  });

  test("nothing is no opinion, and what it prints is no answer", async () => {
    const engine = await opened(
      { "hook.mjs": `export default () => { console.log("{}"); process.stdout.write('{"id":1,"verdict":"deny"}\\n'); };` },
      { module: "./hook.mjs" },
    );
    expect(await engine.fire(CALL)).toMatchObject({ verdict: null, notices: [], hooks: [{ verdict: null, fault: null }] });
  });

  test("a module is found from the file that names it", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, {
      "deep/hooks.json": { hooks: { "tool.before": [{ module: "./hook.mjs" }] } },
      "deep/hook.mjs": `export default () => ({ verdict: "deny" });`,
    });
    const engine = await createEngine({ cwd, env: { PATH: process.env["PATH"] ?? "" }, configs: [{ file: "deep/hooks.json", dialect: "snaphook" }] });
    onTestFinished(async () => engine.close());
    expect((await engine.fire(CALL)).verdict).toBe("deny");
  });

  test("one event at a time, or as many as it exports", async () => {
    const counting = `let open = 0, most = 0;
      export default async () => { most = Math.max(most, ++open); await new Promise((r) => setTimeout(r, 50)); open--; return { reason: String(most) }; };`;
    const most = async (text: string): Promise<number> => {
      const engine = await opened({ "hook.mjs": text }, { module: "./hook.mjs" });
      await engine.fire(CALL); // its hello is there
      const all = await Promise.all(Array.from({ length: 8 }, async () => engine.fire(CALL)));
      return Math.max(...all.map(({ hooks }) => Number(hooks[0]?.reason)));
    };
    expect(await most(counting)).toBe(1);
    expect(await most(`export const concurrency = 4; ${counting}`)).toBe(4);
  });

  test("its signal is aborted when the caller cancels", async () => {
    const engine = await opened(
      {
        "hook.mjs": `let cancelled = "";
          export default async (input, _, { signal }) => {
            if (input.sessionId !== "cancel") return { reason: cancelled };
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
            cancelled = signal.reason.message;
          };`,
      },
      { module: "./hook.mjs" },
    );
    await engine.fire(CALL);
    const caller = new AbortController();
    const cancelled = engine.fire({ ...CALL, sessionId: "cancel" }, { signal: caller.signal });
    caller.abort();
    await expect(cancelled).rejects.toThrow(/abort/i);
    expect((await engine.fire(CALL)).hooks[0]?.reason).toBe("the caller cancelled the event");
  });
});

describe("what goes wrong is a fault with its reason", () => {
  test.each<[string, string, object]>([
    ["it throws", `export default () => { throw new Error("no key"); };`, { kind: "exception", message: "it failed: no key" }],
    ["it answers with text", `export default () => "deny";`, { kind: "exception", message: "it failed: the answer is a string, not an object" }],
    ["it answers with a list", `export default () => [];`, { kind: "exception", message: "it failed: the answer is a list, not an object" }],
    [
      "it has no default export",
      `export const hook = () => {};`,
      { kind: "exit", message: expect.stringMatching(/hook\.mjs has no default export that is a function$/) },
    ],
    ["it can't be loaded", `import "./none.mjs";`, { kind: "exit", message: expect.stringMatching(/^exit code 1: .*hook\.mjs can't be loaded: .*none\.mjs/) }],
    [
      "it leaves an error behind",
      `export default async () => { setTimeout(() => { throw new Error("late"); }); await new Promise(() => {}); };`,
      { kind: "exit", message: expect.stringMatching(/left an error behind: late$/) },
    ],
  ])("%s", async (_, text, fault) => {
    const engine = await opened({ "hook.mjs": text }, { module: "./hook.mjs" });
    expect(await engine.fire(CALL)).toMatchObject({ verdict: "ask", hooks: [{ verdict: null, fault }] });
  });

  test("one that does not exist", async () => {
    const engine = await opened({}, { module: "./none.mjs" });
    expect(await engine.fire(CALL)).toMatchObject({ verdict: "ask", hooks: [{ fault: { kind: "exit", message: expect.stringContaining("none.mjs") } }] });
  });

  test("one that never answers is killed", async () => {
    const engine = await opened({ "hook.mjs": `export default () => { for (;;); };` }, { module: "./hook.mjs", timeout: "300ms", onFault: "deny" });
    expect(await engine.fire(CALL)).toMatchObject({ verdict: "deny", hooks: [{ fault: { kind: "timeout" } }] });
  });
});

describe("TypeScript", () => {
  const strips = Boolean(Reflect.get(process.features, "typescript"));

  test("tsx is taken from where the module or the project has it", () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(ROOT, "node_modules/tsx"), join(folder, "node_modules/tsx"));
    const launch = moduleLaunch(join(folder, "hook.tsx"), { projectDir: "/" });
    expect(launch).toMatchObject({
      file: process.execPath,
      args: ["--import", expect.stringMatching(/tsx\/dist\/loader\.mjs$/), expect.any(String), join(folder, "hook.tsx")],
    });
  });

  test.skipIf(strips)("without anything that runs it, the fault says what to do", () => {
    const folder = tempFolder();
    // The compiled package in a folder of its own, where tsx is something that can't be used.
    writeFiles(folder, { "node_modules/tsx/package.json": { name: "tsx", exports: {} } });
    for (const part of ["dist/runners", "dist/lib"]) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
    const url = pathToFileURL(join(folder, "dist/runners/worker-module.js")).href;
    const script = `const { moduleLaunch } = await import("${url}"); console.log(JSON.stringify(["hook.ts", "hook.mjs"].map((name) => moduleLaunch("${folder}/" + name, { projectDir: "${folder}" }))))`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, env: {}, encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual([
      `${folder}/hook.ts is TypeScript, which Node ${process.versions.node} does not run by itself: use Node 22.18 or later, or \`npm install --save-dev tsx\``,
      {
        file: process.execPath,
        args: [join(folder, "dist/runners/worker-host.js"), `${folder}/hook.mjs`],
        needs: [process.execPath, join(folder, "dist"), join(folder, "package.json")],
      },
    ]);
  });
});
