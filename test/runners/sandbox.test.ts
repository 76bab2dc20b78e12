/** Hooks in a real sandbox, started in every way that there is. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { isObject } from "../../src/lib/json.ts";
import { placeRefusal } from "../../src/lib/sandbox.ts";
import type { LauncherMode } from "../../src/lib/launcher.ts";
import type { Decision } from "../../src/model/decision.ts";
import { needs } from "../support/needs.ts";
import { marked, marker, until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";
import { repository } from "../trust/repository.ts";

interface Scene {
  readonly project: string;
  readonly home: string;
  readonly engine: (launcher?: LauncherMode, env?: { readonly [name: string]: string }) => Promise<Engine>;
}

/** A project and a home beside it, with managed settings below `root`. */
function scene(files: { readonly [path: string]: string | object } = {}): Scene {
  const base = tempFolder();
  const [project, home] = [join(base, "project"), join(base, "home")];
  mkdirSync(project);
  mkdirSync(home);
  writeFiles(base, { "project/inside.txt": "inside\n", "home/secret.txt": "secret\n", ...files });
  return {
    project,
    home,
    engine: async (launcher = "spawn", env = {}) => {
      const engine = await createEngine({
        cwd: project,
        env: { PATH: process.env["PATH"], HOME: home, ...env },
        trust: true,
        launcher,
        managed: { root: join(base, "root"), owner: process.geteuid?.() ?? 0 },
      });
      onTestFinished(async () => engine.close());
      return engine;
    },
  };
}

const HOOKS = "project/.snaphook/hooks.json";
const hooks = (...entries: readonly object[]): object => ({ hooks: { "tool.before": entries } });
const before = async (engine: Engine, input = "ls"): Promise<Decision> =>
  engine.fire({ name: "tool.before", tool: { name: "shell", input: { command: input } } });

/** What a script says on stderr in a sandbox, as the reason of its denial. */
async function said(level: string, script: string, launcher: LauncherMode = "spawn"): Promise<readonly string[]> {
  const { engine } = scene({ [HOOKS]: hooks({ sandbox: level, command: `{ ${script}; } 2>&1 | sed 's/^.*: \\(.*: \\)/\\1/' >&2; exit 2` }) });
  const decision = await before(await engine(launcher));
  if (decision.hooks[0]?.fault) throw new TypeError(decision.hooks[0].fault.message);
  return (decision.reason ?? "").split("\n");
}

const LAUNCHERS: readonly LauncherMode[] = ["spawn", "zygote"];

describe.skipIf(needs("bwrap"))("in the sandbox", () => {
  describe.each(LAUNCHERS)("started by %s", (launcher) => {
    test.each(["readonly", "strict"])("%s: the project can be read and nothing written but a /tmp of its own", async (level) => {
      const { project, home, engine } = scene({
        [HOOKS]: hooks({ sandbox: level, command: 'cat inside.txt >&2; touch made "$HOME/made" /etc/made /tmp/own 2>/dev/null; ls -A /tmp/own >&2; exit 2' }),
      });
      const { verdict, reason } = await before(await engine(launcher));
      expect([verdict, reason]).toEqual(["deny", "inside\n/tmp/own"]);
      expect([join(project, "made"), join(home, "made"), "/etc/made", "/tmp/own"].filter((path) => existsSync(path))).toEqual([]);
    });

    test.each(["readonly", "strict"])("%s: stdin, stdout and exit codes come through, and no privileges can be gained", async (level) => {
      const script = 'jq -r .tool.input.command /dev/stdin; grep -E "^(NoNewPrivs|CapEff)" /proc/self/status | tr -s "\\t" " "';
      expect(await said(level, script, launcher)).toEqual(["ls", "CapEff: 0000000000000000", "NoNewPrivs: 1"]);
      const { engine } = scene({
        [HOOKS]: hooks(
          { sandbox: level, command: `echo '{"context": "told", "verdict": "allow"}'` },
          { sandbox: level, command: "echo broken >&2; exit 7" },
          { sandbox: level, command: "kill -SEGV $$" },
          { sandbox: level, args: ["no-such-program"] },
        ),
      });
      const { hooks: heard, context } = await before(await engine(launcher));
      expect(context).toEqual(["told"]);
      expect(heard.map(({ ended, exitCode, signal, fault }) => [ended, exitCode, signal, fault?.message])).toEqual([
        ["exited", 0, null, undefined],
        ["exited", 7, null, "exit code 7: broken"],
        ["signalled", null, "SIGSEGV", "ended by SIGSEGV"],
        ["not-started", null, null, `the sandbox ${level} could not start it: bwrap: execvp no-such-program: No such file or directory`],
      ]);
    });

    test.each(["readonly", "strict"])("%s: a hook that hangs is ended with everything inside", async (level) => {
      const mark = marker();
      const { engine } = scene({
        [HOOKS]: hooks({ sandbox: level, timeout: "300ms", env: { [mark.name]: mark.value }, command: "trap '' TERM; sleep 98 & (sleep 99 & sleep 97); wait" }),
      });
      const { hooks: heard } = await before(await engine(launcher));
      expect(heard[0]).toMatchObject({ ended: "timed-out", fault: { kind: "timeout" } });
      expect(await until(() => marked(mark).length === 0)).toBe(true);
    });

    test("strict: nor does what left the group and the session outlive the hook", async () => {
      const mark = marker();
      const { engine } = scene({
        [HOOKS]: hooks({ sandbox: "strict", env: { [mark.name]: mark.value }, command: "setsid sleep 96 > /dev/null 2>&1 & echo started >&2; exit 2" }),
      });
      expect(await before(await engine(launcher))).toMatchObject({ verdict: "deny", reason: "started" });
      expect(await until(() => marked(mark).length === 0)).toBe(true);
    });
  });

  test("readonly keeps the network and shows the file system; strict has no network, sees neither the home folder nor other processes, and little of /etc", async () => {
    const server = createServer((socket) => socket.end("hello\n"));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const at: unknown = server.address();
    const port = isObject(at) ? String(at["port"]) : "";
    const script = `bash -c 'cat < /dev/tcp/127.0.0.1/${port}' 2>/dev/null || echo no network; test -e "$HOME/secret.txt" && echo secret; test -e /proc/${process.pid} && echo sees us; test -e /etc/shadow && echo shadow; test -e /root && echo root; test -e /run && echo run`;
    expect(await said("readonly", `${script}; echo end`)).toEqual(["hello", "sees us", "shadow", "root", "run", "end"]);
    expect(await said("strict", `${script}; echo end`)).toEqual(["no network", "end"]);
  });

  test("onFault knows a program that is not there from a sandbox that is not", async () => {
    const policy = { notFound: "deny", default: "allow" };
    const { engine } = scene({ [HOOKS]: hooks({ sandbox: "readonly", args: ["no-such-program"], onFault: policy }) });
    expect((await before(await engine())).verdict).toBe("deny");
    const bare = scene({ [HOOKS]: hooks({ sandbox: "readonly", command: "true", onFault: { unsupported: "deny", default: "allow" } }) });
    expect((await before(await bare.engine("spawn", { PATH: "/nowhere" }))).verdict).toBe("deny");
  });

  test("`snaphook fire` keeps a repository's hook from writing where the user's settings say so", async () => {
    const repo = repository({
      ".lime/settings.json": { hooks: { PreToolUse: ['echo x > written || echo "$XDG_CANARY" > /tmp/own && echo held >&2; exit 2'] } },
    });
    repo.put("../home/.config/snaphook/settings.yaml", "sandbox: readonly\n");
    await repo.trust();
    const { verdict, out } = await repo.fire();
    expect([verdict, out.includes("held"), existsSync(join(repo.root, "written"))]).toEqual(["deny", true, false]);
  });

  test("[F6] a value too large for a variable is in its file there too", async () => {
    const { engine } = scene({
      [HOOKS]: hooks({ sandbox: "strict", command: "exit 0" }),
      "project/.lime/settings.json": { hooks: { PreToolUse: ['wc -c < "$HOOK_TOOL_INPUT_FILE" >&2; exit 2'] } },
      "home/.config/snaphook/settings.json": { sandbox: "strict" },
    });
    const { hooks: heard } = await before(await engine(), "x".repeat(200_000));
    expect(heard.map(({ dialect, reason }) => [dialect, reason])).toContainEqual(["lime", expect.stringMatching(/^2000\d\d$/)]);
  });

  test("strict: a script that the owner's hook names can be read, and nothing beside it; a repository's hook names nothing outside", async () => {
    const files = { "home/tools/guard.sh": '#!/bin/sh\nls -A "$(dirname "$0")" >&2\nexit 2\n', "home/tools/other": "x" };
    const user = scene({ ...files, "home/.config/snaphook/hooks.json": hooks({ sandbox: "strict", command: '"$HOME/tools/guard.sh"' }) });
    expect((await before(await user.engine())).reason).toBe("guard.sh");
    const folder = scene({ ...files, "home/.config/snaphook/hooks.json": hooks({ sandbox: "strict", command: 'ls -A "$HOME/tools" >&2; exit 2' }) });
    expect((await before(await folder.engine())).reason).toMatch(/cannot access/);
    const guest = scene({ ...files, [HOOKS]: hooks({ sandbox: "strict", command: '"$HOME/tools/guard.sh"' }) });
    expect((await before(await guest.engine())).hooks[0]?.fault?.message).toMatch(/^exit code 127/);
  });

  test("strict hides the home folder or does not run", async () => {
    const { home } = scene();
    writeFiles(home, { ".snaphook/hooks.json": hooks({ sandbox: "strict", command: "touch /tmp/ran" }) });
    const engine = await createEngine({ cwd: home, env: { PATH: process.env["PATH"], HOME: home }, trust: true });
    onTestFinished(async () => engine.close());
    expect((await before(engine)).hooks[0]?.fault).toEqual({
      kind: "unsupported",
      message: `the sandbox strict that its entry asks for is not available: it hides the home folder ${home}, which ${home} holds: work in a folder below it, or use readonly`,
    });
  });

  test("nor does it run where the project is the whole file system, although no home is known", () => {
    const refused = (level: "readonly" | "strict"): string | null => placeRefusal(level, { cwd: "/", readable: ["/"], home: "" });
    expect([refused("readonly"), refused("strict")]).toEqual([null, expect.stringContaining("the project is the whole file system")]);
  });

  test.each(["readonly", "strict"])("%s: workers and modules run in it, and stay", async (level) => {
    const worker =
      '#!/bin/sh\nwhile read -r line; do touch made 2>/dev/null; id=$(echo "$line" | jq .id); echo "{\\"id\\": $id, \\"verdict\\": \\"deny\\", \\"reason\\": \\"worker $(cat inside.txt)\\"}"; done\n';
    const module =
      'import { writeFileSync } from "node:fs";\nexport default () => { try { writeFileSync("made", ""); } catch { return { verdict: "deny", reason: "module" }; } };\n';
    const { project, engine } = scene({
      [HOOKS]: hooks({ sandbox: level, command: "./worker.sh", worker: true }, { sandbox: level, module: "../module.mjs" }),
      "project/worker.sh": worker,
      "project/module.mjs": module,
    });
    const started = await engine();
    for (const round of [1, 2]) {
      const { hooks: heard } = await before(started);
      expect([round, heard.map(({ reason, fault }) => fault?.message ?? reason)]).toEqual([round, ["worker inside", "module"]]);
    }
    expect(existsSync(join(project, "made"))).toBe(false);
  });
});

describe("a sandbox that is not available", () => {
  const marking = (project: string): object => ({ command: `touch ${join(project, "ran")}` });

  test.each([{}, { worker: true }, { onFault: "deny" }])("no bubblewrap: the hook does not run, and its fault says what to do (%j)", async (more) => {
    const { project, engine } = scene();
    writeFileSync(join(project, "hooks.txt"), "");
    writeFiles(project, { ".snaphook/hooks.json": hooks({ ...marking(project), sandbox: "readonly", ...more }) });
    const { verdict, hooks: heard } = await before(await engine("spawn", { PATH: join(project, "nowhere") }));
    expect([verdict, heard[0]?.fault]).toEqual([
      "onFault" in more ? "deny" : "ask",
      {
        kind: "unsupported",
        message:
          "the sandbox readonly that its entry asks for is not available: bubblewrap (bwrap) is not in PATH: install it, as with `apt install bubblewrap`",
      },
    ]);
    expect(existsSync(join(project, "ran"))).toBe(false);
  });

  test("bubblewrap that may not make namespaces: the same, with its own words, and tried once in this process", async () => {
    const { project, engine } = scene({
      "project/bin/bwrap": '#!/bin/sh\necho tried >> "$(dirname "$0")/tried"\necho \'bwrap: No permissions to create new namespace\' >&2\nexit 1\n',
    });
    writeFiles(project, { ".snaphook/hooks.json": hooks({ ...marking(project), sandbox: "strict" }) });
    const { hooks: heard } = await before(await engine("spawn", { PATH: `${join(project, "bin")}:${process.env["PATH"]}` }));
    const again = await engine("spawn", { PATH: `${join(project, "bin")}:${process.env["PATH"]}` });
    expect((await before(again)).hooks[0]?.fault).toEqual(heard[0]?.fault);
    expect(readFileSync(join(project, "bin/tried"), "utf8")).toBe("tried\n");
    expect(heard[0]?.fault?.message).toMatch(
      /^the sandbox strict that its entry asks for is not available: bwrap: No permissions to create new namespace: allow user namespaces/,
    );
    expect(existsSync(join(project, "ran"))).toBe(false);
  });

  test("a callback runs inside Snaphook: it is refused, and lint says so", async () => {
    const { project, engine } = scene({
      [HOOKS]: hooks({ callback: "guard", sandbox: "strict" }),
      "project/.snaphook/callbacks.mjs": 'import { writeFileSync } from "node:fs";\nexport const guard = () => writeFileSync("ran", "");\n',
    });
    const started = await engine();
    expect((await before(started)).hooks[0]?.fault?.message).toBe(
      'callback "guard" runs inside Snaphook, and the sandbox strict can\'t hold it there: make it a command or a module',
    );
    expect(started.configuration.notices.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      "unsupported-option: a callback runs inside Snaphook, where no sandbox can hold it: this hook fails each time. Make it a command or a module",
    ]);
    expect(existsSync(join(project, "ran"))).toBe(false);
  });
});
