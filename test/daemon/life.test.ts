/** How a daemon starts, ends, and what its clients do when it ends in their midst. Whatever happens, a denial is not lost. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findDaemon } from "../../src/daemon/info.ts";
import { snaphook } from "../support/cli.ts";
import { marked, marker, until } from "../support/processes.ts";
import { writeFiles } from "../support/temp.ts";
import { CALL, CLIENT, endDaemon, FIRE, guard, home, hook, isRunning, shell, startDaemon, tallyAfter, type Home } from "./support.ts";

const daemonFolders = (place: string): string[] => (existsSync(place) ? readdirSync(place).filter((name) => name.startsWith("d-")) : []);

describe("snaphook daemon", () => {
  test("start, status, stop; as text and as JSON", async () => {
    const at = home();
    const daemon = async (...args: string[]): Promise<[number | null, string]> => {
      const { code, stdout } = await snaphook(["daemon", ...args], { env: at.env });
      return [code, stdout];
    };
    expect(await daemon("status")).toEqual([1, "no daemon is running\n"]);
    expect(await daemon("stop")).toEqual([0, "no daemon is running\n"]);
    const { pid } = await startDaemon(at);
    expect(await daemon("start")).toEqual([0, `already running: process ${pid}\n`]);
    expect((await daemon("status"))[1]).toMatch(new RegExp(`^running: process ${pid}, Snaphook \\d.*, Node ${process.version}\nserves ${CLIENT}\n`));
    const [code, json] = await daemon("status", "--json");
    expect([code, JSON.parse(json)]).toEqual([
      0,
      expect.objectContaining({ running: true, pid, place: at.place, tally: { served: 0, running: 0, engines: 0, unserved: {} } }),
    ]);
    expect(await daemon("stop")).toEqual([0, `stopped: process ${pid}\n`]);
    expect(await until(() => !isRunning(pid))).toBe(true);
    expect(readdirSync(at.place)).toEqual(["log"]);
    expect(await daemon("status", "--json")).toEqual([1, `${JSON.stringify({ running: false, place: at.place })}\n`]);
  });

  test.each([
    ["no verb", [], "snaphook: daemon takes one of start, stop, status and run\n"],
    ["an unknown verb", ["restart"], "snaphook: daemon takes one of start, stop, status and run\n"],
    ["the name of a property every object has", ["toString"], "snaphook: daemon takes one of start, stop, status and run\n"],
    ["a time that is none", ["start", "--idle", "soon"], "snaphook: --idle takes a number of minutes, not soon\n"],
  ])("64: %s", async (_, args, stderr) => {
    expect(await snaphook(["daemon", ...args], { env: home().env })).toMatchObject({ code: 64, stdout: "", stderr });
  });

  test("run is the daemon itself, and ends when it is told to", async () => {
    const at = home();
    let told = "";
    const ended = snaphook(["daemon", "run"], { env: at.env, onStart: (pid) => void (told = String(pid)) });
    expect(await until(() => findDaemon(at.place)?.pid === Number(told), 15_000)).toBe(true);
    process.kill(Number(told), "SIGTERM");
    expect(await ended).toMatchObject({ code: 0, stdout: `running: process ${told}\nended: it was told to\n` });
  });

  test("two started at once: one answers, the other leaves", async () => {
    const at = home();
    const pids: number[] = [];
    const runs = [0, 1].map(async () => snaphook(["daemon", "run"], { env: at.env, onStart: (pid) => void pids.push(pid) }));
    expect(await until(() => daemonFolders(at.place).length === 2, 20_000)).toBe(true);
    expect(await until(() => daemonFolders(at.place).length === 1 && pids.filter(isRunning).length === 1, 20_000)).toBe(true);
    const left = pids.find(isRunning);
    expect(findDaemon(at.place)?.pid).toBe(left);
    await endDaemon(at.place);
    const said = (await Promise.all(runs)).map(({ stdout }) => stdout.split("\n")[1]);
    expect(new Set(said)).toEqual(new Set(["ended: another daemon took over", "ended: it was told to"]));
  });

  test("it leaves when nobody has come for a while", async () => {
    const at = home();
    const { pid } = await startDaemon(at, ["--idle", "0.01"]);
    expect(await until(() => !isRunning(pid), 15_000)).toBe(true);
    expect(existsSync(join(at.place, "current"))).toBe(false);
  });

  test("it takes its watchdog along", async () => {
    const at = home();
    const mark = marker();
    await startDaemon({ ...at, env: { ...at.env, [mark.name]: mark.value } });
    await endDaemon(at.place);
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });
});

describe("a daemon that ends in the midst of a call", () => {
  /** The first run waits to be ended; the second, which only Node can bring about, denies. */
  const SECOND_DENIES = "if mkdir first 2>/dev/null; then sleep 60; fi; echo second >&2; exit 2";

  const midCall = async (at: Home, interrupt: () => void): Promise<unknown> => {
    const run = hook(at, FIRE, { stdin: CALL });
    expect(await until(() => existsSync(join(at.cwd, "first")), 10_000)).toBe(true);
    interrupt();
    const { code, stdout } = await run;
    return [code, JSON.parse(stdout).reason];
  };

  test("killed: the client asks Node", async () => {
    const at = home();
    writeFiles(at.cwd, guard(SECOND_DENIES));
    const { pid } = await startDaemon(at);
    expect(await midCall(at, () => process.kill(pid, "SIGKILL"))).toEqual([2, "second"]);
  });

  test("killed, with an event that came through a pipe: Node has the whole of it", async () => {
    const at = home();
    writeFiles(at.cwd, guard("if mkdir first 2>/dev/null; then sleep 60; fi; cat >&2; exit 2"));
    const { pid } = await startDaemon(at);
    const run = shell(at, `printf '%s' "$EVENT" | hook ${FIRE.join(" ")}`, { env: { EVENT: JSON.stringify(CALL) } });
    expect(await until(() => existsSync(join(at.cwd, "first")), 10_000)).toBe(true);
    process.kill(pid, "SIGKILL");
    const { code, stdout } = await run;
    expect([code, JSON.parse(JSON.parse(stdout).reason).tool_input]).toEqual([2, CALL.tool.input]);
  });

  test("killed with half of an event in its hands: the client denies", async () => {
    const at = home();
    writeFiles(at.cwd, guard("true"));
    const { pid } = await startDaemon(at);
    const half = `{ printf '{"tool":'; until [ -e go ]; do sleep 0.05; done; } | { hook ${FIRE.join(" ")}; code=$?; touch go; exit $code; }`;
    const run = shell(at, half);
    expect((await tallyAfter(at, ({ running }) => running === 1)).running).toBe(1);
    process.kill(pid, "SIGKILL");
    const { code, stderr } = await run;
    expect([code, stderr]).toEqual([2, "snaphook-hook: the daemon ended with the event in its hands\n"]);
  });

  test("stopped, not killed: its watchdog ends it, and the client asks Node", async () => {
    const at = home();
    writeFiles(at.cwd, guard(SECOND_DENIES));
    const { pid } = await startDaemon(at);
    expect(await midCall(at, () => process.kill(pid, "SIGSTOP"))).toEqual([2, "second"]);
  });

  test("stopped before the call", async () => {
    const at = home();
    writeFiles(at.cwd, guard("echo no >&2; exit 2"));
    const { pid } = await startDaemon(at);
    process.kill(pid, "SIGSTOP");
    expect(await hook(at, FIRE, { stdin: CALL })).toMatchObject({ code: 2, stderr: "" });
  });

  test("killed before: what it left is no hindrance, nor for the next one", async () => {
    const at = home();
    writeFiles(at.cwd, guard("echo no >&2; exit 2"));
    const { pid } = await startDaemon(at);
    process.kill(pid, "SIGKILL");
    await until(() => !isRunning(pid));
    expect((await hook(at, FIRE, { stdin: CALL })).code).toBe(2);
    await startDaemon(at);
    expect((await hook(at, FIRE, { stdin: CALL })).code).toBe(2);
    expect((await tallyAfter(at, ({ served }) => served === 1)).served).toBe(1);
  });

  test("told to end: it finishes what it has begun", async () => {
    const at = home();
    writeFiles(at.cwd, guard("touch begun; until [ -e go ]; do sleep 0.05; done; echo finished >&2; exit 2"));
    const { pid } = await startDaemon(at);
    const run = hook(at, FIRE, { stdin: CALL });
    expect(await until(() => existsSync(join(at.cwd, "begun")), 10_000)).toBe(true);
    process.kill(pid, "SIGTERM");
    expect(await until(() => !existsSync(join(at.place, "current")), 10_000)).toBe(true);
    writeFileSync(join(at.cwd, "go"), "");
    expect(await run.then(({ code, stdout }) => [code, JSON.parse(stdout).reason])).toEqual([2, "finished"]);
    expect(await until(() => !isRunning(pid), 15_000)).toBe(true);
  });
});

describe("a client that goes away", () => {
  test("cancels its event: the hook is ended, and the slot is free again", async () => {
    const at = home();
    const mark = marker();
    writeFiles(at.cwd, guard("sleep 600"));
    await startDaemon(at);
    let client = 0;
    const run = hook(at, FIRE, { stdin: CALL, env: { [mark.name]: mark.value }, onStart: (pid) => (client = pid) });
    const hooks = (): readonly string[] => marked(mark).filter((line) => line.includes("sleep 600"));
    expect(await until(() => hooks().length > 0, 10_000)).toBe(true);
    process.kill(client, "SIGTERM");
    expect(await run).toMatchObject({ code: 130, stdout: "", stderr: "" });
    expect(await until(() => hooks().length === 0, 10_000)).toBe(true);
    expect(await tallyAfter(at, ({ running }) => running === 0)).toMatchObject({ running: 0, served: 0, unserved: {} });
    const [folder = ""] = daemonFolders(at.place);
    expect(await until(() => readdirSync(join(at.place, folder)).every((name) => !name.endsWith(".in")))).toBe(true);
  });

  test("before it has said a word, leaves the others their slots", async () => {
    const at = home();
    writeFiles(at.cwd, guard("exit 2"));
    await startDaemon(at);
    const silent = Array.from({ length: 5 }, () => spawn(CLIENT, FIRE, { cwd: at.cwd, env: at.env, stdio: ["pipe", "ignore", "ignore"] }));
    const [folder = ""] = daemonFolders(at.place);
    const claims = (): number => readdirSync(join(at.place, folder)).filter((name) => name.endsWith(".in")).length;
    expect(await until(() => claims() === silent.length, 10_000)).toBe(true);
    for (const client of silent) client.kill("SIGKILL");
    const answers = await Promise.all(Array.from({ length: 20 }, async () => hook(at, FIRE, { stdin: CALL })));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 2));
    expect((await tallyAfter(at, ({ served }) => served === 20)).served).toBe(20);
  });
});

describe("without a daemon", () => {
  test("Node answers, and every command works", async () => {
    const at = home();
    writeFiles(at.cwd, guard("echo no >&2; exit 2"));
    expect(await hook(at, FIRE, { stdin: CALL })).toMatchObject({ code: 2, stderr: "" });
    expect(await hook(at, ["--version"])).toEqual(await snaphook(["--version"]));
    expect((await hook(at, [])).code).toBe(64);
  });

  test("and without Node it denies", async () => {
    const at = home();
    mkdirSync(join(at.cwd, "bin"));
    for (const name of ["sh", "dirname", "readlink", "cat"]) await shell(at, `ln -s "$(command -v ${name})" bin/${name}`);
    expect(await hook(at, FIRE, { stdin: CALL, env: { PATH: join(at.cwd, "bin") } })).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: "snaphook-hook: there is no node in PATH\n",
    });
  });

  test("SNAPHOOK_DAEMON=auto starts one for the next call, however many call", async () => {
    const at = home();
    writeFiles(at.cwd, guard("echo no >&2; exit 2"));
    const env = { SNAPHOOK_DAEMON: "auto" };
    const answers = await Promise.all(Array.from({ length: 5 }, async () => hook(at, FIRE, { stdin: CALL, env })));
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    expect(await until(() => findDaemon(at.place) !== undefined, 20_000)).toBe(true);
    // Until it has opened its ears a call goes to Node, with the same answer.
    const served = async (): Promise<boolean> => {
      expect((await hook(at, FIRE, { stdin: CALL, env })).code).toBe(2);
      return (await tallyAfter(at, (tally) => tally.served >= 0)).served > 0;
    };
    let answeredByIt = await served();
    for (let call = 0; call < 50 && !answeredByIt; call += 1) answeredByIt = await served();
    expect(answeredByIt).toBe(true);
    await endDaemon(at.place);
  });

  test("SNAPHOOK_DAEMON=off asks Node although one runs", async () => {
    const at = home();
    writeFiles(at.cwd, guard("exit 2"));
    await startDaemon(at);
    expect((await hook(at, FIRE, { stdin: CALL, env: { SNAPHOOK_DAEMON: "off" } })).code).toBe(2);
    expect((await hook(at, FIRE, { stdin: CALL })).code).toBe(2);
    expect((await tallyAfter(at, ({ served }) => served > 0)).served).toBe(1);
  });
});

test("an answer that can't be printed is no allow", async () => {
  const at = home();
  writeFiles(at.cwd, guard("true"));
  await startDaemon(at);
  const run = await shell(at, `hook ${FIRE.join(" ")} >/dev/full`, { stdin: CALL });
  expect([run.code, run.stderr.split("\n").at(-2)]).toEqual([2, "snaphook-hook: the daemon's answer could not be printed"]);
});
