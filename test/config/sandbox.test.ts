/** Which sandbox a hook has, by who says what. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEngine } from "../../src/engine/engine.ts";
import { run } from "../cli/surface.ts";
import { repository } from "../trust/repository.ts";
import { folderWith, type Files } from "./folder.ts";

const MANAGED = "root/etc/snaphook/settings.json";
const USER = "home/.config/snaphook/settings.json";
const PROJECT = ".snaphook/settings.json";
const json = (value: object): string => JSON.stringify(value);

/** Every hook of the native dialect with its level, and the notices. */
async function levels(files: Files): Promise<{ readonly hooks: readonly string[]; readonly notices: readonly string[] }> {
  const cwd = folderWith(files);
  const managed = { root: join(cwd, "root"), owner: process.geteuid?.() ?? 0 };
  const { configuration } = await createEngine({ cwd, env: { HOME: join(cwd, "home"), GOOSE_SESSION_START_HOOK: "legacy" }, trust: true, managed });
  return {
    hooks: configuration.hooks.map(({ name, sandbox: { level, by } }) => `${name} ${level}${by ? ` ${by.file.slice(cwd.length + 1)}:${by.line}` : ""}`),
    notices: configuration.notices.map(({ message, column }) => `${column} ${message}`),
  };
}

const hooks = (name: string, sandbox?: string): object => ({ hooks: { "tool.before": [{ command: name, ...(sandbox !== undefined && { sandbox }) }] } });

describe("the sandbox of a hook", () => {
  test("is what its entry says; one that can't be read counts as strict", async () => {
    const found = await levels({
      [PROJECT]: json({ hooks: { "tool.before": [{ command: "a" }, { command: "b", sandbox: "readonly" }, { command: "c", sandbox: "loose" }] } }),
    });
    expect(found).toEqual({
      hooks: ["legacy none", "a none", "b readonly", "c strict"],
      notices: ['104 sandbox "loose" is not one of none, readonly, strict'],
    });
  });

  test("the root of settings is the default of its own layer, and the least for layers below", async () => {
    const { hooks: found } = await levels({
      [USER]: json({ sandbox: "readonly", hooks: { "tool.before": [{ command: "user" }, { command: "open", sandbox: "none" }] } }),
      [PROJECT]: json({
        hooks: { "tool.before": [{ command: "project" }, { command: "wants-none", sandbox: "none" }, { command: "wants-strict", sandbox: "strict" }] },
      }),
      ".lime/settings.json": json({ hooks: { PreToolUse: ["lime"] } }),
    });
    const by = "readonly home/.config/snaphook/settings.json:1";
    expect(found).toEqual([`user ${by}`, "open none", `legacy ${by}`, `lime ${by}`, `project ${by}`, `wants-none ${by}`, "wants-strict strict"]);
  });

  test("managed settings are the least for everyone, and a repository tightens only its own", async () => {
    const { hooks: found } = await levels({
      [MANAGED]: json({ sandbox: "readonly", ...hooks("managed", "none") }),
      [USER]: json({ sandbox: "none", ...hooks("user", "none") }),
      [PROJECT]: json({ sandbox: "strict", ...hooks("project") }),
    });
    const by = "root/etc/snaphook/settings.json:1";
    expect(found).toEqual(["managed none", `user readonly ${by}`, `legacy readonly ${by}`, "project strict .snaphook/settings.json:1"]);
  });

  test("at the root, what can't be read counts as strict; in the files of others it has no effect", async () => {
    const wrong = await levels({ [USER]: json({ sandbox: true, ...hooks("user") }) });
    expect(wrong).toEqual({
      hooks: ["user strict home/.config/snaphook/settings.json:1", "legacy strict home/.config/snaphook/settings.json:1"],
      notices: ["12 sandbox is not one of none, readonly, strict; it counts as strict"],
    });
    const foreign = await levels({
      ".claude/settings.json": json({ sandbox: { enabled: true }, hooks: { PreToolUse: ["claw"] } }),
      ".lime/settings.json": json({ sandbox: "strict", hooks: { PreToolUse: ["lime"] } }),
    });
    expect(foreign).toEqual({
      hooks: ["legacy none", "lime none", "claw none"],
      notices: ["12 sandbox counts in Snaphook's own files only, as .snaphook/settings.json; here it has no effect"],
    });
  });

  test("a hook that starts no program says so", async () => {
    const { notices } = await levels({ [PROJECT]: json({ hooks: { "tool.before": [{ url: "https://a.example/", sandbox: "strict" }] } }) });
    expect(notices).toEqual(["64 sandbox holds programs that hooks start, and an http hook starts none; allowedHttpHookUrls says where it may be sent"]);
  });

  test("list shows it", async () => {
    const cwd = folderWith({ [USER]: json({ sandbox: "strict", ...hooks("guard") }) });
    expect((await run(["list"], { cwd, columns: 200 })).out).toContain("onFault ask, sandbox strict");
    expect(JSON.parse((await run(["list", "--json"], { cwd })).out)).toMatchObject({ hooks: [{ name: "guard", sandbox: "strict" }] });
  });
});

describe("an approval covers what loosens a hook", () => {
  test.each([
    ["its sandbox", { sandbox: "strict" }, {}],
    ["the variables that it is passed", {}, { passEnv: ["GITHUB_TOKEN"] }],
  ])("%s", async (_what, approved, changed) => {
    const entry = { command: "echo guard" };
    const repo = repository({ ".snaphook/hooks.json": { hooks: { "tool.before": [{ ...entry, ...approved }] } } });
    await repo.trust();
    repo.put(".snaphook/hooks.json", { hooks: { "tool.before": [{ ...entry, ...changed }] } });
    const { hooks: heard, verdict } = await repo.fire();
    expect([heard, verdict]).toEqual([[], "ask"]);
  });

  test("and not what the owner of the machine asks for besides", async () => {
    const repo = repository({ ".snaphook/hooks.json": { hooks: { "tool.before": [{ command: "echo guard" }] } } });
    await repo.trust();
    repo.put("../home/.config/snaphook/settings.json", { sandbox: "readonly" });
    expect((await repo.run(["list"])).out).toContain("ARMED 1 of 1");
  });
});
