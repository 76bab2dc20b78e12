import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { snaphook } from "../support/cli.ts";
import { ROOT } from "../support/places.ts";

test("--version is the package's", async () => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(await snaphook(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

describe("help", () => {
  test("without a word it is printed, and that is wrong usage", async () => {
    const asked = await snaphook(["--help"]);
    expect(asked.code).toBe(0);
    expect(await snaphook([])).toEqual({ ...asked, code: 64 });
  });

  test("lists every command and the exit codes", async () => {
    const { stdout } = await snaphook(["help"]);
    for (const [name, { summary }] of Object.entries(COMMANDS))
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.replaceAll(/[()?.]/g, "\\$&")}$`, "m"));
    expect(stdout).toContain("exit: 0 fine, 2 denied, 1 internal fault, 64 wrong usage, 78 bad configuration");
  });

  test.each(Object.keys(COMMANDS))("of %s has a usage line and --json", async (name) => {
    const { code, stdout } = await snaphook([name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`usage: snaphook ${name}`);
    expect(stdout).toContain("--json");
    expect((await snaphook(["help", name])).stdout).toBe(stdout);
  });
});
