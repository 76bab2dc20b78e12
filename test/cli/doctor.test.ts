import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SURROUNDINGS, type Finding } from "../../src/cli/doctor/surroundings.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { isObject } from "../../src/lib/json.ts";
import { folderWith, type Files } from "../config/folder.ts";
import { needs } from "../support/needs.ts";
import { repository } from "../trust/repository.ts";
import { run } from "./surface.ts";

const USER = "home/.config/snaphook/hooks.json";
const json = (value: object): string => JSON.stringify(value);
const hooks = (...entries: readonly object[]): string => json({ hooks: { "tool.before": entries } });
const script = (text: string, mode = 0o755): { text: string; mode: number } => ({ text, mode });

interface Examined {
  readonly exit: number;
  readonly armed: number;
  readonly total: number;
  readonly reasons: readonly (string | null)[];
  readonly remarks: readonly (readonly string[])[];
  readonly surroundings: { readonly [name: string]: Finding };
}

async function examine(
  files: Files,
  { env = {}, args = [] }: { env?: { [name: string]: string }; args?: readonly string[] } = {},
): Promise<Examined & { cwd: string }> {
  const cwd = folderWith(files);
  const { exit, out } = await run(["doctor", "--json", ...args], { cwd, env });
  const report: Omit<Examined, "exit"> & { hooks: readonly { reason: string | null; remarks: readonly string[] }[] } = JSON.parse(out);
  return { ...report, exit, cwd, reasons: report.hooks.map(({ reason }) => reason), remarks: report.hooks.map(({ remarks }) => remarks) };
}

describe("snaphook doctor: each hook", () => {
  test("all armed: exit 0, and nothing of a hook was run or loaded", async () => {
    const found = await examine({
      [USER]: hooks(
        { command: "touch ran; exit 2" },
        { command: "./guard.sh" },
        { command: "sh ./guard.sh --flag" },
        { args: ["touch", "ran"] },
        { command: "jq . && no-such-program || :" },
        { module: "guard.mjs" },
        { callback: "guard" },
        { url: "http://127.0.0.1:9/" },
      ),
      "home/.config/snaphook/callbacks.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "");\n',
      "home/.config/snaphook/guard.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "");\n',
      "guard.sh": script("#!/bin/sh\ntouch ran\n"),
    });
    expect([found.exit, found.armed, found.total, found.reasons]).toEqual([0, 8, 8, Array.from({ length: 8 }, () => null)]);
    expect(existsSync(join(found.cwd, "ran"))).toBe(false);
  });

  test.each<readonly [what: string, entry: object, reason: RegExp]>([
    ["a program that is not found", { command: "no-such-program --flag" }, /^no-such-program is not found in PATH$/],
    ["one that is started without a shell", { args: ["no-such-program"] }, /^no-such-program is not found in PATH$/],
    ["a script that is missing", { command: "./gone.sh" }, /^\.\/gone\.sh does not exist \(hooks run in .*\): create it, or correct the path$/],
    ["one that an interpreter would read", { command: "python3 ./gone.py" }, /^\.\/gone\.py does not exist/],
    ["a script that is not executable", { command: "./plain.sh" }, /^\.\/plain\.sh is not executable: chmod \+x plain\.sh$/],
    ["a first line that names no program", { command: "./lost.sh" }, /^the first line of \.\/lost\.sh names \/no\/such\/sh, which is no program here$/],
    ["a first line that names one to be looked up", { command: "./env.sh" }, /^the first line of \.\/env\.sh names python99, which is not found in PATH$/],
    ["a module that is missing", { module: "gone.mjs" }, /gone\.mjs does not exist/],
    ["a callback without its module", { callback: "guard" }, /callbacks\.mjs does not exist, and must export guard; --callbacks names another module$/],
    ["a callback that must be held", { callback: "guard", sandbox: "readonly" }, /^a callback runs inside Snaphook, where the sandbox readonly can't hold it/],
    ["an address in a private network", { url: "http://10.0.0.1/" }, /^10\.0\.0\.1 is not a public address \(private\): spell it out in allowedHttpHookUrls/],
    ["an entry that can't be read", { timeout: "1s" }, /^a command hook needs "command"$/],
  ])("%s: not armed, exit 1", async (_what, entry, reason) => {
    const found = await examine({
      [USER]: hooks(entry, { command: "true" }),
      "plain.sh": script("#!/bin/sh\n", 0o644),
      "lost.sh": script("#!/no/such/sh\n"),
      "env.sh": script("#!/usr/bin/env python99\n"),
    });
    expect([found.exit, found.armed, found.total]).toEqual([1, 1, 2]);
    expect(found.reasons.find((each) => each !== null)).toMatch(reason);
  });

  test("an address that a list refuses, and a sandbox that is not available", async () => {
    const url = await examine({ [USER]: json({ allowedHttpHookUrls: ["https://a.example/*"], hooks: { "tool.before": [{ url: "https://b.example/" }] } }) });
    expect([url.exit, url.reasons]).toEqual([1, [expect.stringContaining("https://b.example/ is not in allowedHttpHookUrls of ")]]);
    const bare = await examine({ [USER]: hooks({ command: "true", sandbox: "strict" }) }, { env: { PATH: "/nowhere" } });
    expect([bare.exit, bare.reasons, bare.surroundings["sandbox"]?.health]).toEqual([
      1,
      [expect.stringMatching(/^the sandbox strict that its entry asks for is not available: bubblewrap \(bwrap\) is not in PATH/)],
      "bad",
    ]);
  });

  test.skipIf(needs("bwrap"))("a program that strict hides", async () => {
    const files = {
      [USER]: hooks({ command: "guard", sandbox: "strict" }, { command: "guard", sandbox: "readonly" }),
      "home/bin/guard": script("#!/bin/sh\n"),
    };
    const cwd = folderWith({ ...files, "project/x": "" });
    const env = { HOME: join(cwd, "home"), PATH: `${join(cwd, "home/bin")}:/usr/bin:/bin` };
    const { out } = await run(["doctor", "--json"], { cwd: join(cwd, "project"), env });
    expect(JSON.parse(out)).toMatchObject({
      hooks: [{ reason: expect.stringMatching(/^guard is .*\/home\/bin\/guard, which the sandbox strict hides/) }, { reason: null }],
    });
  });

  test("what is not trusted is not looked into; what changed, is open to others or ruled out is named", async () => {
    const repo = repository({ ".lime/settings.json": { hooks: { PreToolUse: ["./guard.sh", "./gone.sh"] } }, "guard.sh": "#!/bin/sh\n" });
    const reasons = async (): Promise<readonly unknown[]> => {
      const { exit, out } = await repo.run(["doctor", "--json"]);
      const report: { hooks: readonly { reason: string | null }[] } = JSON.parse(out);
      return [exit, ...report.hooks.map(({ reason }) => reason)];
    };
    const untrusted = expect.stringContaining("it comes with this folder, which is not trusted");
    expect(await reasons()).toEqual([1, untrusted, untrusted]);
    await repo.trust();
    expect(await reasons()).toEqual([1, null, expect.stringContaining("./gone.sh does not exist")]);
    repo.put("guard.sh", "#!/bin/sh\n: changed\n", 0o755);
    expect(await reasons()).toContainEqual(expect.stringContaining("content changed since"));
    chmodSync(join(repo.root, "guard.sh"), 0o777);
    expect(await reasons()).toContainEqual(expect.stringContaining("guard.sh can be written by everyone; chmod o-w it"));
    repo.put("../home/.lime/settings.json", { disableAllHooks: true });
    expect(await reasons()).toContainEqual(expect.stringMatching(/^hooks are switched off \(disableAllHooks, /));
    expect(repo.ran()).toBe(false);
  });

  test("a script of the user's that everyone may write runs all the same, and is told; hooks switched off or repeated are not counted", async () => {
    const cwd = folderWith({
      [USER]: hooks({ command: "./guard.sh" }, { command: "./guard.sh", enabled: false }),
      ".lime/settings.json": json({ hooks: { PreToolUse: ["true"] } }),
      "home/.lime/settings.json": json({ hooks: { PreToolUse: ["true"] } }),
      "guard.sh": script("#!/bin/sh\n", 0o777),
    });
    const { exit, out } = await run(["doctor", "--trust"], { cwd });
    expect(exit).toBe(0);
    expect(out).toContain("ARMED 2 of 2");
    expect(out).toContain(", 2 hooks switched off or repeated");
    expect(out).toContain("but: guard.sh can be written by everyone; chmod o-w it");
  });
});

describe("snaphook doctor: what hooks rest on", () => {
  test("an empty folder is well", async () => {
    const { exit, out } = await run(["doctor"], { cwd: folderWith() });
    expect([exit, out.split("\n")[1]]).toEqual([0, expect.stringContaining("NO HOOKS")]);
    expect(out).toMatch(/^ {5}– +files +none here: `snaphook list` names the places$/m);
    expect(out).toMatch(/^ {5}ok +program +Snaphook \d+\.\d+\.\d+, Node \d+/m);
    expect(out).toMatch(/^ {5}– +daemon +not running/m);
    expect(out).toMatch(/^ {5}ok +launcher +.*\/bin\/sh is\s+\//m);
  });

  test("a file that can't be read is wrong", async () => {
    const { exit, surroundings } = await examine({ ".lime/settings.json": "{" });
    expect([exit, surroundings["files"]]).toEqual([
      1,
      {
        health: "bad",
        text: "1 file, 1 of them not readable: calls are asked",
        more: [expect.stringMatching(/^\.lime\/settings\.json {2}project {2}.*can't be parsed/)],
      },
    ]);
  });

  test("trust: the day of the approval, and a record that somebody else could have written", async () => {
    const repo = repository({ ".lime/settings.json": { hooks: { PreToolUse: ["true"] } } });
    await repo.trust();
    const today = new Date().toISOString().slice(0, 10);
    expect((await repo.run(["doctor"])).out).toContain(`this folder since ${today}, 1 thing`);
    const folder = join(repo.home, ".config/snaphook/trust");
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666);
    const { exit, out } = await repo.run(["doctor"]);
    expect([exit, out]).toEqual([1, expect.stringMatching(/^ {5}wrong +trust /m)]);
  });

  test("the log: how much it holds, and the first record that is not what was written", async () => {
    const repo = repository({ ".lime/settings.json": { hooks: { PreToolUse: ["true"] } } });
    await repo.fire();
    expect((await repo.run(["doctor"])).out).toMatch(/ok +audit +.*\/snaphook\/audit: \d+ records, the last on 20\d\d-\d\d-\d\d, each as it\s+was written/);
    const folder = join(repo.home, ".local/state/snaphook/audit");
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".jsonl")))
      writeFileSync(join(folder, name), readFileSync(join(folder, name), "utf8").replace('"tool.before"', '"tool.beforf"'));
    const { exit, out } = await repo.run(["doctor"]);
    expect([exit, out]).toEqual([1, expect.stringMatching(/wrong +audit [^]*lane-00-000001\.jsonl:\d+ /)]);
    expect((await repo.run(["doctor"], { env: { SNAPHOOK_AUDIT: "off" } })).out).toContain("no record is kept (SNAPHOOK_AUDIT=off)");
  });

  test("managed settings: what they demand, or that they are refused", async () => {
    const look = async (mode: number): Promise<Finding | undefined> => {
      const cwd = folderWith({
        "root/etc/snaphook/settings.json": { text: json({ allowManagedHooksOnly: true, sandbox: "readonly", allowedHttpHookUrls: [] }), mode },
      });
      mkdirSync(join(cwd, "home"));
      const engine = await createEngine({ cwd, env: { HOME: join(cwd, "home") }, managed: { root: join(cwd, "root"), owner: process.geteuid?.() ?? 0 } });
      const surface = {
        env: {},
        cwd,
        stdin: async () => "",
        stdout: () => {},
        stderr: () => {},
        terminal: { isTerminal: false, columns: 80, colour: false },
        signal: new AbortController().signal,
        onInterrupt: () => {},
        lines: async function* () {},
        stdinIsTerminal: false,
      };
      return SURROUNDINGS["managed"]?.({ engine, surface, folders: { cwd, home: "" }, configDir: "" });
    };
    expect(await look(0o644)).toEqual({ health: "fine", text: "in force: allowManagedHooksOnly, allowedHttpHookUrls (0), sandbox readonly" });
    expect(await look(0o666)).toEqual({ health: "bad", text: "1 file refused: nothing in it counts" });
  });

  test.skipIf(needs("bwrap"))("the sandbox: its version and the levels that can be had", async () => {
    const { surroundings } = await examine({});
    expect(surroundings["sandbox"]).toEqual({ health: "fine", text: expect.stringMatching(/^bubblewrap \d[\d.]*: readonly and strict$/), more: [] });
  });

  test("a narrow page folds, and colour adds nothing but colour", async () => {
    const cwd = folderWith({ [USER]: hooks({ command: "no-such-program --with --many --words --that --go --on" }) });
    const plain = await run(["doctor"], { cwd, columns: 80 });
    const coloured = await run(["doctor"], { cwd, columns: 80, colour: true });
    expect(Math.max(...plain.out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(160);
    expect(coloured.out.replaceAll(/\u001B\[\d+m/g, "")).toBe(plain.out); // oxlint-disable-line no-control-regex -- the codes of colours
    expect(isObject(JSON.parse((await run(["doctor", "--json"], { cwd })).out))).toBe(true);
  });
});
