import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfiguration, type Configuration } from "../../src/config/load.ts";
import { locateConfigs, namedConfig, surroundings } from "../../src/config/locate.ts";
import { DIALECT_LIST, DIALECTS } from "../../src/dialects/index.ts";
import { openTrust, trustAll } from "../../src/trust/open.ts";
import { folderWith, type Files } from "./folder.ts";

const lime = (...commands: readonly string[]): string => JSON.stringify({ hooks: { PreToolUse: commands } });

async function load(files: Files, { trusted = true, env = {} }: { trusted?: boolean; env?: { [name: string]: string } } = {}): Promise<Configuration> {
  const cwd = folderWith(files);
  const all = { HOME: join(cwd, "home"), ...env };
  return loadConfiguration({
    sources: locateConfigs(surroundings({ cwd, env: all })),
    env: all,
    trust: openTrust({ trust: trusted, root: cwd, home: all.HOME, configDir: join(all.HOME, ".config"), env: all }),
    envHooksOf: DIALECT_LIST,
  });
}

const names = ({ hooks }: Configuration): string[] => hooks.map(({ layer, name }) => `${layer} ${name}`);

describe("places and layers", () => {
  test("[W1] every dialect's own places are searched, in the order of layers", async () => {
    const files = {
      ".lime/settings.local.json": lime("local"),
      ".lime/settings.json": lime("project"),
      "home/.lime/settings.json": lime("user"),
      "home/.config/goose/config.yaml": "hooks: { pre_tool_use: [{ command: goose }] }",
      ".snaphook/hooks.toml": '[[hooks."tool.before"]]\ncommand = "native"',
    };
    expect(names(await load(files))).toEqual(["user user", "user goose", "project project", "project native", "local local"]);
  });

  test("[W1] XDG_CONFIG_HOME moves the user's configuration", async () => {
    const cwd = folderWith({ "xdg/goose/config.yaml": "hooks: {}" });
    expect(locateConfigs(surroundings({ cwd, env: { HOME: "/none", XDG_CONFIG_HOME: join(cwd, "xdg") } })).map(({ path }) => path)).toEqual([
      join(cwd, "xdg/goose/config.yaml"),
    ]);
  });

  test("[R10] a file named hooks/hooks.json is a plugin's", () => {
    expect(namedConfig({ file: "p/hooks/hooks.json", cwd: "/x", dialect: undefined })).toMatchObject({ layer: "plugin", plugin: { root: "/x/p", name: "p" } });
  });

  test("[S15] hooks that come with a folder wait for trust, the owner's do not", async () => {
    const loaded = await load({ ".lime/settings.json": lime("project"), "home/.lime/settings.json": lime("user") }, { trusted: false });
    expect([names(loaded), loaded.leftOut.map(({ hook }) => hook.name)]).toEqual([["user user"], ["project"]]);
  });

  test("[F8] a managed layer fails closed where its hook does not say", async () => {
    const cwd = folderWith({ "m.json": lime("a") });
    const source = { ...namedConfig({ file: "m.json", cwd, dialect: DIALECTS.lime }), layer: "managed" } as const;
    const { hooks } = await loadConfiguration({ sources: [source], env: {}, trust: trustAll(), envHooksOf: [] });
    expect(hooks.map(({ onFault }) => onFault)).toEqual(["deny"]);
  });
});

describe("the same hook twice", () => {
  test("[P6] in two layers it is armed once, and a notice names the place", async () => {
    const loaded = await load({ ".lime/settings.json": lime("a", "b"), "home/.lime/settings.json": lime("a") });
    expect(names(loaded)).toEqual(["user a", "project b"]);
    expect(loaded.notices).toEqual([
      expect.objectContaining({ kind: "duplicate-hook", line: 1, column: 25, file: expect.stringMatching(/\.lime\/settings\.json$/) }),
    ]);
  });

  test("[P6] the strictest onFault of them holds", async () => {
    const entry = (onFault: string): string => `hooks: { tool.before: [{ command: a, onFault: ${onFault} }] }`;
    const { hooks } = await load({ "home/.config/snaphook/hooks.yaml": entry("allow"), ".snaphook/hooks.yaml": entry("deny") });
    expect(hooks.map(({ layer, onFault }) => [layer, onFault])).toEqual([["user", "deny"]]);
  });
});

describe("[G2] the legacy variable", () => {
  const env = { GOOSE_SESSION_START_HOOK: "start.sh --now" };

  test("[G2] is a hook when session_start is empty", async () => {
    const { hooks } = await load({}, { env });
    expect(hooks.map(({ dialect, wireName, action }) => [dialect, wireName, action])).toEqual([
      ["goose", "session_start", { type: "command", launch: "argv", command: "start.sh --now", args: ["start.sh", "--now"] }],
    ]);
  });

  test("[G2] is not when the file has one", async () => {
    const { hooks } = await load({ "home/.config/goose/config.yaml": "hooks: { session_start: [{ command: mine }] }" }, { env });
    expect(hooks.map(({ name }) => name)).toEqual(["mine"]);
  });
});

describe("[W1] the mode", () => {
  const mode = (word: string): string => JSON.stringify({ permissions: { defaultMode: word } });

  test.each([
    ["plan", "bypassPermissions", "plan"],
    ["bypassPermissions", "plan", "plan"],
    ["acceptEdits", "bypassPermissions", "acceptEdits"],
  ])("[W1] user %s, project %s: %s", async (user, project, means) => {
    expect((await load({ "home/.robota/settings.json": mode(user), ".robota/settings.json": mode(project) })).mode).toBe(means);
  });

  test("[W1] a project alone can't go beyond default", async () => {
    expect((await load({ ".robota/settings.json": mode("bypassPermissions") })).mode).toBe("default");
  });
});
