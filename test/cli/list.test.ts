import { describe, expect, test } from "vitest";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookRuns } from "../../src/audit/hook-runs.ts";
import { folderWith } from "../config/folder.ts";
import { repository, type Repository } from "../trust/repository.ts";
import { run } from "./surface.ts";

const LIME = '{"hooks": {\n  "PreToolUse": ["./guard.sh"],\n  "SessionStart": ["echo session started"],\n  "PreToolUze": ["a", "b"]\n}}';
const ROBOTA = '{"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "log.sh", "timeout": 5, "enabled": true}]}]}}';
const NATIVE = "hooks:\n  tool.before:\n    - command: off.sh\n      enabled: false\n";

describe("snaphook list", () => {
  test("[K] says what is armed and from where, in two lines a hook at 80 columns", async () => {
    const cwd = folderWith({ ".lime/settings.json": LIME, ".robota/settings.json": ROBOTA, ".snaphook/hooks.yaml": NATIVE });
    const { exit, out } = await run(["list", "--trust"], { cwd });
    expect(out).toBe(
      [
        "ARMED 3 of 6",
        "session.start        echo session started  lime",
        "    .lime/settings.json:3:20  project, trusted  60s, onFault allow",
        "tool.before          ./guard.sh            lime",
        "    .lime/settings.json:2:18  project, trusted  60s, onFault allow",
        "tool.after, .failed  log.sh                robota",
        "    .robota/settings.json:1:89  project, trusted  matcher Bash, 5s, onFault",
        "    allow",
        "",
        "SWITCHED OFF 1 (enabled: false)",
        "tool.before  off.sh  snaphook",
        "    .snaphook/hooks.yaml:3:16  project  60s, onFault ask",
        "",
        "BROKEN 2",
        "PreToolUze  2 hooks",
        "    .lime/settings.json:4:3  project",
        '    not armed: unknown event "PreToolUze", did you mean "PreToolUse"?  The 2',
        "    hooks under it never run.",
        "",
        "1 finding in these files: `snaphook lint` tells where and what to do.",
        "",
      ].join("\n"),
    );
    expect(exit).toBe(0);
  });

  test("one line a hook on a wide terminal; colour adds nothing but colour", async () => {
    const cwd = folderWith({ ".robota/settings.json": ROBOTA });
    const plain = await run(["list", "--trust"], { cwd, columns: 160 });
    expect(plain.out.split("\n").slice(0, 3)).toEqual([
      "ARMED 1 of 1",
      "event                hook    dialect  from                        layer             limits",
      "tool.after, .failed  log.sh  robota   .robota/settings.json:1:89  project, trusted  matcher Bash, 5s, onFault allow",
    ]);
    const coloured = await run(["list", "--trust"], { cwd, columns: 160, colour: true });
    expect(coloured.out).toContain("\u001B[1mARMED 1 of 1\u001B[0m");
    expect(coloured.out.replaceAll(/\u001B\[\d+m/g, "")).toBe(plain.out); // oxlint-disable-line no-control-regex -- colours are what is taken off
  });

  test("no line is wider than the terminal", async () => {
    const long = `./scripts/${"very-".repeat(30)}long.sh --with --many --words`;
    const cwd = folderWith({ ".lime/settings.json": JSON.stringify({ hooks: { PreToolUse: [long, "日本語のとても長い名前".repeat(9)] } }) });
    for (const columns of [60, 80, 100, 140]) {
      const { out } = await run(["list", "--trust"], { cwd, columns });
      expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  test("[S15] hooks that are not trusted are listed, with what lets them run", async () => {
    const cwd = folderWith({ ".lime/settings.json": LIME, "home/.lime/settings.json": '{"hooks": {"Stop": ["mine"]}}' });
    const { out } = await run(["list"], { cwd });
    expect(out).toContain("ARMED 1 of 5\nturn.cancel  mine  lime");
    expect(out).toContain("NOT TRUSTED 2: they come with this folder. `snaphook trust` lets them run");
  });

  test("[P6] a hook that another layer has is listed as repeated", async () => {
    const text = '{"hooks": {"Stop": ["mine"]}}';
    const { out } = await run(["list", "--trust"], { cwd: folderWith({ ".lime/settings.json": text, "home/.lime/settings.json": text }) });
    expect(out).toContain("REPEATED 1: the same hook is armed from another file\nturn.cancel  mine  lime\n    .lime/settings.json:1:21");
  });

  test("[W9] the built-in approval hook is listed as built in", async () => {
    const { out } = await run(["list", "--trust"], { cwd: folderWith({ ".mains/settings.json": '{"hooks": {}}' }) });
    expect(out).toContain("ARMED 1 of 1\n");
    expect(out).toMatch(/Mains approval {2}mains\n {4}built in/);
  });

  test("in an empty folder it names the places that were searched", async () => {
    const { exit, out } = await run(["list"], { cwd: folderWith() });
    expect(out).toMatch(/^no hook files found here; places searched:\n/);
    for (const place of [".lime/settings.json", ".claude/settings.local.json", "goose/config.yaml", ".snaphook/hooks.{yaml,yml,json,toml}"])
      expect(out).toContain(place);
    expect(exit).toBe(0);
  });

  test("text from a file can't drive the terminal", async () => {
    const cwd = folderWith({ ".lime/settings.json": JSON.stringify({ hooks: { Stop: ["echo \u001B[2J\u202Ehidden\nsecond"], "\u001B[31mX": ["a"] } }) });
    const { out } = await run(["list", "--trust"], { cwd });
    expect(out).toContain("echo \uFFFD[2J\uFFFDhidden second");
    expect(out).not.toContain("\u001B");
  });

  test("[K] --json gives every hook, the notices and the counts", async () => {
    const cwd = folderWith({ ".robota/settings.json": ROBOTA, ".lime/settings.json": LIME });
    const { out } = await run(["list", "--trust", "--json"], { cwd });
    const { hooks, notices, armed, total } = JSON.parse(out);
    expect([armed, total, hooks.length, notices.length]).toEqual([3, 5, 5, 1]);
    expect(hooks.find(({ dialect }: { dialect: string }) => dialect === "robota")).toEqual({
      state: "armed",
      armed: true,
      reason: null,
      event: "PostToolUse",
      events: ["tool.after", "tool.failed"],
      name: "log.sh",
      dialect: "robota",
      type: "command",
      worker: false,
      source: { file: `${cwd}/.robota/settings.json`, line: 1, column: 89 },
      layer: "project",
      trust: "trusted",
      matcher: "Bash",
      if: null,
      timeoutMs: 5_000,
      onFault: "allow",
      once: false,
      async: false,
      sandbox: "none",
      lastDay: null,
      plugin: null,
    });
    expect(hooks.at(-1)).toMatchObject({ state: "broken", armed: false, event: "PreToolUze", name: null, reason: expect.stringContaining("did you mean") });
  });

  test("a hook that stays between events says so", async () => {
    const cwd = folderWith({
      "h.yaml": "hooks:\n  tool.before:\n    - { command: guard, worker: true }\n    - { module: ./a.mjs }\n    - { command: plain }\n",
    });
    const args = ["list", "--config", "h.yaml", "--dialect", "snaphook"];
    const { hooks } = JSON.parse((await run([...args, "--json"], { cwd })).out);
    expect(hooks.map(({ name, type, worker }: { name: string; type: string; worker: boolean }) => [name, type, worker])).toEqual([
      ["guard", "command", true],
      ["./a.mjs", "module", true],
      ["plain", "command", false],
    ]);
    const lines = (await run(args, { cwd })).out.split("\n");
    expect(["guard", "./a.mjs", "plain"].map((name) => /worker|module/.exec(lines[lines.findIndex((line) => line.includes(name)) + 1] ?? "")?.[0])).toEqual([
      "worker",
      "module",
      undefined,
    ]);
  });

  test("[K] a named file that can't be read ends with 78, and says so", async () => {
    const { exit, out } = await run(["list", "--config", "none.json"], { cwd: folderWith() });
    expect([exit, out]).toEqual([78, expect.stringContaining("none.json:1:1  error  none.json can't be read")]);
  });

  test("[K] an unknown dialect is wrong usage, in one line", async () => {
    const { exit, err } = await run(["list", "--dialect", "gose", "--config", "x.yaml"], { cwd: folderWith() });
    expect([exit, err.split("\n").length, err]).toEqual([64, 2, expect.stringContaining('did you mean "goose"?')]);
  });
});

describe("how hooks did of late", () => {
  const hooks = {
    hooks: {
      "tool.before": [
        { command: "exit 0", name: "quiet" },
        { command: "exit 7", name: "broken", onFault: "allow" },
      ],
      "session.end": [{ command: "exit 0", name: "quiet" }],
    },
  };
  const columns = async (repo: Repository): Promise<readonly string[]> => {
    const { out } = await repo.run(["list"]);
    return [...out.matchAll(/last 24 h: (.*)$/gm)].map(([, text = ""]) => text.replaceAll(/\d+(\.\d)? m?s/g, "T"));
  };

  test("without a log nothing is said; with one, runs of the last day with p50 and p95, each by its event and file", async () => {
    const repo = repository({ ".snaphook/hooks.json": hooks });
    await repo.trust();
    expect((await repo.run(["list"])).out).not.toContain("24 h");
    for (const _ of [1, 2, 3]) await repo.fire();
    expect(await columns(repo)).toEqual(["0", "3, p50 T, p95 T", "3, 3 failed, p50 T, p95 T"]);
    const { hooks: listed }: { hooks: readonly { name: string; lastDay: object | null }[] } = JSON.parse((await repo.run(["list", "--json"])).out);
    expect(listed.map(({ name, lastDay }) => [name, lastDay])).toEqual([
      ["quiet", { runs: 3, faults: 0, p50Ms: expect.any(Number), p95Ms: expect.any(Number) }],
      ["broken", { runs: 3, faults: 3, p50Ms: expect.any(Number), p95Ms: expect.any(Number) }],
      ["quiet", { runs: 0, faults: 0, p50Ms: null, p95Ms: null }],
    ]);
  });

  test("on a wide terminal they are columns", async () => {
    const cwd = folderWith({ "home/.config/snaphook/hooks.json": JSON.stringify({ hooks: { "tool.before": [{ command: "exit 0", name: "quiet" }] } }) });
    expect((await run(["fire", "tool.before"], { cwd })).exit).toBe(0);
    const { out } = await run(["list"], { cwd, columns: 160 });
    expect(out.split("\n").slice(1, 3)).toEqual([
      expect.stringMatching(/^event +hook +dialect +from +layer +last 24 h +p50 +p95 +limits$/),
      expect.stringMatching(/^tool\.before +quiet +snaphook +home\/\.config\/snaphook\/hooks\.json:1:\d+ +user +1 +[\d.]+ m?s +[\d.]+ m?s +60s, onFault ask$/),
    ]);
  });

  test("the index and the log itself tell the same, and what is older than a day does not count", async () => {
    const repo = repository({ ".snaphook/hooks.json": hooks });
    await repo.trust();
    for (const _ of [1, 2]) await repo.fire();
    const folder = join(repo.home, ".local/state/snaphook/audit");
    const read = await hookRuns(folder, 0, { sqlite: null });
    expect(read).toHaveLength(2);
    expect(await hookRuns(folder, 0)).toEqual(read);
    expect([await hookRuns(folder, Date.now() + 1), await hookRuns(folder, Date.now() + 1, { sqlite: null })]).toEqual([[], []]);
  });

  test("a log that can't be asked keeps nobody from the list", async () => {
    const repo = repository({ ".snaphook/hooks.json": hooks });
    await repo.trust();
    await repo.fire();
    const log = join(repo.home, ".local/state/snaphook/audit");
    rmSync(log, { recursive: true });
    writeFileSync(log, "no folder");
    const { exit, out, err } = await repo.run(["list"]);
    expect([exit, out, err]).toEqual([
      0,
      expect.stringContaining("ARMED 3 of 3"),
      expect.stringContaining("snaphook: the audit log can't be asked how hooks did: "),
    ]);
  });
});
