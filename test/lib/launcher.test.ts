/** The zygote and spawn, side by side: whatever a program can see or do, the result is the same. */
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { spawn as spawnChild } from "node:child_process";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openLauncher, zygotePid } from "../../src/lib/launcher.ts";
import type { ProcessEnd, ProcessRequest } from "../../src/lib/process.ts";
import { shellTask } from "../../src/lib/zygote/builtins.ts";
import { canFork } from "../../src/lib/zygote/fork-script.ts";
import { shellIsDash } from "../../src/lib/zygote/shell-request.ts";
import { marked, marker, until } from "../support/processes.ts";
import { ROOT } from "../support/places.ts";
import { shellText } from "../support/shell-text.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const PATH = process.env["PATH"] ?? "";

const spawn = openLauncher("spawn");
const zygote = openLauncher("zygote");
afterAll(() => {
  spawn.close();
  zygote.close();
});

function requestFor(folder: string, changes: Partial<ProcessRequest>): ProcessRequest {
  return {
    file: "/bin/sh",
    args: [],
    env: { PATH },
    cwd: folder,
    stdin: "{}",
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    tempDir: folder,
    ...changes,
  };
}

/** Runs it both ways, one after the other, in folders that look the same. */
async function both(changes: Partial<ProcessRequest>, files: { readonly [path: string]: string } = {}): Promise<readonly [ProcessEnd, ProcessEnd]> {
  const ends: ProcessEnd[] = [];
  for (const launcher of [spawn, zygote]) {
    const folder = tempFolder();
    writeFiles(folder, files);
    ends.push(anywhere(await launcher.run(requestFor(folder, changes)), folder));
  }
  const [first, second] = ends;
  if (!first || !second) throw new TypeError("two launchers, two ends");
  return [first, second];
}

/** Without the folder's name, which is another one each time. */
function anywhere(end: ProcessEnd, folder: string): ProcessEnd {
  return JSON.parse(JSON.stringify(end).replaceAll(folder, "FOLDER"));
}

async function expectSame(changes: Partial<ProcessRequest>, files?: { readonly [path: string]: string }): Promise<ProcessEnd> {
  const [bySpawn, byZygote] = await both(changes, files);
  expect(byZygote).toEqual(bySpawn);
  return byZygote;
}

const sh = (script: string): Partial<ProcessRequest> => ({ args: ["-c", script] });

describe("a shell command ends and prints as with spawn", () => {
  test.each([
    ["what it prints", "printf 'a\\0b\\n'; echo err >&2; exit 3"],
    ["stdin, twice", "cat; cat /dev/stdin; wc -c </dev/stdin"],
    ["a command that is not there", "no-such-command --flag"],
    ["a syntax error", "if true; then"],
    ["an unterminated quote", 'echo "abc'],
    ["a here-document", "cat <<E\n$((1 + 1))\nE"],
    ["an exec that fails", "exec /no/such/program"],
    ["its name and its words", 'echo "$0|$#|$-|$LINENO"'],
    ["its process group and session", 'set -- $(ps -o pgid=,sid=,tty= -p $$); echo "$(($1 - $$)) $(($2 - $$)) $3"'],
    ["its signals", "grep -E '^Sig(Ign|Blk|Pnd)' /proc/self/status"],
    ["its descriptors", "ls /proc/$$/fd | grep -c '^[012]$'; readlink /proc/$$/fd/0 | sed 's/#.* /ID /'"],
    ["its folder", "pwd; pwd -P; echo $PWD; echo .* *"],
    ["its mask and its limits", "umask; ulimit -a"],
    ["its environment", "/usr/bin/env -0 | sort -z"],
    ["no terminal", "(: </dev/tty) 2>/dev/null && echo yes || echo no"],
    ["a stop that nobody would end", "kill -TSTP $$; kill -TTIN $$; kill -TTOU $$; echo on"],
    ["setsid from a leader", "setsid sh -c 'exit 7'; echo $?"],
    ["a group that is ended from inside", "trap 'echo bye; exit 4' TERM; kill 0; sleep 5"],
    ["a group that is killed from inside", "kill -9 0"],
    ["much output", "yes abcdefgh | head -c 400000; yes 1234567 | head -c 300000 >&2"],
    ["closed output", "exec >&- 2>&-; sleep 0.05; exit 9"],
    ["half of a character", "printf '\\303'; printf '\\342\\202' >&2"],
    ["a background job that lets go", "sleep 0.2 >/dev/null 2>&1 & echo done"],
    ["traps at the end", "trap 'echo exit; exit 5' EXIT; exit 1"],
  ])("%s", async (_, script) => {
    await expectSame(sh(script));
  });

  test.each([0, 1, 2, 64, 126, 127, 128, 129, 130, 137, 141, 143, 159, 192, 255])("exit %i is an exit code", async (code) => {
    expect(await expectSame(sh(`exit ${code}`))).toMatchObject({ kind: "exited", code });
  });

  const harmless = ["SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGWINCH"];
  const deadly = Object.entries(constants.signals).filter(([name, number]) => number < 32 && !harmless.includes(name));
  test.each(deadly)("%s is a signal", async (_, number) => {
    expect(await expectSame(sh(`ulimit -c 0; kill -${number} $$; sleep 5`))).toMatchObject({ kind: "signalled", signal: expect.stringMatching(/^SIG/) });
  });

  test.each([
    ["a leftover that holds the output", { ...sh("sleep 300 & echo answer"), drainMs: 100, graceMs: 500 }],
    ["a leftover in a session of its own", { ...sh("setsid sleep 1 & echo answer"), drainMs: 50, graceMs: 100 }],
    ["the timeout", { ...sh("sleep 300 & sleep 300"), timeoutMs: 100, graceMs: 500 }],
    ["one that ignores TERM", { ...sh("trap '' TERM; while :; do sleep 0.05; done"), timeoutMs: 100, graceMs: 100 }],
    ["a cap", { ...sh("yes | head -c 100000; exit 2"), limitBytes: 1_000 }],
    ["stdin of 3 MB", { ...sh("wc -c; md5sum </dev/stdin"), stdin: "ä".repeat(1_500_000) }],
    [
      "variables of 90 KB",
      { ...sh("echo ${#A} ${#B}; /usr/bin/env | grep '^[AB]=' | sort | md5sum"), env: { PATH, A: "x".repeat(90_000), B: "é".repeat(40_000) } },
    ],
    ["a variable that is too large", { ...sh("true"), env: { PATH, A: "x".repeat(200_000) } }],
    ["a command that is too long", sh(`: ${"x".repeat(200_000)}`)],
    ["a long command", sh(`printf %s '${"y".repeat(100_000)}' | md5sum`)],
    ["a NUL in a variable", { ...sh("true"), env: { PATH, A: "a\0b" } }],
    ["a NUL in the command", sh("echo a\0b")],
    ["no folder", { ...sh("true"), cwd: "/no/such/folder" }],
    ["a file as folder", { ...sh("true"), cwd: "/etc/passwd" }],
  ] as const)("%s", async (_, changes) => {
    await expectSame(changes);
  });
});

describe("a program without a shell starts as with spawn", () => {
  const FILES = {
    "plain.txt": "hello",
    "no-shebang": "echo from sh: $0 $1",
    bad: "#!/no/such/interpreter\n",
    script: '#!/bin/sh\nprintf "%s|" "$0" "$@"',
    "bin/tool": "#!/bin/sh\necho tool $1",
  };

  test.each([
    ["by its path", { file: "./script", args: ["a b", "", "$(touch x)", "'\"", "*", "é\n"] }],
    ["found in the PATH that it is given", { file: "tool", args: ["x"], env: { PATH: "bin:/usr/bin:/bin" } }],
    ["without a PATH", { file: "true", args: [], env: {} }],
    ["not there", { file: "no-such-program", args: [] }],
    ["an empty name", { file: "", args: [] }],
    ["not executable", { file: "./plain.txt", args: [] }],
    ["a folder", { file: "./bin", args: [] }],
    ["an interpreter that is not there", { file: "./bad", args: [] }],
    ["arguments that are too long", { file: "/bin/true", args: ["x".repeat(200_000)] }],
    ["an argument with a NUL", { file: "/bin/true", args: ["a\0b"] }],
  ] as const)("%s", async (_, changes) => {
    await expectSame(changes, FILES);
  });

  test("a script that names no interpreter", async () => {
    const ends: ProcessEnd[] = [];
    for (const launcher of [spawn, zygote]) {
      const folder = tempFolder();
      writeFiles(folder, FILES);
      chmodSync(`${folder}/no-shebang`, 0o755);
      ends.push(anywhere(await launcher.run(requestFor(folder, { file: "./no-shebang", args: ["x"] })), folder));
    }
    expect(ends[1]).toEqual(ends[0]);
  });
});

test("any environment arrives as it is: odd names, any bytes, newlines, variables of shells and of perl", { timeout: 60_000 }, async () => {
  const special = fc.constantFrom(
    "PATH",
    "HOME",
    "IFS",
    "PWD",
    "OLDPWD",
    "OPTIND",
    "PPID",
    "UID",
    "SHLVL",
    "_",
    "LC_ALL",
    "PS4",
    "ENV",
    "BASH_ENV",
    "PERL5LIB",
    "PERL_UNICODE",
    "BASH_FUNC_f%%",
    "a.b",
    "-u",
    "__proto__",
    "ä",
  );
  const text = fc.string({ unit: "binary", maxLength: 40 }).map((value) => value.replaceAll("\0", ""));
  const name = fc.oneof(
    special,
    text.map((value) => value.replaceAll("=", "")).filter((value) => value !== ""),
  );
  const environments = fc.dictionary(name, text, { maxKeys: 12 });
  await fc.assert(
    fc.asyncProperty(environments, async (env) => {
      const folder = tempFolder();
      const print = async (launcher: typeof spawn): Promise<readonly string[]> => {
        const end = await launcher.run(requestFor(folder, { file: "/usr/bin/env", args: ["-0"], env }));
        if (end.kind !== "exited" || end.code !== 0) throw new TypeError(JSON.stringify(end));
        return end.stdout.split("\0").toSorted();
      };
      expect(await print(zygote)).toEqual(await print(spawn));
    }),
    { numRuns: 60 },
  );
});

describe("what a shell carries out by itself is told to one that is there", () => {
  const ENV = { PATH, A: "x y  *", B: "", C: "$(echo no) `no` '\"\\n" };

  test("with the same result, whatever it is told", { timeout: 60_000 }, async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(shellText.commands, async (text) => {
        const request = { ...sh(text), env: ENV };
        if (shellTask(requestFor("/", request))) told++;
        await expectSame(request);
      }),
      { numRuns: 250 },
    );
    if (shellIsDash()) expect(told).toBeGreaterThan(15);
  });

  test.each([
    ["a decision", `echo '{"decision":"block","reason":"it'"'"'s no"}'`],
    ["a reason", "echo 'not here' >&2; exit 2"],
    ["a variable", '[ "$A" != "x y  *" ] || echo "got $A$B${C}"; exit 1'],
    ["a variable that is not there", 'echo "<$NONE>"'],
    ["a code that is none", "exit 1a"],
    ["a comparison that is none", "[ a = b = c ]"],
    ["nothing", "true"],
  ])("%s", async (_, text) => {
    await expectSame({ ...sh(text), env: ENV });
  });

  test.runIf(shellIsDash())("nothing is started for it", async () => {
    const folder = tempFolder();
    for (let each = 0; each < 500 && shells().length < 2; each++) await zygote.run(requestFor(folder, sh("true")));
    const before = childrenOf(zygotePid());
    for (let each = 0; each < 20; each++) await zygote.run(requestFor(folder, sh("true")));
    expect(childrenOf(zygotePid())).toEqual(before);
    for (let each = 0; each < 20; each++) await zygote.run(requestFor(folder, sh("cat; : $$")));
    expect(childrenOf(zygotePid())).not.toEqual(before);
  });

  test("many at once, each with its own output and end", async () => {
    const folder = tempFolder();
    const ends = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => zygote.run(requestFor(folder, sh(`echo ${index}; echo -${index} >&2; exit ${index}`)))),
    );
    expect(ends.map((end) => end.kind === "exited" && [end.code, end.stdout, end.stderr])).toEqual(
      ends.map((_, index) => [index, `${index}\n`, `-${index}\n`]),
    );
  });

  test.runIf(shellIsDash())("one that is ended from outside is a fault for what it was told, and is replaced", async () => {
    const folder = tempFolder();
    for (let round = 0; round < 5; round++) {
      const running = Array.from({ length: 40 }, async () => zygote.run(requestFor(folder, sh("echo x"))));
      endAll(shells());
      for (const end of await Promise.all(running)) expect(["exited", "signalled"]).toContain(end.kind);
    }
    expect(await zygote.run(requestFor(folder, sh("echo x")))).toMatchObject({ kind: "exited", code: 0, stdout: "x\n" });
  });
});

describe("a command that a shell carries out in a fork of itself ends and prints as in a shell of its own", () => {
  const FILES = {
    script: '#!/bin/sh\nprintf "%s|" "$0" "$@"; cat; exit 3',
    "sub/x y": "1\n2\n",
    "no-shebang": "echo from sh: $0 $1",
    bad: "#!/no/such/interpreter\n",
  };
  const ENV = { PATH, A: "x y  *", B: "", NEWLINES: "a\n'b'\n", "a.b": "odd" };

  test.each([
    ["a script and its words", "sh ./script 'a b' \"$A\" ''"],
    ["a pipe", "cat | tr -d '{' | cat; echo $?"],
    ["a function", 'f() { echo "$1-$#"; }; f "$A" 2'],
    ["a loop", 'for f in sub/*; do cat "$f"; done; while read -r l; do echo "<$l>"; done <"sub/x y"'],
    ["a here-document", "cat <<E\n$A $((1 + 2))\nE"],
    ["lines", "echo 1\necho 2 # nothing\n\necho 3"],
    ["its words", 'echo "$0|$#|$-|$LINENO|$*|$?"'],
    ["its folder", 'pwd; pwd -P; echo "$PWD|${OLDPWD-none}"; cd sub; echo "$OLDPWD"; ls'],
    ["its environment", "env -0 | sort -z"],
    ["its descriptors", "ls -l /proc/self/fd | sed 's/.*:.. //' | cut -d' ' -f1 | sort"],
    ["its session", "ps -o sid=,pgid= -p $(sh -c 'ps -o ppid= -p $PPID') | awk '{ print ($1 == $2) }'"],
    ["options", "echo a; false && echo b; unset NONE; echo ${NONE:-c}"],
    ["a pattern", 'case "$A" in x*) echo x;; *) echo other;; esac'],
    ["not found", "no-such-program a; echo $?"],
    ["not found, last", "no-such-program"],
    ["no interpreter", "sh -c ./bad; ./bad; ./no-shebang x; ./sub"],
    ["a syntax error", "echo a; if true; then"],
    ["an unterminated quote", 'echo "abc'],
    ["a file that can't be written", "echo a; echo x >/no/such/file; echo b"],
    ["a special builtin that fails", "echo a; : >/no/such/file; echo b"],
    ["an exec", "exec sh ./script b"],
    ["an exec that fails", "exec /no/such/program; echo on"],
    ["exit codes", "sh -c 'exit 7'"],
    ["a high exit code", "exit 200"],
    ["the code of a signal", "exit 137"],
    ["a program that is killed", "perl -MPOSIX -e 'kill 9, getpid'; echo $?; perl -MPOSIX -e 'kill 11, getpid'; echo $?"],
    ["a program that is killed, last", "perl -MPOSIX -e 'kill 9, getpid'"],
    ["the shell killed by its program", "perl -e 'kill 9, getppid; sleep 1'; echo on"],
    ["exec and killed", "exec perl -MPOSIX -e 'kill 15, getpid; sleep 1'"],
    ["a background job", "sleep 0.1 & echo first; wait; echo then"],
    ["a background job that lets go", "sleep 0.3 >/dev/null 2>&1 & echo done"],
    ["closed output", "exec >&- 2>&-; sleep 0.05; exit 9"],
    ["stdin opened again", "cat /dev/stdin; cat; wc -c </dev/stdin"],
    ["much output, slowly", "yes abcdefgh | head -c 300000; sleep 0.02; yes 1 | head -c 100000 >&2"],
    ["a mask", "umask; umask 077; umask"],
    ["variables that it makes", "X=1; Y=2 env | grep -c '^[XY]='; readonly Z=3; export X; env | grep -c '^X='"],
    ["the word of another shell's message", "/bin/sh -c 'no-such'; echo '/bin/sh: 1: said'"],
  ])("%s", async (_, text) => {
    await expectSame({ ...sh(text), env: ENV }, FILES);
  });

  test.each([{ PWD: "/etc" }, { PWD: "." }, { OLDPWD: "/etc", PWD: "/" }, { PATH: "" }, { HOME: "/" }])("with %j", async (env) => {
    await expectSame({ ...sh('echo "$PWD|${OLDPWD-none}|$HOME"; /usr/bin/env -0 | /usr/bin/sort -z'), env: { PATH, ...env } });
  });

  test.each([
    ["a leftover that holds the output", { ...sh("sleep 300 & echo answer"), drainMs: 100, graceMs: 500 }],
    ["a leftover in a session of its own", { ...sh("setsid sleep 1 & echo answer"), drainMs: 50, graceMs: 100 }],
    ["the timeout", { ...sh("sleep 300 & sleep 300"), timeoutMs: 100, graceMs: 500 }],
    ["no folder", { ...sh("cat"), cwd: "/no/such/folder" }],
    ["no PATH", { ...sh('echo "$PATH"; cat; env'), env: { A: "1" } }],
    ["a variable that is too large", { ...sh("cat"), env: { PATH, A: "x".repeat(200_000) } }],
    ["variables of 40 KB", { ...sh("echo ${#A} ${#B}; env | wc -c"), env: { PATH, A: "x".repeat(20_000), B: "é".repeat(10_000) } }],
  ] as const)("%s", async (_, changes) => {
    for (let each = 0; each < 3; each++) await expectSame(changes);
  });

  test("long and short ones one after another, each with its own output", async () => {
    const folder = tempFolder();
    for (let each = 0; each < 300; each++) {
      const words = `${each} ${"x".repeat((each * 977) % 3_000)}`;
      expect(await zygote.run(requestFor(folder, sh(`cat; echo ${words}`)))).toMatchObject({ kind: "exited", code: 0, stdout: `{}${words.trim()}\n` });
    }
  });

  test.runIf(shellIsDash())("one shell carries out many, and what would differ in a fork gets a shell of its own", async () => {
    const folder = tempFolder();
    const parentOf = async (): Promise<string> => {
      const end = await zygote.run(requestFor(folder, sh(`perl -e 'open F, "/proc/@{[getppid]}/stat"; print +(split / /, <F>)[3]'`)));
      return end.kind === "exited" ? end.stdout : "";
    };
    for (let each = 0; each < 500 && (await parentOf()) === String(zygotePid()); each++);
    const before = childrenOf(zygotePid());
    expect(before.map(String)).toContain(await parentOf());
    expect(await parentOf()).toBe(await parentOf());
    const request = (text: string): ProcessRequest => requestFor("/", sh(text));
    for (const text of [
      "echo $$",
      "echo ${$}",
      "echo $PPID",
      "eval x",
      "trap x EXIT",
      "kill 0",
      "break; exit 2",
      "return 2",
      ". ./x",
      "a; . x",
      "if . x; then y; fi",
      "A=1 . x",
      "set -e; x",
    ]) {
      expect([text, canFork(request(text))]).toEqual([text, false]);
    }
    for (const text of ["cat", "./x.sh", "a.b c", "jq . x", "jq '. | .a' | grep -q b && exit 2"]) expect([text, canFork(request(text))]).toEqual([text, true]);
  });
});

test("/dev/stdout can be opened again, which with spawn it can't: Node's own pipes are sockets", async () => {
  const end = await zygote.run(requestFor(tempFolder(), sh("echo a >/dev/stdout; echo b >/dev/stderr; echo c | tee /dev/stderr")));
  expect(end).toMatchObject({ kind: "exited", code: 0, stdout: "a\nc\n", stderr: "b\nc\n" });
});

test("a mask that is changed later is the program's too", async () => {
  const before = process.umask(0o027);
  onTestFinished(() => void process.umask(before));
  expect(await expectSame(sh("umask"))).toMatchObject({ stdout: "0027\n" });
});

test("64 at once, each with its own output and end", async () => {
  const folder = tempFolder();
  const ends = await Promise.all(
    Array.from({ length: 64 }, async (_, index) => zygote.run(requestFor(folder, sh(`cat; echo ${index}; sleep 0.3; echo ${index} >&2; exit ${index}`)))),
  );
  expect(ends.map((end) => end.kind === "exited" && [end.code, end.stdout, end.stderr])).toEqual(ends.map((_, index) => [index, `{}${index}\n`, `${index}\n`]));
});

test("more than that are started by spawn meanwhile", async () => {
  const folder = tempFolder();
  const ends = await Promise.all(Array.from({ length: 80 }, async () => zygote.run(requestFor(folder, sh("sleep 0.3; echo $PPID")))));
  const parents = ends.map((end) => (end.kind === "exited" ? Number(end.stdout) : -1));
  expect(new Set(parents)).toEqual(new Set([zygotePid(), process.pid]));
});

describe("a zygote that is ended from outside", () => {
  test("is replaced; what ran in it is a fault and leaves nothing behind", async () => {
    const folder = tempFolder();
    const mark = marker();
    const running = Array.from({ length: 20 }, async () =>
      zygote.run(requestFor(folder, { ...sh("sleep 300 & wait"), env: { PATH, [mark.name]: mark.value } })),
    );
    expect(await until(() => marked(mark).filter((line) => line.endsWith("sleep 300")).length >= 20, 20_000)).toBe(true);
    const first = zygotePid();
    if (first === undefined) throw new TypeError("no zygote");
    process.kill(first, "SIGKILL");
    for (const end of await Promise.all(running)) {
      expect(end).toEqual({ kind: "not-started", message: expect.stringContaining("was ended from outside while this one ran") });
    }
    expect(marked(mark)).toEqual([]);
    expect(await zygote.run(requestFor(folder, sh("echo again")))).toMatchObject({ kind: "exited", stdout: "again\n" });
    expect(zygotePid()).not.toBe(first);
    expect(zygotePid()).toBeDefined();
  });

  test("and children of it that waited: at worst a fault, never the answer of another one, and others take their place", async () => {
    const folder = tempFolder();
    const round = async (name: string): Promise<readonly ProcessEnd[]> =>
      Promise.all(Array.from({ length: 8 }, async () => zygote.run(requestFor(folder, sh(`cat; echo ${name}`)))));
    const own = (name: string): object => ({ kind: "exited", stdout: `{}${name}\n` });
    await round("before");
    for (let each = 0; each < 20; each++) {
      const running = round(`killed ${each}`);
      endAll(childrenOf(zygotePid()));
      for (const end of await running) expect(end.kind === "signalled" ? own(`killed ${each}`) : end).toMatchObject(own(`killed ${each}`));
      for (const end of await round(`after ${each}`)) expect(end.kind === "signalled" ? own(`after ${each}`) : end).toMatchObject(own(`after ${each}`));
    }
    for (const end of await round("at last")) expect(end).toMatchObject(own("at last"));
  });
});

test("a thousand programs leave descriptors, processes and files as they were", { timeout: 120_000 }, async () => {
  const folder = tempFolder();
  const round = async (): Promise<void> => {
    for (let each = 0; each < 50; each++) await Promise.all(Array.from({ length: 10 }, async () => zygote.run(requestFor(folder, sh("echo x; exit 1")))));
  };
  const look = (): { descriptors: number; children: number } => ({
    descriptors: readdirSync("/proc/self/fd").length,
    children: childrenOf(zygotePid()).length,
  });
  await round();
  const before = look();
  await round();
  // Children are prepared ahead, a few more or less at any moment; a leak would be hundreds.
  expect(await until(() => look().descriptors <= before.descriptors + 8 && look().children <= before.children + 4)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

describe("the owner", () => {
  const built = join(ROOT, "dist/lib/launcher.js");
  const program = (then: string): string => `
    import { openLauncher, zygotePid } from ${JSON.stringify(built)};
    const launcher = openLauncher("zygote");
    const request = { file: "/bin/sh", args: ["-c", "true"], env: {}, cwd: "/", stdin: "", timeoutMs: 20000, signal: new AbortController().signal, tempDir: ${JSON.stringify(tmpdir())} };
    await launcher.run(request);
    process.stdout.write(String(zygotePid()) + "\\n");
    ${then}`;
  const start = (then: string, stdin: "ignore" | "pipe" = "ignore") =>
    spawnChild(process.execPath, ["--input-type=module", "-e", program(then)], { cwd: ROOT, stdio: [stdin, "pipe", "inherit"] });
  const told = async (child: ReturnType<typeof start>): Promise<number> =>
    new Promise((resolve) => void child.stdout?.once("data", (text: Buffer) => resolve(Number(text))));

  test("that closes its last launcher ends the zygote and its children, and goes on", async () => {
    const child = start("const wait = setInterval(() => {}, 1000); process.stdin.once('data', () => launcher.close());", "pipe");
    const pid = await told(child);
    const children = childrenOf(pid);
    expect(children.length).toBeGreaterThan(0);
    child.stdin?.write("close\n");
    expect(await until(() => [pid, ...children].every((each) => !alive(each)))).toBe(true);
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
  });

  test("that is killed takes the zygote and its children with it", async () => {
    const child = start("setInterval(() => {}, 1000);");
    const pid = await told(child);
    const family = [pid, ...childrenOf(pid)];
    expect(family.length).toBeGreaterThan(1);
    child.kill("SIGKILL");
    expect(await until(() => !family.some(alive), 10_000)).toBe(true);
  });

  test("is not kept alive by a launcher that nobody closed", async () => {
    const child = start("");
    const ended = new Promise((resolve) => void child.on("exit", resolve));
    const pid = await told(child);
    expect(await ended).toBe(0);
    expect(await until(() => !alive(pid), 10_000)).toBe(true);
  });
});

test("auto goes through the zygote when there is one", async () => {
  const auto = openLauncher("auto");
  onTestFinished(() => auto.close());
  const folder = tempFolder();
  const parent = async (): Promise<number> => {
    const end = await auto.run(requestFor(folder, sh("echo $PPID")));
    return end.kind === "exited" ? Number(end.stdout) : -1;
  };
  let seen = await parent();
  for (let each = 0; each < 500 && seen === process.pid; each++) seen = await parent();
  expect(seen).toBe(zygotePid());
});

function childrenOf(pid: number | undefined): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** Ends what is still there. */
function endAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** The shells that stay. */
function shells(): readonly number[] {
  return childrenOf(zygotePid()).filter((pid) => commandOf(pid).startsWith("/bin/sh") && commandOf(pid).includes("did"));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function alive(pid: number): boolean {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
