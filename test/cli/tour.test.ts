import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { widthOf } from "../../src/cli/render/text.ts";
import { ROOT } from "../support/places.ts";
import { snaphook } from "../support/cli.ts";
import { tempFolder } from "../support/temp.ts";

interface Line {
  readonly type: string;
  readonly event?: string;
  readonly answer?: string;
  readonly reason?: string;
  readonly decision?: {
    readonly verdict: string | null;
    readonly input: object | null;
    readonly originalInput: object | null;
    readonly hooks: readonly { readonly dialect: string; readonly fault: object | null }[];
  };
}

describe("the tour [K4]", () => {
  test("without a terminal it tells a denial, a rewrite and an approval with the hooks of five dialects, ends by itself and leaves nothing behind", async () => {
    const cwd = tempFolder();
    const before = exampleFiles();
    const { code, stdout, stderr } = await snaphook(["tour"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const place of [".lime/settings.json:5", ".mains/settings.json:5", ".robota/settings.json:8", ".claude/settings.json:5", "goose/config.yaml:7"])
      expect(stdout).toContain(place);
    for (const wire of ["SessionStart", "UserPromptSubmit", "prompt_submit", "PreToolUse", "pre_tool_use", "PostToolUse", "session_stop"])
      expect(stdout).toContain(`├ ${wire}`);
    expect(stdout).toContain("└ the model was told: rm -rf is blocked by hook");
    expect(stdout).toContain('rewritten by intoTrash from "rm -r drafts"');
    expect(stdout).toMatch(/rule +Bash\(mv \* trash\/\) +allow +\.robota\/settings\.json:4/);
    expect(stdout).toContain("approved      by answers.json  the page was reviewed");
    expect(stdout).toContain("4 calls: 2 denied, 1 rewritten, 1 approved");
    expect(stdout.split("\n").filter((line) => widthOf(line) > 80)).toEqual([]);
    expect(readdirSync(cwd)).toEqual([]);
    expect(exampleFiles()).toEqual(before);
  });

  test("--json streams the lines of a session [K1], and nothing of the user's own is read", async () => {
    const cwd = tempFolder();
    const env = { XDG_CONFIG_HOME: join(ROOT, "examples/tour/home/.config"), GOOSE_SESSION_START_HOOK: "touch owned", ANTHROPIC_API_KEY: "x" };
    const { code, stdout } = await snaphook(["tour", "--json"], { cwd, env });
    const lines = stdout
      .trim()
      .split("\n")
      .map((line): Line => JSON.parse(line));
    const decisions = lines.flatMap(({ decision }) => decision ?? []);
    const hooks = decisions.flatMap((decision) => decision.hooks);
    expect({ code, left: readdirSync(cwd) }).toEqual({ code: 0, left: [] });
    expect([...new Set(hooks.map(({ dialect }) => dialect))].toSorted()).toEqual(["claw", "goose", "lime", "mains", "robota"]);
    expect(hooks.filter(({ fault }) => fault)).toEqual([]);
    expect(decisions.filter(({ verdict }) => verdict === "deny")).toHaveLength(2);
    expect(decisions.filter(({ input, originalInput }) => JSON.stringify(input) !== JSON.stringify(originalInput))).toHaveLength(1);
    expect(lines.filter(({ type }) => type === "approval").map(({ answer }) => answer)).toEqual(["allow"]);
    expect(lines.slice(-3).map(({ type, event, reason }) => [type, event, reason])).toEqual([
      ["turn.end", undefined, "stop"],
      ["event", "session.end", undefined],
      ["session.end", undefined, "other"],
    ]);
  });

  test("takes no words", async () => {
    expect(await snaphook(["tour", "now"])).toMatchObject({
      code: 64,
      stdout: "",
      stderr: "snaphook: tour takes no words. `snaphook tour --help` lists the options.\n",
    });
  });
});

/** Every file of the example with its text: also what git would ignore. */
function exampleFiles(): readonly (readonly [string, string])[] {
  const folder = join(ROOT, "examples/tour");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), "utf8")])
    .toSorted(([left], [right]) => left.localeCompare(right));
}
