/** The package as a stranger gets it: packed, installed into an empty folder with production dependencies only, used there. */
import { execFile } from "node:child_process";
import { readdirSync, rmSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./support/places.ts";
import { writeFiles } from "./support/temp.ts";

const LIMIT_MS = 120_000;
/** What npm links; npx takes a second or two to find it, and does so in one test. */
const BIN = "node_modules/.bin/snaphook";
const folder = realpathSync(mkdtempSync(join(tmpdir(), "snaphook-package-")));
/** Why the package could not be installed, on a machine without a registry. */
let offline: string | undefined;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(file: string, args: readonly string[], { cwd = folder, stdin = "" }: { cwd?: string; stdin?: string } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(file, args, { cwd, env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, SNAPHOOK_TRUST: "" } }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr });
    });
    child.stdin?.end(stdin);
  });
}

beforeAll(async () => {
  // Packed as it was built for this run: building again would pull the bundle from under the other tests.
  const cache = (await run("npm", ["config", "get", "cache"], { cwd: ROOT })).stdout.trim();
  const packed = await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder, "--cache", cache], { cwd: ROOT });
  if (packed.code !== 0) throw new Error(packed.stderr);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  writeFiles(folder, { "package.json": { private: true, type: "module" } });
  const options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const installed = await run("npm", ["install", ...options, `./${tarball}`]);
  if (installed.code === 0) return;
  if (process.env["CI"] === "true" || !/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOTCACHED|ETIMEDOUT/.test(installed.stderr)) throw new Error(installed.stderr);
  offline = `the registry can't be reached: ${installed.stderr.split("\n")[0]}`;
}, LIMIT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("installed with production dependencies only", () => {
  const SETTINGS = { hooks: { PreToolUse: ["exit 2"] } };

  test("no development dependency came along", ({ skip }) => {
    skip(offline !== undefined, offline);
    const names = readdirSync(join(folder, "node_modules"));
    expect(names.filter((name) => ["typescript", "vitest", "oxlint", "fast-check", "rolldown"].includes(name))).toEqual([]);
  });

  test("npx snaphook fire", async ({ skip }) => {
    skip(offline !== undefined, offline);
    writeFiles(folder, { ".lime/settings.json": SETTINGS });
    const { code, stdout } = await run("npx", ["--no-install", "snaphook", "fire", "tool.before", "--config", ".lime/settings.json"], {
      stdin: '{"tool":{"name":"Bash"}}',
    });
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { verdict: "deny", hooks: [{ exitCode: 2 }] }]);
  });

  test.for([
    ["yaml", "hooks:\n  tool.before:\n    - command: exit 2\n"],
    ["toml", '[[hooks."tool.before"]]\ncommand = "exit 2"\n'],
  ] as const)("parsers are there: %s", async ([ending, text], { skip }) => {
    skip(offline !== undefined, offline);
    writeFiles(folder, { [`hooks.${ending}`]: text });
    expect((await run(BIN, ["fire", "tool.before", "--config", `hooks.${ending}`], { stdin: '{"tool":{"name":"Bash"}}' })).code).toBe(2);
  });

  test("the gate is there", async ({ skip }) => {
    skip(offline !== undefined, offline);
    writeFiles(folder, { "rules.json": { permissions: { deny: ["Bash(rm *)"] }, hooks: {} } });
    const { stdout } = await run(BIN, ["fire", "tool.before", "--dialect", "robota", "--config", "rules.json"], {
      stdin: '{"tool":{"name":"Bash","input":{"command":"ls && rm x"}}}',
    });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "deny", gate: { verdict: "deny" } });
  });

  test("snaphook list and lint", async ({ skip }) => {
    skip(offline !== undefined, offline);
    writeFiles(folder, { ".lime/settings.json": SETTINGS });
    const listed = await run(BIN, ["list", "--json"]);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain("exit 2");
    const linted = await run(BIN, ["lint", "--json"]);
    expect([linted.code, JSON.parse(linted.stdout)]).toEqual([0, expect.anything()]);
  });

  test("snaphook-hook, by Node and by a daemon", async ({ skip }) => {
    skip(offline !== undefined, offline);
    writeFiles(folder, { ".lime/settings.json": SETTINGS });
    const fire = ["fire", "tool.before", "--config", ".lime/settings.json"];
    const hook = async (): Promise<number> => (await run(`${BIN}-hook`, fire, { stdin: '{"tool":{"name":"Bash"}}' })).code;
    expect([(await run(BIN, ["daemon", "status"])).code, await hook()]).toEqual([1, 2]);
    const served = async (): Promise<unknown> => JSON.parse((await run(BIN, ["daemon", "status", "--json"])).stdout).tally.served;
    expect((await run(BIN, ["daemon", "start"])).code).toBe(0);
    try {
      expect(await hook()).toBe(2);
      await expect.poll(served, { timeout: 10_000 }).toBe(1);
    } finally {
      expect((await run(BIN, ["daemon", "stop"])).code).toBe(0);
    }
  });

  test('import "snaphook" and "snaphook/testing"', async ({ skip }) => {
    skip(offline !== undefined, offline);
    writeFiles(folder, {
      "use.mjs": `import { createEngine, defineHook } from "snaphook";
import { exited, interpretAs } from "snaphook/testing";
import { DIALECTS } from "snaphook";
const engine = await createEngine({ cwd: ".", env: {}, discover: false, hooks: [defineHook({ event: "tool.before", call: () => ({ verdict: "deny", reason: "no" }) })] });
const { verdict, reason } = await engine.fire({ name: "tool.before", tool: { name: "Bash", input: {} } });
await engine.close();
console.log(JSON.stringify({ verdict, reason, claw: interpretAs(DIALECTS.claw, "PreToolUse", exited(2, "no")).verdict }));`,
    });
    const { stdout, stderr } = await run("node", ["use.mjs"]);
    expect([stderr, stdout]).toEqual(["", '{"verdict":"deny","reason":"no","claw":"deny"}\n']);
  });

  test("types", async ({ skip }) => {
    skip(offline !== undefined, offline);
    writeFiles(folder, {
      "use.ts": `import { createEngine, defineHook, type Decision, type EventName, type Verdict } from "snaphook";
import { conformance, type ConformanceRow, type TestKit } from "snaphook/testing";
const hook = defineHook({ event: "tool.before", call: ({ tool }) => (tool.input["command"] === "ls" ? { verdict: "allow" } : undefined) });
const engine = await createEngine({ cwd: ".", env: {}, hooks: [hook] });
const decision: Decision = await engine.fire({ name: "tool.before" });
const verdict: Verdict | null = decision.verdict;
// @ts-expect-error: not an event
const wrong: EventName = "tool.never";
// @ts-expect-error: a prompt has no tool
defineHook({ event: "prompt.submit", call: ({ tool }) => tool });
export const rows: readonly ConformanceRow[] = [];
export { conformance, verdict, wrong, type TestKit };`,
    });
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom", "--types", "", "--exactOptionalPropertyTypes"];
    expect(await run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), ...flags, "use.ts"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("schemas and examples are in it", ({ skip }) => {
    skip(offline !== undefined, offline);
    const inside = readdirSync(join(folder, "node_modules/snaphook"));
    expect(inside).toEqual(expect.arrayContaining(["LICENSE", "bin", "dist", "examples", "package.json", "schema"]));
    expect(inside.filter((name) => ["src", "test", "scripts"].includes(name))).toEqual([]);
  });
});
