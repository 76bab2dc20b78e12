import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LAYERS, type Layer } from "../../src/model/layer.ts";
import { inheritedEnv } from "../../src/runners/environment.ts";

const GUESTS: readonly Layer[] = ["project", "local", "plugin"];
const OWNERS: readonly Layer[] = LAYERS.filter((layer) => !GUESTS.includes(layer));

function kept(layer: Layer, names: readonly string[], passEnv: readonly string[] = []): readonly string[] {
  return Object.keys(inheritedEnv({ layer, passEnv }, Object.fromEntries(names.map((name) => [name, "x"]))));
}

describe("what a hook inherits", () => {
  test.each(OWNERS)("a hook of the %s layer sees its owner's environment", (layer) => {
    const names = ["PATH", "HOME", "GITHUB_TOKEN", "MY_SETTING", "PYTHONPATH"];
    expect(kept(layer, names)).toEqual(names);
  });

  test.each(GUESTS)("a hook of the %s layer sees who, where and in which language, and no secret", (layer) => {
    const names = [
      "PATH",
      "HOME",
      "LANG",
      "LC_ALL",
      "TMPDIR",
      "XDG_RUNTIME_DIR",
      "TERM",
      "GITHUB_TOKEN",
      "AWS_PROFILE",
      "MY_SETTING",
      "DATABASE_URL",
      "XDG_SESSION_COOKIE",
      "npm_config_x",
    ];
    expect(kept(layer, names)).toEqual(["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "XDG_RUNTIME_DIR", "TERM"]);
  });

  test("passEnv opens single variables, and beginnings", () => {
    expect(kept("project", ["MY_SETTING", "MY_OTHER", "DEPLOY_TOKEN", "CI_JOB", "CI_ID"], ["MY_SETTING", "DEPLOY_TOKEN", "CI_*"])).toEqual([
      "MY_SETTING",
      "DEPLOY_TOKEN",
      "CI_JOB",
      "CI_ID",
    ]);
  });

  test("what turns one program into another is inherited by nobody, not even when it is named", () => {
    const names = [
      "LD_PRELOAD",
      "LD_LIBRARY_PATH",
      "DYLD_INSERT_LIBRARIES",
      "NODE_OPTIONS",
      "BASH_ENV",
      "ENV",
      "BASH_FUNC_ls%%",
      "SHELLOPTS",
      "PERL5OPT",
      "RUBYOPT",
    ];
    for (const layer of LAYERS) expect(kept(layer, names, ["*", ...names])).toEqual([]);
  });

  test("a guest never inherits more than an owner does", () => {
    const name = fc.stringMatching(/^[A-Z_]{1,12}$/);
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.array(name), (names, passEnv) => {
        const owner = new Set(kept("user", names, passEnv));
        expect(kept("project", names, passEnv).every((each) => owner.has(each))).toBe(true);
      }),
    );
  });
});
