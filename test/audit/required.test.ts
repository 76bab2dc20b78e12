/** Managed settings that want everything on record: no record, no call. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openRecorder, readLog } from "../../src/audit/index.ts";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { joinRecorders, type Recorder } from "../../src/model/recorder.ts";
import { folderWith } from "../config/folder.ts";
import { needs } from "../support/needs.ts";
import { BIN } from "../support/places.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const MANAGED = "root/etc/snaphook/settings.json";
const REQUIRED = JSON.stringify({ audit: "required", permissions: { allow: ["Bash(ls)"] } });
const call = { name: "tool.before", tool: { name: "Bash", input: { command: "ls" } } } as const;

async function engineOf(cwd: string, recorder?: Recorder): Promise<Engine> {
  const managed = { root: join(cwd, "root"), owner: process.geteuid?.() ?? 0 };
  const engine = await createEngine({ cwd, env: { HOME: join(cwd, "home") }, managed, ...(recorder && { recorder }) });
  onTestFinished(async () => engine.close());
  return engine;
}

/** A machine with its own /etc. */
interface Machine {
  readonly base: string;
  /** What starts a command there. */
  readonly words: (args: readonly string[]) => readonly string[];
  readonly env: { readonly [name: string]: string | undefined };
  readonly ran: () => boolean;
  /** The sessions that are on record. */
  readonly sessions: () => readonly unknown[];
}

/** Traces, for example: it keeps nothing that could be asked for later. */
const forgetful: Recorder = { decided: (decision) => decision, detached: () => {}, approved: () => null };

describe('audit: "required" in managed settings', () => {
  test("with a log that can be written, calls go on and are on record", async () => {
    const cwd = folderWith({ [MANAGED]: REQUIRED });
    const recorder = openRecorder({ folder: join(cwd, "audit") });
    const { verdict, id } = await (await engineOf(cwd, recorder)).fire(call);
    recorder.close();
    const recorded = [...readLog(join(cwd, "audit"))].map(({ record }) => record.id);
    expect([verdict, recorded.includes(id ?? "")]).toEqual(["allow", true]);
  });

  test("a log folder that can't be written: whatever can decide is denied, with the reason and where it is demanded", async () => {
    const cwd = folderWith({ [MANAGED]: REQUIRED, audit: "in the way" });
    const recorder = openRecorder({ folder: join(cwd, "audit") });
    const engine = await engineOf(cwd, recorder);
    const { verdict, reason, result, notices } = await engine.fire(call);
    expect([verdict, result]).toEqual(["deny", { isError: true, output: reason }]);
    expect(reason).toMatch(/^the audit log can't be written \(.*\), and decisions must be on record here \(audit: required, .*settings\.json:1:10\)$/);
    expect(notices.map(({ kind }) => kind)).toEqual(["audit"]);
    expect((await engine.fire({ name: "prompt.submit", prompt: "x" })).verdict).toBe("deny");
    expect((await engine.fire({ name: "session.end" })).verdict).toBeNull();
    const scene = { sessionId: "s" };
    expect(recorder.approved({ scene, tool: { name: "Bash", input: {}, useId: "1" }, reason: "", answer: "allow", approver: "terminal" })).toMatch(
      /^the answer can't be recorded \(.*\), and calls must be on record here \(audit: required, /,
    );
  });

  test.each([
    ["nobody", undefined],
    ["somebody who forgets", forgetful],
    ["two who forget", joinRecorders([forgetful, forgetful])],
  ])("%s records: the same", async (_who, recorder) => {
    const engine = await engineOf(folderWith({ [MANAGED]: REQUIRED }), recorder);
    const { verdict, reason } = await engine.fire(call);
    expect([verdict, reason]).toEqual([
      "deny",
      expect.stringMatching(/^no audit log is kept, and decisions must be on record here \(audit: required, .*:1:10\): leave out --no-audit/),
    ]);
    expect((await engine.fire({ name: "session.end" })).notices.map(({ kind }) => kind)).toEqual(["audit"]);
  });

  test("any other word counts as required; others than managed settings can't ask for it", async () => {
    const engine = await engineOf(folderWith({ [MANAGED]: '{"audit": "on", "permissions": {"allow": ["Bash(ls)"]}}' }));
    expect((await engine.fire(call)).verdict).toBe("deny");
    const user = await engineOf(folderWith({ "home/.config/snaphook/settings.json": REQUIRED }));
    expect((await user.fire(call)).verdict).toBe("allow");
    expect([...engine.configuration.notices, ...user.configuration.notices].map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      'wrong-type: audit is not "required"; it counts as if it were, or remove it',
      "authority: audit counts only in managed settings; here it has no effect. SNAPHOOK_AUDIT=required asks for the same",
    ]);
  });

  test("nobody records: no hook is run at any event", async () => {
    const hooks = Object.fromEntries(["tool.before", "session.end"].map((name) => [name, [{ command: "touch ran" }]]));
    const cwd = folderWith({ [MANAGED]: REQUIRED, "home/.config/snaphook/hooks.json": JSON.stringify({ hooks }) });
    for (const recorder of [undefined, forgetful, joinRecorders([forgetful, forgetful])]) {
      const engine = await engineOf(cwd, recorder);
      expect([(await engine.fire(call)).hooks, (await engine.fire({ name: "session.end" })).hooks]).toEqual([[], []]);
    }
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  // Managed settings stand in /etc: another /etc takes a mount of its own.
  describe.skipIf(needs("bwrap") || process.geteuid?.() !== 0)("on a machine with such settings", () => {
    const HOOK = JSON.stringify({ hooks: { "tool.before": [{ command: "touch ran" }] } });

    function machine(): Machine {
      const base = tempFolder();
      writeFiles(base, {
        "etc/snaphook/settings.json": REQUIRED,
        "project/named.json": "{}",
        "project/broken.json": "{",
        "home/.config/snaphook/hooks.json": HOOK,
        "blocked/audit": "in the way",
      });
      const mounts = ["--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--bind", join(base, "etc"), "/etc", "--chdir", join(base, "project")];
      const env = { PATH: process.env["PATH"], HOME: join(base, "home"), TMPDIR: base };
      return {
        base,
        words: (args) => [...mounts, "--", process.execPath, BIN, ...args],
        env,
        ran: () => existsSync(join(base, "project/ran")),
        sessions: () => [...readLog(join(base, "home/.local/state/snaphook/audit"))].flatMap(({ record }) => ("session" in record ? [record.session] : [])),
      };
    }

    test("`snaphook fire`", () => {
      const { base, words, env, ran } = machine();
      const fire = (more: { readonly args?: readonly string[]; readonly env?: { readonly [name: string]: string } } = {}): readonly unknown[] => {
        const { status, stdout } = spawnSync("bwrap", [...words(["fire", "tool.before", ...(more.args ?? [])])], {
          input: JSON.stringify({ tool: call.tool }),
          encoding: "utf8",
          env: { ...env, ...more.env },
        });
        const decision: { verdict: string; reason: string } = JSON.parse(stdout);
        return [status, decision.verdict, /no audit log is kept|can't be written/.exec(decision.reason)?.[0]];
      };
      expect(fire({ args: ["--no-audit"] })).toEqual([2, "deny", "no audit log is kept"]);
      expect(fire({ env: { SNAPHOOK_AUDIT: "off" } })).toEqual([2, "deny", "no audit log is kept"]);
      expect(ran()).toBe(false);
      expect(fire()).toEqual([0, "allow", undefined]);
      expect([ran(), existsSync(join(base, "home/.local/state/snaphook/audit"))]).toEqual([true, true]);
      // A file that is named does not take the place of managed settings, and is on record as well.
      expect(fire({ args: ["--config", "named.json"] })).toEqual([0, "allow", undefined]);
      expect(() => fire({ args: ["--config", "broken.json"] })).toThrow("JSON");
      expect(fire({ env: { SNAPHOOK_AUDIT: join(base, "blocked/audit") } })).toEqual([2, "deny", "can't be written"]);
    });

    test("`snaphook why --run` is on record, or runs nothing", () => {
      const { words, env, ran, sessions } = machine();
      const why = (more: { readonly [name: string]: string } = {}): number | null =>
        spawnSync("bwrap", [...words(["why", "--run", "ls"])], { encoding: "utf8", env: { ...env, ...more } }).status;
      expect([why({ SNAPHOOK_AUDIT: "off" }), ran()]).toEqual([2, false]);
      expect([why(), ran(), sessions()]).toEqual([0, true, ["why --run"]]);
    });

    test("so is a hook that is tried out on the page", async () => {
      const { words, env, ran, sessions } = machine();
      const tried = async (more: { readonly [name: string]: string } = {}): Promise<unknown> => {
        const page = spawn("bwrap", [...words(["ui", "--no-open", "--json"])], { env: { ...env, ...more }, stdio: ["ignore", "pipe", "ignore"] });
        onTestFinished(() => void page.kill());
        const [line] = await once(page.stdout, "data");
        const { address }: { address: string } = JSON.parse(String(line));
        const token = new URL(address).hash.replace("#token=", "");
        const answer = await fetch(new URL("/api/hooks/test", address), {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ event: "tool.before", input: { tool: call.tool } }),
        });
        const { decision }: { decision: { verdict: string } } = JSON.parse(await answer.text());
        return decision.verdict;
      };
      expect([await tried({ SNAPHOOK_AUDIT: "off" }), ran()]).toEqual(["deny", false]);
      expect([await tried(), ran(), sessions()]).toEqual(["allow", true, ["page"]]);
    });
  });
});
