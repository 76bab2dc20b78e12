import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ManagedPlace } from "../../src/config/managed.ts";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { createSession, type SessionLine } from "../../src/index.ts";
import type { Mode } from "../../src/model/rule.ts";
import { scriptedModel } from "../../src/session/model/script.ts";
import { inventory } from "../../src/lint/inventory.ts";
import { explain } from "../../src/cli/why/explain.ts";
import { pageText } from "../../src/cli/why/page.ts";
import { sceneHere } from "../../src/cli/why/scene.ts";
import { inventoryText } from "../../src/cli/render/inventory.ts";
import { folderWith, type Files } from "./folder.ts";

const MANAGED = "root/etc/snaphook/settings.json";
const json = (value: object): string => JSON.stringify(value);
const place = (cwd: string): ManagedPlace => ({ root: join(cwd, "root"), owner: process.geteuid?.() ?? 0 });

/** A project whose machine has managed settings, and whose user has a home. */
async function engineOf(
  files: Files,
  { mode, prepare, configs = [] }: { mode?: Mode; prepare?: (cwd: string) => void; configs?: readonly { readonly file: string }[] } = {},
): Promise<Engine & { readonly cwd: string }> {
  const cwd = folderWith(files);
  prepare?.(cwd);
  const engine = await createEngine({
    cwd,
    env: { HOME: join(cwd, "home"), PATH: process.env["PATH"] },
    trust: true,
    managed: place(cwd),
    configs,
    ...(mode !== undefined && { mode }),
  });
  return { ...engine, cwd };
}

const names = ({ configuration }: Engine): readonly string[] => configuration.hooks.map(({ layer, name }) => `${layer} ${name}`);
const told = ({ configuration }: Engine): string => configuration.notices.map(({ message }) => message).join("\n");
const judge = (engine: Engine, command: string, permissionMode?: Mode): string | undefined =>
  engine.gate?.report({ name: "tool.before", tool: { name: "shell", input: { command } }, ...(permissionMode && { permissionMode }) })?.verdict;
const lime = (...commands: readonly string[]): string => json({ hooks: { PreToolUse: commands } });
const EVERYONE: Files = {
  "home/.lime/settings.json": lime("user"),
  ".lime/settings.json": lime("project"),
  ".lime/settings.local.json": lime("local"),
};
const managedHook = { hooks: { "tool.before": [{ command: "managed" }] } };

describe("managed settings have authority only while nobody else could have written them", () => {
  test("root's file in root's folders counts, above all others", async () => {
    const engine = await engineOf({ ...EVERYONE, [MANAGED]: json(managedHook) });
    expect(names(engine)).toEqual(["managed managed", "user user", "project project", "local local"]);
    expect(engine.configuration.hooks[0]?.onFault).toBe("deny");
  });

  test("it counts as well where other files are named, and the user's and the project's do not", async () => {
    const engine = await engineOf(
      { ...EVERYONE, [MANAGED]: json({ ...managedHook, permissions: { deny: ["Bash(curl *)"] } }), "named.json": json({ permissions: { allow: ["Bash"] } }) },
      { configs: [{ file: "named.json" }] },
    );
    expect([names(engine), judge(engine, "curl x"), judge(engine, "ls")]).toEqual([["managed managed"], "deny", "allow"]);
  });

  test.each([
    ["the file can be written by others", MANAGED, 0o646],
    ["its group can write it", MANAGED, 0o664],
    ["its folder can be written by others", "root/etc/snaphook", 0o777],
    ["the folder above can be written by others", "root/etc", 0o777],
  ])("%s: nothing in it counts, a notice says so, and calls are asked", async (_what, path, mode) => {
    const engine = await engineOf(
      { [MANAGED]: json({ ...managedHook, permissions: { allow: ["Bash"] } }) },
      { prepare: (cwd) => chmodSync(join(cwd, path), mode) },
    );
    expect([names(engine), engine.configuration.rules]).toEqual([[], []]);
    expect(told(engine)).toMatch(/settings\.json is refused as managed settings: .* can be written by others \(mode \d+; chmod go-w it\)/);
    expect((await engine.fire({ name: "tool.before", tool: { name: "read", input: { file_path: "x" } } })).verdict).toBe("ask");
  });

  test("a file of another owner is refused", async () => {
    const cwd = folderWith({ [MANAGED]: json(managedHook) });
    const managed = { ...place(cwd), owner: 54_321 };
    const engine = await createEngine({ cwd, env: { HOME: join(cwd, "home") }, managed });
    expect([names(engine), told(engine)]).toEqual([[], expect.stringMatching(/belongs to user \d+, not to user 54321/)]);
  });
});

describe("switches", () => {
  test("allowManagedHooksOnly leaves only managed hooks, and list says why", async () => {
    const engine = await engineOf({ ...EVERYONE, [MANAGED]: json({ ...managedHook, allowManagedHooksOnly: true }) });
    expect(names(engine)).toEqual(["managed managed"]);
    const page = inventoryText(inventory(engine.configuration), {
      folders: { cwd: engine.cwd, home: "" },
      terminal: { isTerminal: false, columns: 200, colour: false },
      configuration: engine.configuration,
    });
    expect(page).toContain("ARMED 1 of 4");
    expect(page).toContain("OVERRULED 3 by settings above them");
    expect(page).toContain("not armed: only managed hooks run here (allowManagedHooksOnly, root/etc/snaphook/settings.json:1:");
    expect(page).toContain("user, overruled");
  });

  test("[P1] disableAllHooks: the user's switches off all but the managed ones, a repository's only its own", async () => {
    const off = (text: string): string => json({ ...JSON.parse(text), disableAllHooks: true });
    const byUser = await engineOf({ ...EVERYONE, [MANAGED]: json(managedHook), "home/.lime/settings.json": off(lime("user")) });
    expect(names(byUser)).toEqual(["managed managed"]);
    const byProject = await engineOf({ ...EVERYONE, [MANAGED]: json(managedHook), ".lime/settings.json": off(lime("project")) });
    expect(names(byProject)).toEqual(["managed managed", "user user"]);
    const byManaged = await engineOf({ ...EVERYONE, [MANAGED]: json({ ...managedHook, disableAllHooks: true }) });
    expect(names(byManaged)).toEqual(["managed managed"]);
  });

  test("allowManagedPermissionRulesOnly: nobody else may allow; deny and ask of others still tighten", async () => {
    const engine = await engineOf({
      [MANAGED]: json({ permissions: { allow: ["Bash(ls)"] }, allowManagedPermissionRulesOnly: true }),
      "home/.lime/settings.json": json({ permissions: { allow: ["Bash(make)"], deny: ["Bash(rm *)"] } }),
      ".lime/settings.json": json({ permissions: { allow: ["Bash(cat *)"], ask: ["Bash(git *)"] } }),
    });
    expect(["ls", "make", "cat x", "rm x", "git x"].map((command) => judge(engine, command))).toEqual(["allow", "ask", "ask", "deny", "ask"]);
    expect(told(engine)).toContain("the allow rule Bash(make) does not count: only managed settings may allow here");
  });

  test("[A7] rules of hooks do not count where only managed settings may allow, and never beat a deny", async () => {
    const grants = `echo '{"rules": ["Bash(make)", "Bash(rm *)"]}'`;
    const files = {
      "home/.config/snaphook/hooks.json": json({
        hooks: { "prompt.submit": [], "tool.before": [{ command: grants, matcher: "read" }] },
        permissions: { deny: ["Bash(rm *)"] },
      }),
    };
    const outcome = async (more: Files): Promise<readonly string[]> => {
      const cwd = folderWith({ ...files, ...more, "x.txt": "x" });
      const lines: SessionLine[] = [];
      const call = (name: string, input: { [key: string]: unknown }): { name: string; input: { [key: string]: unknown } } => ({ name, input });
      const session = await createSession({
        cwd,
        env: { PATH: process.env["PATH"], HOME: join(cwd, "home"), TMPDIR: cwd },
        model: scriptedModel({
          turns: [
            { toolCalls: [call("Read", { file_path: "x.txt" })] },
            { toolCalls: [call("Bash", { command: "make" })] },
            { toolCalls: [call("Bash", { command: "rm x.txt" })] },
            { text: "done" },
          ],
        }),
        managed: place(cwd),
        onLine: (line) => void lines.push(line),
      });
      await session.prompt("go");
      await session.end("other");
      return lines.flatMap((line) =>
        line.type === "event" && line.event === "tool.before" ? [String(JSON.parse(JSON.stringify(line)).decision.gate?.verdict)] : [],
      );
    };
    expect(await outcome({})).toEqual(["allow", "allow", "deny"]);
    expect(await outcome({ [MANAGED]: json({ allowManagedPermissionRulesOnly: true }) })).toEqual(["allow", "ask", "deny"]);
  });

  test.each([{ disableBypassPermissionsMode: true }, { permissions: { disableBypassPermissionsMode: "disable" } }, { disableBypassPermissionsMode: "yes" }])(
    "%j: nobody may bypass, whoever asks for it",
    async (switches) => {
      const engine = await engineOf({ [MANAGED]: json(switches), "home/.lime/settings.json": json({ permissions: { defaultMode: "bypassPermissions" } }) });
      expect([engine.configuration.mode, judge(engine, "make"), judge(engine, "make", "bypassPermissions")]).toEqual(["default", "ask", "ask"]);
      const asked = await engineOf({ [MANAGED]: json(switches) }, { mode: "bypassPermissions" });
      expect(judge(asked, "make")).toBe("ask");
    },
  );

  test("a switch that only managed settings may use has no effect elsewhere, and it is said", async () => {
    const engine = await engineOf({
      ...EVERYONE,
      "home/.lime/settings.json": json({ ...JSON.parse(lime("user")), allowManagedHooksOnly: true, allowManagedPermissionRulesOnly: true }),
    });
    expect(names(engine)).toEqual(["user user", "project project", "local local"]);
    expect(told(engine)).toContain("allowManagedHooksOnly counts only in managed settings; here it has no effect");
  });
});

describe("the mode", () => {
  test("of managed settings is the loosest that any other may have", async () => {
    const managed = { [MANAGED]: json({ permissions: { defaultMode: "default" } }) };
    const engine = await engineOf({ ...managed, "home/.lime/settings.json": json({ permissions: { defaultMode: "acceptEdits" } }) });
    expect([engine.configuration.mode, judge(engine, "make", "bypassPermissions"), judge(engine, "make", "plan")]).toEqual(["default", "ask", "deny"]);
    expect(told(engine)).toContain("managed settings do not permit it; the mode is default");
  });

  test("of a session is never looser than managed settings permit, at its start and later", async () => {
    const cwd = folderWith({ [MANAGED]: json({ disableBypassPermissionsMode: true }) });
    const lines: SessionLine[] = [];
    const session = await createSession({
      cwd,
      env: { HOME: join(cwd, "home"), TMPDIR: cwd },
      model: scriptedModel({ turns: [] }),
      mode: "bypassPermissions",
      managed: place(cwd),
      onLine: (line) => void lines.push(line),
    });
    const started = session.mode;
    session.mode = "bypassPermissions";
    expect([started, session.mode]).toEqual(["default", "default"]);
    session.mode = "plan";
    expect(session.mode).toBe("plan");
    await session.end("other");
    expect(JSON.stringify(lines)).toContain("mode bypassPermissions is not permitted by the settings above; the mode is default");
  });
});

test("why names the rule that is managed", async () => {
  const engine = await engineOf({ [MANAGED]: json({ permissions: { deny: ["Bash(curl *)"] } }) });
  const scene = sceneHere({ cwd: engine.cwd, home: "", mode: "default" });
  const explanation = await explain({ name: "shell", input: { command: "curl x" } }, { engine, scene, asked: undefined, decision: null });
  const page = pageText(explanation, { terminal: { isTerminal: false, columns: 120, colour: false }, folders: { cwd: engine.cwd, home: "" } });
  expect(page).toMatch(/curl x {2}deny {2}Bash\(curl \*\) {2}root\/etc\/snaphook\/settings\.json:1:\d+ {2}managed/);
});

test("a managed deny can't be undone: not by an allow of any layer, nor by a hook", async () => {
  const engine = await engineOf({
    [MANAGED]: json({ permissions: { deny: ["Bash(curl *)"] } }),
    "home/.config/snaphook/hooks.json": json({ hooks: { "tool.before": [{ command: `echo '{"verdict": "allow"}'` }] }, permissions: { allow: ["Bash"] } }),
    ".lime/settings.json": json({ permissions: { allow: ["Bash(curl *)"] } }),
  });
  expect((await engine.fire({ name: "tool.before", tool: { name: "shell", input: { command: "curl x" } } })).verdict).toBe("deny");
});
