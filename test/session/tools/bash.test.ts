import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SHELL_LIMIT_CHARACTERS } from "../../../src/session/tools/shell-run.ts";
import { disposeTools } from "../../../src/session/tools/index.ts";
import { marked, marker, until } from "../../support/processes.ts";
import { bench, fine, wrong } from "./context.ts";

describe("[S2] Bash: what a command prints", () => {
  test.each([
    ["echo hello", fine("hello")],
    ["printf 'a\\n\\n'", fine("a\n")],
    ["true", fine("")],
    ["echo out; echo err >&2; echo out", fine("out\nerr\nout")],
    ["echo x > /dev/stdout; echo y > /dev/stderr; echo z | tee /dev/stdout", fine("x\ny\nz\nz")],
    ["echo oops; exit 3", wrong("oops\nExit code 3")],
    ["kill -9 $$", wrong("Exit code 137")],
    ["set -e; false; echo never", wrong("Exit code 1")],
    ['cat; read x; echo "[$x]"', fine("[]")],
    ['echo "[$1] $#"', fine("[] 0")],
    ["wait; echo done", fine("done")],
    ["cat <<'END'\nit's \"$1\"\nEND", fine('it\'s "$1"')],
    ["printf 'h\\303'; sleep 0.05; printf '\\244'", fine("hä")],
    ["trap 'echo bye' EXIT; echo hi", fine("hi\nbye")],
    ["# a comment\necho x", fine("x")],
  ])("%j", async (command, outcome) => {
    expect(await bench().run("Bash", { command })).toEqual(outcome);
  });

  test("a syntax error shows the command and nothing of ours", async () => {
    const { output, isError } = await bench().run("Bash", { command: "if then" });
    expect({ isError, ours: /trap|snaphook/.test(output) }).toEqual({ isError: true, ours: false });
    expect(output).toContain("syntax error");
  });

  test("a long output keeps its beginning and its end, and says how much is cut", async () => {
    const { output, isError } = await bench().run("Bash", { command: "echo first; yes | head -c 3000000; echo last" });
    expect(isError).toBe(false);
    expect(output.startsWith("first\ny\n")).toBe(true);
    expect(output.endsWith("y\nlast")).toBe(true);
    expect(output).toContain(`(${3_000_011 - SHELL_LIMIT_CHARACTERS} characters are cut here)`);
  });

  test("watchers see the output grow", async () => {
    const seen: string[] = [];
    await bench().run("Bash", { command: "echo one; sleep 0.5; echo two" }, { onProgress: (text) => seen.push(text) });
    expect(seen[0]).toBe("one\n");
  });

  test("a command that no argument can hold is an error", async () => {
    expect(await bench().run("Bash", { command: `: ${"x".repeat(130_000)}` })).toEqual(
      wrong("command is longer than 120000 bytes; write it to a file and run that"),
    );
  });
});

describe("[S2] Bash: the working folder", () => {
  test("stays changed, whatever its name and however the command ended", async () => {
    const { run, folder } = bench();
    await run("Bash", { command: 'mkdir -p "it\'s a/b"; cd "it\'s a/b"; exit 1' });
    expect(await run("Bash", { command: "pwd; cd ../.." })).toEqual(fine(join(folder, "it's a/b")));
    expect(await run("Bash", { command: "(cd /); pwd" })).toEqual(fine(folder));
  });

  test("stays where it was when the new one is gone", async () => {
    const { run, folder } = bench();
    await run("Bash", { command: "mkdir gone; cd gone; rmdir ../gone" });
    expect(await run("Bash", { command: "pwd" })).toEqual(fine(folder));
  });

  test("that does not exist is said", async () => {
    const { run, folder } = bench();
    expect(await run("Bash", { command: "pwd" }, { cwd: join(folder, "nope") })).toEqual(
      wrong(`The shell could not be started: the working folder ${join(folder, "nope")} does not exist`),
    );
  });

  test("leaves no file behind", async () => {
    const { run, context } = bench();
    await run("Bash", { command: "cd /; exec true" });
    await run("Bash", { command: "sleep 9", timeout: 50 });
    expect(readdirSync(context().tempDir)).toEqual([]);
  });
});

describe("[S2] Bash: endings", () => {
  test("a timeout ends the command with everything it started, and keeps what was printed", async () => {
    const mark = marker();
    const { run } = bench({ [mark.name]: mark.value });
    const outcome = await run("Bash", { command: "echo before; sleep 300 & sleep 300", timeout: 200 });
    expect(outcome).toEqual(wrong("before\nTimed out after 200 ms; it was ended with everything it started."));
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });

  test("a command that ignores TERM is killed", async () => {
    const mark = marker();
    const { run } = bench({ [mark.name]: mark.value });
    await run("Bash", { command: "trap '' TERM; sleep 300", timeout: 100 });
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });

  test("[S6] a cancelled turn ends the command promptly", async () => {
    const mark = marker();
    const { run, folder } = bench({ [mark.name]: mark.value });
    const stop = new AbortController();
    const started = performance.now();
    const running = run("Bash", { command: "echo x > started; sleep 30; touch a.txt" }, { signal: stop.signal });
    expect(await until(() => existsSync(join(folder, "started")))).toBe(true);
    stop.abort();
    expect(await running).toEqual(wrong("Cancelled."));
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(await until(() => marked(mark).length === 0)).toBe(true);
    expect(existsSync(join(folder, "a.txt"))).toBe(false);
  });

  test("a signal that was aborted before starts nothing", async () => {
    const { run, folder } = bench();
    await expect(run("Bash", { command: "touch a.txt" }, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(existsSync(join(folder, "a.txt"))).toBe(false);
  });
});

describe("[S2] Bash: in the background", () => {
  test("gives an id at once; BashOutput gives what is new; KillShell ends it", async () => {
    const { run, folder } = bench();
    expect(await run("Bash", { command: "echo one; until test -e go; do sleep 0.02; done; echo two; sleep 300", run_in_background: true })).toEqual(
      fine("Runs in the background as bash_1. Read its output with BashOutput, end it with KillShell."),
    );
    expect(await polled(async () => run("BashOutput", { bash_id: "bash_1" }), "one")).toContain("one\n\n(it still runs)");
    writeFileSync(join(folder, "go"), "");
    expect(await polled(async () => run("BashOutput", { bash_id: "bash_1" }), "two")).toBe("two\n\n(it still runs)");
    expect(await run("KillShell", { shell_id: "bash_1" })).toEqual(fine("Ended bash_1."));
    expect(await run("BashOutput", { bash_id: "bash_1" })).toEqual(wrong("bash_id bash_1 is not a background command; known: none"));
  });

  test("a finished one says how it ended", async () => {
    const { run } = bench();
    await run("Bash", { command: "echo x; exit 4", run_in_background: true });
    expect(await polled(async () => run("BashOutput", { bash_id: "bash_1" }), "ended")).toContain("(it has ended: Exit code 4)");
  });

  test("what a command leaves behind with its output becomes one", async () => {
    const { run } = bench();
    expect(await run("Bash", { command: "sleep 300 & echo hi" })).toEqual(
      fine("hi\nSomething it started still runs, as bash_1: read it with BashOutput, end it with KillShell."),
    );
  });

  test("what runs ends with the session, also what a command left behind silently", async () => {
    const mark = marker();
    const { run, memory } = bench({ [mark.name]: mark.value });
    await run("Bash", { command: "sleep 300", run_in_background: true });
    await run("Bash", { command: "sleep 300 > /dev/null 2>&1 &" });
    await run("Bash", { command: "sleep 300 &" });
    expect(marked(mark).filter((line) => line.includes("sleep 300")).length).toBeGreaterThanOrEqual(3);
    await disposeTools(memory);
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });
});

test("Bash works where there is only /bin/sh's own environment", async () => {
  const { run, folder } = bench();
  mkdirSync(join(folder, "sub"));
  expect(await run("Bash", { command: "cd sub; pwd" }, { env: {} })).toEqual(fine(join(folder, "sub")));
});

/** Asks again until the output holds a text. */
async function polled(ask: () => Promise<{ readonly output: string }>, wanted: string): Promise<string> {
  let seen = "";
  for (let round = 0; round < 200 && !seen.includes(wanted); round++) {
    const { output } = await ask();
    seen = output.includes(wanted) ? output : seen;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  return seen;
}
