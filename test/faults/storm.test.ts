/** Fifty hooks, nearly all of them broken: nothing is left behind, and every fault has its name [F1] [F2] [F4] [F7] [F8]. */
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import type { LauncherMode } from "../../src/lib/launcher.ts";
import type { Decision } from "../../src/model/decision.ts";
import { FAULTS, type FaultKind } from "../../src/model/outcome.ts";
import type { Ended } from "../../src/model/run.ts";
import { marked, marker, until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

interface Trouble {
  readonly does: string;
  readonly hook: { readonly [key: string]: unknown };
  readonly ended: Ended;
  readonly fault: FaultKind | null;
  readonly times: number;
}

const shell = (command: string, timeout = 20): Trouble["hook"] => ({ type: "command", command, timeout });
const program = (...args: string[]): Trouble["hook"] => ({ type: "command", args, timeout: 20 });

// prettier-ignore
const TROUBLES: readonly Trouble[] = [
  { does: "hangs",                              hook: shell("sleep 300", 0.3),                                             ended: "timed-out",   fault: "timeout",     times: 4 },
  { does: "hangs with a family",                hook: shell("for i in 1 2 3 4 5 6 7 8; do sleep 300 & done; wait", 0.3),   ended: "timed-out",   fault: "timeout",     times: 3 },
  { does: "ignores TERM",                       hook: shell("trap '' TERM; while :; do sleep 0.1; done", 0.3),             ended: "timed-out",   fault: "timeout",     times: 3 },
  { does: "stops itself",                       hook: shell("kill -STOP $$; sleep 300", 0.3),                              ended: "timed-out",   fault: "timeout",     times: 2 },
  { does: "talks without end",                  hook: shell("yes", 0.5),                                                   ended: "timed-out",   fault: "timeout",     times: 2 },
  { does: "forks and holds the pipe",           hook: shell("sleep 300 & echo '{}'"),                                      ended: "exited",      fault: null,          times: 4 },
  { does: "leaves a grandchild in its session", hook: shell("setsid sleep 2 & echo '{}'"),                                 ended: "exited",      fault: null,          times: 2 },
  { does: "prints 1 GB",                        hook: shell("head -c 1000000000 /dev/zero"),                               ended: "oversized",   fault: "oversized",   times: 1 },
  { does: "prints 1 MB too much",               hook: shell("head -c 2100000 /dev/zero"),                                  ended: "oversized",   fault: "oversized",   times: 3 },
  { does: "floods stderr",                      hook: shell("head -c 5000000 /dev/zero >&2"),                              ended: "exited",      fault: null,          times: 2 },
  { does: "kills itself",                       hook: shell("kill -KILL $$"),                                              ended: "signalled",   fault: "signal",      times: 3 },
  { does: "crashes",                            hook: shell("kill -SEGV $$"),                                              ended: "signalled",   fault: "signal",      times: 2 },
  { does: "splits UTF-8",                       hook: shell("printf '\\303'; sleep 0.05; printf '\\251\\303'"),            ended: "exited",      fault: null,          times: 2 },
  { does: "never reads stdin",                  hook: shell("exit 0"),                                                     ended: "exited",      fault: null,          times: 2 },
  { does: "closes its output",                  hook: shell("exec >&- 2>&-; sleep 0.1"),                                   ended: "exited",      fault: null,          times: 2 },
  { does: "prints NUL",                         hook: shell("printf 'a\\0b'"),                                             ended: "exited",      fault: null,          times: 1 },
  { does: "fails",                              hook: shell("echo oops >&2; exit 1"),                                      ended: "exited",      fault: "exit",        times: 2 },
  { does: "misspells its command",              hook: shell("no-such-command"),                                            ended: "exited",      fault: "exit",        times: 1 },
  { does: "misspells its decision",             hook: shell(`echo '{"decision":"blok"}'`),                                 ended: "exited",      fault: "answer",      times: 1 },
  { does: "prints half objects",                hook: shell(`yes '{"a":' | head -c 900000`),                               ended: "exited",      fault: "answer",      times: 1 },
  { does: "does not exist (ENOENT)",            hook: program("/no/such/program"),                                         ended: "not-started", fault: "not-started", times: 2 },
  { does: "is not executable (EACCES)",         hook: program("./plain.txt"),                                              ended: "not-started", fault: "not-started", times: 1 },
  { does: "names no interpreter",               hook: program("./garbage"),                                                ended: "not-started", fault: "not-started", times: 1 },
  { does: "has too long arguments (E2BIG)",     hook: program("/bin/true", "x".repeat(200_000)),                           ended: "not-started", fault: "not-started", times: 1 },
  { does: "asks a model that is not there",     hook: { type: "prompt", prompt: "safe?" },                                 ended: "returned",    fault: "unsupported", times: 1 },
  { does: "posts to a closed port",             hook: { type: "http", url: "http://127.0.0.1:1/" },                        ended: "not-started", fault: "not-started", times: 1 },
];

const HOOKS = TROUBLES.flatMap((trouble) =>
  Array.from({ length: trouble.times }, (_, index) => ({ ...trouble, name: `${trouble.does} (${index + 1})`, env: { COPY: String(index) } })),
);
const INPUT = { file_path: "/a", content: "x".repeat(5_000_000) };

const descriptors = (): number => readdirSync("/proc/self/fd").length;

async function storm(launcher: LauncherMode): Promise<{ engine: Engine; tempDir: string; mark: ReturnType<typeof marker> }> {
  const cwd = tempFolder();
  const tempDir = join(cwd, "tmp");
  const mark = marker();
  const hooks = HOOKS.map(({ name, hook, env }) => ({ ...hook, name, env }));
  writeFiles(cwd, {
    "settings.json": { hooks: { PreToolUse: [{ matcher: "Write", hooks }] } },
    "plain.txt": "hello",
    garbage: "#!/no/such/interpreter\n",
    "tmp/.keep": "",
  });
  const around = { PATH: process.env["PATH"] ?? "", HOME: cwd, TMPDIR: tempDir, [mark.name]: mark.value };
  const engine = await createEngine({ cwd, env: around, configs: [{ file: "settings.json", dialect: "claude-code" }], launcher });
  expect(engine.configuration.notices).toEqual([]);
  return { engine, tempDir, mark };
}

/** Nothing is left: no process, no descriptor, no temporary file. */
async function expectNothingLeft({ tempDir, mark, before }: { tempDir: string; mark: ReturnType<typeof marker>; before: number }): Promise<void> {
  await until(() => marked(mark).length === 0, 10_000);
  expect(marked(mark)).toEqual([]);
  await until(() => descriptors() <= before, 2_000);
  expect(descriptors()).toBeLessThanOrEqual(before);
  expect(readdirSync(tempDir)).toEqual([".keep"]);
}

/** The worker's own descriptors (pollers, pipes to the runner) are opened by the first process it starts, not by ours. */
async function settleDescriptors(launcher: LauncherMode): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, resolve));
  await new Promise((resolve) => void server.close(resolve));
  const { engine } = await storm(launcher);
  await engine.fire({ name: "session.start" });
  await engine.close();
  return descriptors();
}

describe.each(["spawn", "zygote"] as const)("%s", (launcher) => {
  test("fifty broken hooks leave nothing behind, and every fault has its name", { timeout: 90_000 }, async () => {
    expect(HOOKS).toHaveLength(50);
    const before = await settleDescriptors(launcher);
    const warnings: string[] = [];
    const warn = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    const { engine, tempDir, mark } = await storm(launcher);
    const decision: Decision = await engine.fire({ name: "tool.before", tool: { name: "Write", input: INPUT } });
    const told = decision.hooks.map(({ name, ended, fault }) => ({ name, ended, fault: fault?.kind ?? null }));
    expect(told).toEqual(HOOKS.map(({ name, ended, fault }) => ({ name, ended, fault })));
    await engine.close();
    await expectNothingLeft({ tempDir, mark, before });

    expect(warnings).toEqual([]);
    expect(decision.verdict).toBeNull(); // none of them had an opinion [F8], and this dialect goes on
    const faulty = HOOKS.filter(({ fault }) => fault !== null).map(({ name }) => name);
    expect(decision.notices.filter(({ kind }) => kind === "fault").map(({ hook }) => hook)).toEqual(faulty);
    expect(decision.hooks.filter(({ fault }) => fault && (!Object.hasOwn(FAULTS, fault.kind) || fault.message === ""))).toEqual([]);
    const remarks = decision.notices.filter(({ kind }) => kind === "runner").map(({ message }) => message);
    expect(remarks.filter((message) => message.includes("left processes behind"))).toHaveLength(4);
    expect(remarks.filter((message) => message.includes("stderr was cut"))).toHaveLength(2);
  });

  test("a storm that the caller cancels leaves nothing behind either", { timeout: 60_000 }, async () => {
    const before = await settleDescriptors(launcher);
    const { engine, tempDir, mark } = await storm(launcher);
    const caller = new AbortController();
    const firing = engine.fire({ name: "tool.before", tool: { name: "Write", input: INPUT } }, { signal: caller.signal });
    const ended = expect(firing).rejects.toThrow(/abort/i);
    await until(() => marked(mark).length > 20, 10_000);
    caller.abort();
    await ended;
    await engine.close();
    await expectNothingLeft({ tempDir, mark, before });
  });
});
