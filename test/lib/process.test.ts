/** Real processes, short limits, started in both ways. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openLauncher, type Launcher } from "../../src/lib/launcher.ts";
import { runProcess, type ProcessEnd, type ProcessRequest, type StartProcess } from "../../src/lib/process.ts";
import { marked, marker, until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const never = new AbortController().signal;
const PATH = process.env["PATH"] ?? "";

async function sh(launcher: Launcher, script: string, changes: Partial<ProcessRequest> = {}): Promise<ProcessEnd> {
  const folder = tempFolder();
  return launcher.run({
    file: "/bin/sh",
    args: ["-c", script],
    env: { PATH },
    cwd: folder,
    stdin: "",
    timeoutMs: 10_000,
    signal: never,
    tempDir: folder,
    ...changes,
  });
}

const done = { stdout: "", stderr: "", stdoutOver: false, stderrOver: false, leftBehind: false };

describe.each(["spawn", "zygote"] as const)("%s", (mode) => {
  const launcher = openLauncher(mode);
  afterAll(() => launcher.close());

  describe("endings", () => {
    test("exit code, stdout and stderr apart", async () => {
      expect(await sh(launcher, "echo out; echo err >&2; exit 3")).toEqual({ kind: "exited", code: 3, ...done, stdout: "out\n", stderr: "err\n" });
    });

    test("a signal is no exit code", async () => {
      expect(await sh(launcher, "kill -KILL $$")).toEqual({ kind: "signalled", signal: "SIGKILL", ...done });
    });

    test("[F2] a closed stdout is no fault", async () => {
      expect(await sh(launcher, "exec >&-; exit 0")).toEqual({ kind: "exited", code: 0, ...done });
    });

    test.each([
      ["ENOENT", "no-such-program", "no-such-program could not be started: there is no such program (ENOENT)"],
      ["EACCES", "./plain.txt", "./plain.txt could not be started: it is not executable; try chmod +x (EACCES)"],
    ])("%s", async (code, file, message) => {
      const cwd = tempFolder();
      writeFiles(cwd, { "plain.txt": "hello" });
      expect(await sh(launcher, "", { file, args: [], cwd })).toEqual({ kind: "not-started", message, code });
    });

    test("E2BIG", async () => {
      expect(await sh(launcher, "true", { env: { PATH, HUGE: "x".repeat(200_000) } })).toEqual({
        kind: "not-started",
        message: "/bin/sh could not be started: its environment and arguments are too large (E2BIG)",
        code: "E2BIG",
      });
    });

    test("a working folder that does not exist is named", async () => {
      expect(await sh(launcher, "true", { cwd: "/no/such/folder" })).toEqual({
        kind: "not-started",
        message: "the working folder /no/such/folder does not exist",
      });
    });

    test("a text with a NUL byte can't be an argument, and that is a result", async () => {
      expect(await sh(launcher, "", { args: ["a\0b"] })).toMatchObject({ kind: "not-started" });
    });

    test("no place for a large stdin is a result", async () => {
      expect(await sh(launcher, "cat", { tempDir: "/no/such/folder", stdin: "x".repeat(100_000) })).toMatchObject({
        kind: "not-started",
        message: expect.stringContaining("stdin could not be prepared"),
      });
    });
  });

  describe("stdin [F9]", () => {
    test("is a file that /dev/stdin can open, and holds all of it", async () => {
      const stdin = JSON.stringify({ text: "ä".repeat(50_000) });
      expect(await sh(launcher, "cat /dev/stdin", { stdin })).toMatchObject({ kind: "exited", stdout: stdin });
      expect(await sh(launcher, "[ -S /dev/stdin ] && echo socket || echo no", { stdin })).toMatchObject({ stdout: "no\n" });
    });

    test("[F2] 5 MB that nobody reads harm nobody", async () => {
      expect(await sh(launcher, "exit 0", { stdin: "x".repeat(5_000_000) })).toMatchObject({ kind: "exited", code: 0 });
    });

    test("leaves no file behind, in no kind of ending", async () => {
      const tempDir = tempFolder();
      await sh(launcher, "cat >/dev/null", { tempDir, stdin: "x" });
      await sh(launcher, "", { tempDir, stdin: "x", file: "no-such-program" });
      await sh(launcher, "sleep 60", { tempDir, stdin: "x", timeoutMs: 50, graceMs: 100 });
      expect(readdirSync(tempDir)).toEqual([]);
    });
  });

  describe("limits", () => {
    test("[F7] output above the limit is cut, drained and told", async () => {
      const end = await sh(launcher, "head -c 300000 /dev/zero | tr '\\0' a; echo err >&2", { limitBytes: 1_000 });
      expect(end).toEqual({ kind: "exited", code: 0, ...done, stdout: "a".repeat(1_000), stderr: "err\n", stdoutOver: true });
    });

    test("[F7] exactly the limit is fine", async () => {
      expect(await sh(launcher, "printf 0123456789", { limitBytes: 10 })).toMatchObject({ stdout: "0123456789", stdoutOver: false });
    });

    test("[F2] half a UTF-8 character is a replacement character, a split one is whole", async () => {
      expect(await sh(launcher, "printf '\\303'; sleep 0.05; printf '\\251 \\303'")).toMatchObject({ stdout: "é \uFFFD" });
    });

    test("[F1] a hang is ended with its whole group, and the dead are not waited for where nobody collects them", async () => {
      const mark = marker();
      const started = performance.now();
      const end = await sh(launcher, "sleep 300 & sleep 300 & wait", { timeoutMs: 100, graceMs: 8_000, env: { PATH, [mark.name]: mark.value } });
      expect(end).toEqual({ kind: "timed-out" });
      expect(performance.now() - started).toBeLessThan(6_000);
      expect(marked(mark)).toEqual([]);
    });

    test("[F1] what ignores TERM is killed after the grace", async () => {
      const mark = marker();
      const started = performance.now();
      const end = await sh(launcher, "trap '' TERM; while :; do sleep 0.05; done", { timeoutMs: 100, graceMs: 200, env: { PATH, [mark.name]: mark.value } });
      expect(end).toEqual({ kind: "timed-out" });
      expect(performance.now() - started).toBeGreaterThan(250);
      expect(await until(() => marked(mark).length === 0, 2_000)).toBe(true);
    });

    test("[F1] a grandchild that holds the output is ended and told, the answer counts", async () => {
      const mark = marker();
      const started = performance.now();
      const end = await sh(launcher, "sleep 300 & echo answer", { drainMs: 100, graceMs: 500, env: { PATH, [mark.name]: mark.value } });
      expect(end).toEqual({ kind: "exited", code: 0, ...done, stdout: "answer\n", leftBehind: true });
      expect(performance.now() - started).toBeLessThan(5_000);
      expect(marked(mark)).toEqual([]);
    });

    test("[F1] a grandchild in a session of its own can't hold the engine", async () => {
      const mark = marker();
      const started = performance.now();
      const end = await sh(launcher, "setsid sleep 3 & echo answer", { drainMs: 100, graceMs: 200, env: { PATH, [mark.name]: mark.value } });
      expect(end).toMatchObject({ kind: "exited", stdout: "answer\n" });
      expect(performance.now() - started).toBeLessThan(2_500);
      expect(await until(() => marked(mark).length === 0)).toBe(true);
    });
  });

  describe("the caller's signal", () => {
    test("ends a running process with its group", async () => {
      const mark = marker();
      const caller = new AbortController();
      const running = sh(launcher, "sleep 300 & wait", { signal: caller.signal, graceMs: 500, env: { PATH, [mark.name]: mark.value } });
      expect(await until(() => marked(mark).length >= 2)).toBe(true);
      caller.abort();
      expect(await running).toEqual({ kind: "cancelled" });
      expect(marked(mark)).toEqual([]);
    });

    test("already aborted: nothing is started", async () => {
      const cwd = tempFolder();
      expect(await sh(launcher, "echo > ran", { signal: AbortSignal.abort(), cwd })).toEqual({ kind: "cancelled" });
      expect(readdirSync(cwd)).toEqual([]);
    });
  });

  test("a process may ask to be let go, and is still seen to its end", async () => {
    const cwd = tempFolder();
    const end = await sh(launcher, "echo go; sleep 0.2; echo > ran; exit 4", { cwd, release: (stdout) => stdout.startsWith("go\n") });
    if (end.kind !== "released") throw new TypeError(`it ${end.kind}`);
    expect(readdirSync(cwd)).toEqual([]);
    expect(await end.ended).toMatchObject({ kind: "exited", code: 4 });
    expect(readdirSync(cwd)).toEqual(["ran"]);
  });

  test("[F5] arguments reach the program as they are", async () => {
    const cwd = tempFolder();
    const args = ["-c", 'printf "%s|" "$@"', "sh", "$(touch oops)", "a b", "'\"", "*", ""];
    expect(await launcher.run({ file: "/bin/sh", args, env: { PATH }, cwd, stdin: "", timeoutMs: 5_000, signal: never, tempDir: cwd })).toMatchObject({
      stdout: "$(touch oops)|a b|'\"|*||",
    });
    expect(readdirSync(join(cwd))).toEqual([]);
  });
});

describe("output that can't be read", () => {
  const broken =
    (code: number): StartProcess =>
    (_, __, listener) => {
      listener.stdout(Buffer.from('{"verdict":'));
      listener.unread(new Error("read EIO"));
      return { pid: undefined, ended: Promise.resolve({ kind: "ended", code, signal: null }), closed: Promise.resolve(), isClosed: true, release: () => {} };
    };
  const request = (cwd: string): ProcessRequest => ({ file: "x", args: [], env: {}, cwd, stdin: "", timeoutMs: 1_000, signal: never, tempDir: cwd });

  test("success that nobody has seen is none", async () => {
    expect(await runProcess(request(tempFolder()), broken(0))).toEqual({ kind: "not-started", message: "its output could not be read: read EIO" });
  });

  test("an exit code that says something stands by itself", async () => {
    expect(await runProcess(request(tempFolder()), broken(2))).toMatchObject({ kind: "exited", code: 2 });
  });
});
