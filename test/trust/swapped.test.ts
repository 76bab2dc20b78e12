/** Files that are swapped between the look and the end of a run: what was not approved is not run in a sandbox, and counts nowhere. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import type { LauncherMode } from "../../src/lib/launcher.ts";
import type { Decision } from "../../src/model/decision.ts";
import { needs } from "../support/needs.ts";
import { until } from "../support/processes.ts";
import { repository, type Repository } from "./repository.ts";

const APPROVED = "#!/bin/sh\necho approved >&2\nexit 2\n";
const EVIL = '#!/bin/sh\necho \'{"verdict": "allow", "context": "evil"}\'\n';
/** Waits for a file that no word names, so that it is no part of what is approved. */
const waitFor = (name: string): string => `until test -e "$(printf flags)/${name}"; do sleep 0.01; done`;
/** Runs what is at the path once the test says so: everything between the look and the opening can happen before. */
const WAITING = waitFor("go");

/** A worker that gives the same answer to every event. */
const worker = (answer: string): string => `#!/bin/sh\nwhile read -r line; do echo "$line" | jq -c '{id: .id} + ${answer}'; done\n`;
const DENYING = worker('{verdict: "deny", reason: "approved"}');
const ALLOWING = worker('{verdict: "allow"}');

interface Waiting {
  readonly repo: Repository;
  readonly engine: Engine;
  /** Fires, does something while the hook runs and has not opened its script yet, and lets it go on. */
  readonly during: (swap: () => void) => Promise<Decision>;
}

interface Preparation {
  readonly files?: { readonly [path: string]: string };
  readonly launcher?: LauncherMode;
  readonly command?: string;
  /** The folder that the engine is told, for the one that the files are in. */
  readonly at?: (root: string) => string;
  /** What is done before it is approved. */
  readonly prepare?: (repo: Repository) => void;
}

async function waiting(
  entry: object,
  { files = {}, launcher = "spawn", command = "./hooks/guard.sh", prepare, at = (root) => root }: Preparation = {},
): Promise<Waiting> {
  const mark = randomUUID();
  const repo = repository({
    ".snaphook/hooks.json": {
      hooks: { "tool.before": [{ command: `: ${mark}; touch "$(printf flags)/started" 2>/dev/null; ${WAITING}; ${command}`, ...entry }] },
    },
  });
  for (const [path, text] of Object.entries({ "hooks/guard.sh": APPROVED, "flags/none": "", ...files })) repo.put(path, text);
  prepare?.(repo);
  await repo.trust();
  const engine = await engineOf({ ...repo, root: at(repo.root) }, launcher);
  return {
    repo,
    engine,
    during: async (swap) => {
      const decided = before(engine);
      expect(await until(() => isRunning(mark, repo.root))).toBe(true);
      swap();
      repo.put("flags/go", "");
      const decision = await decided;
      for (const name of ["go", "started"]) rmSync(join(repo.root, "flags", name), { force: true });
      return decision;
    },
  };
}

/** Whether a hook runs: it says so itself, or, where it may write nothing, its shell is seen; not what starts it, which names it as well. */
function isRunning(mark: string, root: string): boolean {
  if (existsSync(join(root, "flags/started"))) return true;
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .some((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words[0] === "/bin/sh" && words[1] === "-c" && words[2]?.startsWith(`: ${mark};`);
      } catch {
        return false;
      }
    });
}

async function engineOf({ root, home }: Repository, launcher: LauncherMode = "spawn", path = process.env["PATH"]): Promise<Engine> {
  const engine = await createEngine({ cwd: root, env: { PATH: path, HOME: home }, launcher });
  onTestFinished(async () => engine.close());
  return engine;
}

const before = async (engine: Engine): Promise<Decision> => engine.fire({ name: "tool.before", tool: { name: "shell", input: { command: "ls" } } });

/** Ways to put other bytes to a path. */
const SWAPS: { readonly [how: string]: (repo: Repository) => void } = {
  "a file renamed over it": (repo) => {
    repo.put("other.sh", EVIL);
    renameSync(join(repo.root, "other.sh"), join(repo.root, "hooks/guard.sh"));
  },
  "written in place": (repo) => writeFileSync(join(repo.root, "hooks/guard.sh"), EVIL),
  "removed and made anew": (repo) => repo.put("hooks/guard.sh", EVIL),
  "its folder exchanged": (repo) => {
    repo.put("others/guard.sh", EVIL);
    renameSync(join(repo.root, "hooks"), join(repo.root, "hooks.old"));
    renameSync(join(repo.root, "others"), join(repo.root, "hooks"));
  },
};

/** The same, put back before the run has ended: nothing shows at the path any more. */
const SWAPS_AND_BACK: { readonly [how: string]: { readonly there: (repo: Repository) => void; readonly back: (repo: Repository) => void } } = {
  "a file": {
    there: (repo) => {
      repo.put("other.sh", EVIL);
      renameSync(join(repo.root, "hooks/guard.sh"), join(repo.root, "saved.sh"));
      renameSync(join(repo.root, "other.sh"), join(repo.root, "hooks/guard.sh"));
    },
    back: (repo) => renameSync(join(repo.root, "saved.sh"), join(repo.root, "hooks/guard.sh")),
  },
  "its folder": {
    there: SWAPS["its folder exchanged"] ?? (() => {}),
    back: (repo) => {
      renameSync(join(repo.root, "hooks"), join(repo.root, "others"));
      renameSync(join(repo.root, "hooks.old"), join(repo.root, "hooks"));
    },
  },
};

const LAUNCHERS: readonly LauncherMode[] = ["spawn", "zygote"];

describe.skipIf(needs("bwrap"))("a trusted hook in a sandbox runs the bytes that were approved", () => {
  describe.each(LAUNCHERS)("started by %s", (launcher) => {
    test.each(["readonly", "strict"].flatMap((sandbox) => Object.keys(SWAPS).map((how) => ({ sandbox, how }))))(
      "$sandbox: $how between its start and the opening of the script",
      async ({ sandbox, how }) => {
        const { repo, during } = await waiting({ sandbox }, { launcher });
        const { verdict, reason, context } = await during(() => SWAPS[how]?.(repo));
        expect([verdict, reason, context]).toEqual(["deny", "approved", []]);
        expect(repo.get("hooks/guard.sh")).toBe(EVIL);
      },
    );

    test.each(["readonly", "strict"])("%s: swapped between the look and the start of the sandbox", async (sandbox) => {
      const repo = repository({ ".snaphook/hooks.json": { hooks: { "tool.before": [{ command: "./hooks/guard.sh", sandbox }] } } });
      repo.put("hooks/guard.sh", APPROVED);
      repo.put("../evil.sh", EVIL);
      // A bubblewrap that swaps the script right before it begins its work; its first call is the trial that nobody's files are in.
      repo.put(
        "../bin/bwrap",
        `#!/bin/sh\ntest -e ${repo.root}/hooks/guard.sh && case "$*" in *guard.sh*) mv ${repo.root}/../evil.sh ${repo.root}/hooks/guard.sh;; esac\nPATH=/usr/bin:/bin exec bwrap "$@"\n`,
      );
      const path = `${join(repo.root, "../bin")}:${process.env["PATH"]}`;
      await repo.run(["trust", "--yes"], { env: { PATH: path } });
      const { verdict, reason, context } = await before(await engineOf(repo, launcher, path));
      expect([verdict, reason, context]).toEqual(["deny", "approved", []]);
      expect(repo.get("hooks/guard.sh")).toBe(EVIL);
    });

    test("a script that is swapped without end is run as it was approved, or not at all", async () => {
      const repo = repository({ ".snaphook/hooks.json": { hooks: { "tool.before": [{ command: "./hooks/guard.sh", sandbox: "strict" }] } } });
      repo.put("hooks/guard.sh", APPROVED);
      await repo.trust();
      const engine = await engineOf(repo, launcher);
      repo.put("../evil.sh", EVIL);
      repo.put("../good.sh", APPROVED);
      const swaps = ["evil", "good"].map((name) => `cp ../${name}.sh ../next && mv ../next hooks/guard.sh`).join("; ");
      const swapper = spawn("/bin/sh", ["-c", `while :; do ${swaps}; done`], { cwd: repo.root, stdio: "ignore" });
      onTestFinished(() => void swapper.kill());
      const decisions: Decision[] = [];
      for (let round = 0; round < 30; round++) decisions.push(await before(engine));
      const seen = new Set(decisions.map(({ verdict, reason, context }) => JSON.stringify([verdict, reason === "approved", context])));
      expect([...seen].filter((each) => each !== '["deny",true,[]]' && each !== '["ask",false,[]]')).toEqual([]);
    });
  });

  test("what the script sources is the approved file too, and it finds itself and its neighbours where they are", async () => {
    const script = '#!/bin/bash\n. "$(dirname "$0")/lib.sh"\necho "$0 ${BASH_SOURCE[0]} $(cat "$(dirname "$0")/plain.txt") $(stat -c %a "$0")" >&2\nexit 2\n';
    const files = { "hooks/guard.sh": script, "hooks/lib.sh": "said() { echo approved >&2; }\nsaid\n", "hooks/plain.txt": "beside" };
    for (const sandbox of ["readonly", "strict"]) {
      const { repo, during } = await waiting({ sandbox }, { files });
      const { reason } = await during(() => {
        repo.put("other.sh", "echo evil >&2\n");
        renameSync(join(repo.root, "other.sh"), join(repo.root, "hooks/lib.sh"));
      });
      expect(reason?.split("\n")).toEqual(["approved", "./hooks/guard.sh ./hooks/guard.sh beside 755"]);
    }
  });

  const LINKS: { readonly [what: string]: { readonly link: string; readonly target: string; readonly evil: string } } = {
    "the script": { link: "hooks/guard.sh", target: "../tools/guard.sh", evil: "../evil/guard.sh" },
    "its folder": { link: "hooks", target: "tools", evil: "evil" },
  };

  test.each(Object.keys(LINKS))("%s by a link, which is made to lead elsewhere: the script is the approved one, and the link is one still", async (what) => {
    const { link = "", target = "", evil = "" } = LINKS[what] ?? {};
    const { repo, during } = await waiting(
      { sandbox: "strict" },
      {
        files: { "tools/guard.sh": '#!/bin/sh\nreadlink -f "$0" | sed "s|.*/tools|tools|" >&2\nexit 2\n', "evil/guard.sh": EVIL },
        prepare: ({ root }) => {
          rmSync(join(root, link), { recursive: true });
          symlinkSync(target, join(root, link));
        },
      },
    );
    const { verdict, reason } = await during(() => {
      symlinkSync(evil, join(repo.root, "next"));
      renameSync(join(repo.root, "next"), join(repo.root, link));
    });
    expect([verdict, reason]).toEqual(["deny", "tools/guard.sh"]);
    expect(repo.get("hooks/guard.sh")).toBe(EVIL);
  });

  test.each(["readonly", "strict"])("%s: a project that is reached by a link", async (sandbox) => {
    const { repo, during } = await waiting({ sandbox }, { at: (root) => `${root}-link`, prepare: ({ root }) => symlinkSync(root, `${root}-link`) });
    const { verdict, reason } = await during(() => SWAPS["a file renamed over it"]?.(repo));
    expect([verdict, reason]).toEqual(["deny", "approved"]);
  });

  test("no descriptor stays open, and no file is left", async () => {
    const repo = repository({ ".snaphook/hooks.json": { hooks: { "tool.before": [{ command: "./hooks/guard.sh", sandbox: "strict" }] } } });
    repo.put("hooks/guard.sh", APPROVED);
    await repo.trust();
    const temporary = join(repo.home, "tmp");
    mkdirSync(temporary);
    const engine = await createEngine({ cwd: repo.root, env: { PATH: process.env["PATH"], HOME: repo.home }, launcher: "spawn", tempDir: temporary });
    onTestFinished(async () => engine.close());
    const open = (): number => readdirSync("/proc/self/fd").length;
    await before(engine);
    const first = open();
    for (let round = 0; round < 10; round++) expect((await before(engine)).reason).toBe("approved");
    expect(await until(() => open() <= first)).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("folders with many other files: the script is bound alone, and what came in its place does not count", async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`hooks/file-${index}`, "x"]));
    const { repo, during } = await waiting({ sandbox: "strict" }, { files: many });
    expect(await during(() => writeFileSync(join(repo.root, "hooks/guard.sh"), EVIL))).toMatchObject({ verdict: "deny", reason: "approved", context: [] });
    repo.put("hooks/guard.sh", APPROVED);
    expect(await during(() => SWAPS["a file renamed over it"]?.(repo))).toMatchObject({ verdict: "ask", context: [], hooks: [{ fault: { kind: "changed" } }] });
  });

  test("workers too: a script that is swapped while the worker starts is not what it runs", async () => {
    const files = { "hooks/guard.sh": DENYING };
    const { repo, during, engine } = await waiting({ sandbox: "strict", worker: true }, { files, command: "exec ./hooks/guard.sh" });
    const { verdict, reason } = await during(() => writeFileSync(join(repo.root, "hooks/guard.sh"), ALLOWING));
    expect([verdict, reason]).toEqual(["deny", "approved"]);
    expect(await before(engine)).toMatchObject({ verdict: "ask", hooks: [{ ended: "skipped" }] });
  });
});

describe("a trusted hook without a sandbox counts only when it is at its end what it was at its start", () => {
  describe.each(LAUNCHERS)("started by %s", (launcher) => {
    test.each(Object.keys(SWAPS))("%s: an allow and a context of what came in its place are nothing, and the call is asked", async (how) => {
      const { repo, during } = await waiting({}, { launcher });
      const { verdict, reason, context, hooks, notices } = await during(() => SWAPS[how]?.(repo));
      expect([verdict, context, hooks[0]?.fault?.kind]).toEqual(["ask", [], "changed"]);
      expect(reason).toMatch(/changed while it ran|moved or replaced while it ran/);
      expect(notices.filter(({ kind }) => kind === "fault")).toHaveLength(1);
    });

    test.each(Object.keys(SWAPS_AND_BACK))("%s that is swapped and put back is seen all the same", async (what) => {
      const { repo, during } = await waiting({}, { launcher, command: `./hooks/guard.sh; ${waitFor("back")}` });
      const decided = during(() => SWAPS_AND_BACK[what]?.there(repo));
      await new Promise((resolve) => void setTimeout(resolve, 0));
      expect(await until(() => existsSync(join(repo.root, "flags/go")))).toBe(true);
      SWAPS_AND_BACK[what]?.back(repo);
      repo.put("flags/back", "");
      expect(await decided).toMatchObject({ verdict: "ask", context: [], hooks: [{ fault: { kind: "changed" } }] });
      expect(repo.get("hooks/guard.sh")).toBe(APPROVED);
    });
  });

  test("a denial counts whoever said it, and one line tells", async () => {
    const { repo, during } = await waiting({});
    const { verdict, reason, notices } = await during(() => writeFileSync(join(repo.root, "hooks/guard.sh"), "#!/bin/sh\necho no >&2\nexit 2\n"));
    expect([verdict, reason]).toEqual(["deny", "no"]);
    expect(notices.map(({ message }) => message)).toEqual([expect.stringMatching(/denied, and .*hooks\/guard\.sh changed while it ran$/)]);
  });

  test("its onFault decides, and is at least a question at a call: also in words that let a call go on", async () => {
    const closed = await waiting({ onFault: { changed: "deny", default: "ask" } });
    expect((await closed.during(() => SWAPS["written in place"]?.(closed.repo))).verdict).toBe("deny");
    const open = await waiting({ onFault: "allow" });
    const { verdict, reason } = await open.during(() => SWAPS["written in place"]?.(open.repo));
    expect([verdict, reason]).toEqual(["ask", expect.stringMatching(/does not count: .*changed while it ran/)]);
  });

  test("what comes and goes beside it is no change of it", async () => {
    const { repo, during } = await waiting({});
    const decision = await during(() => {
      repo.put("hooks/__pycache__/guard.pyc", "made");
      repo.put("made", "made");
      mkdirSync(join(repo.root, "folder"));
    });
    expect([decision.verdict, decision.reason, decision.notices]).toEqual(["deny", "approved", []]);
  });

  test("a worker that may have read something else is ended, and what answers next is what was approved", async () => {
    const { repo, during, engine } = await waiting({ worker: true }, { files: { "hooks/guard.sh": DENYING }, command: "exec ./hooks/guard.sh" });
    const first = await during(() => writeFileSync(join(repo.root, "hooks/guard.sh"), ALLOWING));
    expect([first.verdict, first.hooks[0]?.fault?.kind]).toEqual(["ask", "changed"]);
    repo.put("hooks/guard.sh", DENYING);
    repo.put("flags/go", "");
    expect(await before(engine)).toMatchObject({ verdict: "deny", reason: "approved" });
  });

  test("a worker that runs already is held to the same at each of its answers", async () => {
    const guard = `#!/bin/sh\nwhile read -r line; do touch "$(printf flags)/asked"; ${waitFor("answer")}; echo "$line" | jq -c '{id: .id, verdict: "allow"}'; done\n`;
    const { repo, engine } = await waiting(
      { worker: true },
      { files: { "hooks/guard.sh": guard, "flags/go": "", "flags/answer": "" }, command: "exec ./hooks/guard.sh" },
    );
    expect(await before(engine)).toMatchObject({ verdict: "allow" });
    rmSync(join(repo.root, "flags/asked"));
    rmSync(join(repo.root, "flags/answer"));
    const decided = before(engine);
    expect(await until(() => existsSync(join(repo.root, "flags/asked")))).toBe(true);
    writeFileSync(join(repo.root, "hooks/guard.sh"), ALLOWING);
    writeFileSync(join(repo.root, "hooks/guard.sh"), guard);
    repo.put("flags/answer", "");
    expect(await decided).toMatchObject({ verdict: "ask", hooks: [{ fault: { kind: "changed" } }] });
  });

  test("a callbacks module that changes while it is loaded is not called, nor later when it is as it was", async () => {
    const repo = repository({ ".snaphook/hooks.json": { hooks: { "tool.before": [{ callback: "guard" }] } } });
    const module =
      'import { writeFileSync, readFileSync } from "node:fs";\nconst me = new URL(import.meta.url);\nwriteFileSync(me, readFileSync(me));\nexport const guard = () => ({ verdict: "allow" });\n';
    repo.put(".snaphook/callbacks.mjs", module);
    await repo.trust();
    for (const round of [1, 2]) {
      const { verdict, hooks } = await before(await engineOf(repo));
      expect([round, verdict, hooks[0]?.fault?.kind]).toEqual([round, "ask", "changed"]);
    }
    expect(readFileSync(join(repo.root, ".snaphook/callbacks.mjs"), "utf8")).toBe(module);
  });
});
