/** Whom the daemon does not serve, and whom the client does not believe. Each of them gets Node's answer, or none that allows. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { currentFolder } from "../../src/daemon/place.ts";
import { snaphook } from "../support/cli.ts";
import { needs } from "../support/needs.ts";
import { ROOT } from "../support/places.ts";
import { until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";
import { CALL, FIRE, guard, home, hook, isRunning, shell, startDaemon, tallyAfter, type Home } from "./support.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** A guarded project in which a fake daemon lets everything pass, if the client believes it. */
function guarded(): Home {
  const at = home();
  writeFiles(at.cwd, guard("echo no >&2; exit 2"));
  return at;
}

/** Does what a daemon does, without knowing anyone: answers that all is well, by every way there is. */
const IMPOSTOR = `
const { openSync, writeSync, closeSync, constants, appendFileSync } = require("node:fs");
const { Socket } = require("node:net");
const [folder, log] = process.argv.slice(1);
const held = Array.from({ length: 64 }, (_, slot) => openSync(folder + "/" + slot, constants.O_RDWR | constants.O_NONBLOCK));
const control = new Socket({ fd: openSync(folder + "/ctl", constants.O_RDWR | constants.O_NONBLOCK), readable: true, writable: false });
const ANSWER = 'out\\n{"verdict":"allow"}\\nend 0\\n';
control.setEncoding("latin1").on("data", (text) => {
  const [slot, pid] = text.split(" ").map(Number);
  try {
    writeSync(openSync("/proc/" + pid + "/fd/3", constants.O_WRONLY), ANSWER);
    appendFileSync(log, "written\\n");
  } catch (error) {
    appendFileSync(log, error.code + "\\n");
  }
  writeSync(held[slot], ANSWER);
  closeSync(held[slot]);
});
appendFileSync(log, "ready\\n");
`;

async function impostor(place: string, { uid }: { readonly uid: number }): Promise<string> {
  const folder = join(place, "d-other");
  const log = join(tempFolder(), "log");
  mkdirSync(folder, { recursive: true });
  writeFileSync(log, "");
  chmodSync(join(log, ".."), 0o777);
  chmodSync(log, 0o666);
  spawnSync("mkfifo", ["-m", "666", ...["ctl", ...Array.from({ length: 64 }, (_, slot) => String(slot))].map((name) => join(folder, name))]);
  chmodSync(folder, 0o777);
  writeFileSync(join(place, "current"), "d-other\n");
  chmodSync(join(place, ".."), 0o755);
  const child = spawn(process.execPath, ["-e", IMPOSTOR, folder, log], { uid, stdio: "ignore", cwd: "/" });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await until(() => readFileSync(log, "utf8").startsWith("ready"), 10_000)).toBe(true);
  return log;
}

describe.skipIf(!isRoot)("a place that another user can reach", () => {
  test("a folder that others may write: who answers there can't write into the client's pipe", async () => {
    const at = guarded();
    mkdirSync(at.place);
    chmodSync(at.place, 0o777);
    const log = await impostor(at.place, { uid: NOBODY });
    const { code, stdout } = await hook(at, FIRE, { stdin: CALL });
    expect([code, JSON.parse(stdout).reason]).toEqual([2, "no"]);
    expect(readFileSync(log, "utf8")).toMatch(/^ready\n(E(ACCES|PERM)\n)+$/);
  });

  test("the folder of another user is not looked into", async () => {
    const at = guarded();
    mkdirSync(at.place);
    chmodSync(at.place, 0o777);
    const log = await impostor(at.place, { uid: NOBODY });
    chownSync(at.place, NOBODY, NOBODY);
    expect((await hook(at, FIRE, { stdin: CALL })).code).toBe(2);
    expect(readFileSync(log, "utf8")).toBe("ready\n");
  });

  test("the impostor of these tests would be believed, had it the user's own rights", async () => {
    const at = guarded();
    mkdirSync(at.place);
    await impostor(at.place, { uid: 0 });
    expect(await hook(at, FIRE, { stdin: CALL })).toMatchObject({ code: 0, stdout: '{"verdict":"allow"}\n' });
  });

  test.each([
    ["of another user", (place: string) => chownSync(place, NOBODY, NOBODY), "belongs to another user"],
    ["that others may write", (place: string) => chmodSync(place, 0o777), "is open to others"],
    ["that others may read", (place: string) => chmodSync(place, 0o755), "is open to others"],
  ])("no daemon starts in a folder %s", async (_, spoil, message) => {
    const at = home();
    mkdirSync(at.place, { mode: 0o700 });
    spoil(at.place);
    const { code, stderr } = await snaphook(["daemon", "start"], { env: at.env });
    expect([code, stderr.includes(message)]).toEqual([1, true]);
  });

  test("a daemon whose folder was opened to others serves nobody, and leaves", async () => {
    const at = guarded();
    const { pid } = await startDaemon(at);
    chmodSync(at.place, 0o770);
    expect((await hook(at, FIRE, { stdin: CALL })).code).toBe(2);
    expect(await until(() => !isRunning(pid), 15_000)).toBe(true);
  });
});

describe("a place that is a link", () => {
  test("no daemon starts there, and no client asks there", async () => {
    const at = guarded();
    const elsewhere = home();
    await startDaemon(elsewhere);
    symlinkSync(elsewhere.place, at.place);
    const { code, stderr } = await snaphook(["daemon", "start"], { env: at.env });
    expect([code, stderr]).toEqual([1, `snaphook: ${at.place} is a link; it must be a folder\n`]);
    expect((await hook(at, FIRE, { stdin: CALL })).code).toBe(2);
    expect((await hook(elsewhere, FIRE, { cwd: at.cwd, stdin: CALL })).code).toBe(2);
    expect(await tallyAfter(elsewhere, ({ served }) => served > 0)).toMatchObject({ served: 1, unserved: {} });
  });
});

describe("what stands in the place and is no daemon", () => {
  test.each([
    ["an empty name", (at: Home) => writeFileSync(join(at.place, "current"), "")],
    ["a name that leads elsewhere", (at: Home) => writeFileSync(join(at.place, "current"), "d-x/../../..\n")],
    ["a folder that is gone", (at: Home) => writeFileSync(join(at.place, "current"), "d-gone\n")],
    [
      "pipes that nobody holds",
      (at: Home) => {
        mkdirSync(join(at.place, "d-dead"));
        spawnSync("mkfifo", ["ctl", ...Array.from({ length: 64 }, (_, slot) => String(slot))], { cwd: join(at.place, "d-dead") });
        writeFileSync(join(at.place, "current"), "d-dead\n");
      },
    ],
    [
      "one pipe, and no slots",
      (at: Home) => {
        mkdirSync(join(at.place, "d-dead"));
        spawnSync("mkfifo", ["ctl"], { cwd: join(at.place, "d-dead") });
        writeFileSync(join(at.place, "current"), "d-dead\n");
      },
    ],
    [
      "slots that are all taken",
      (at: Home) => {
        mkdirSync(join(at.place, "d-dead"));
        spawnSync("mkfifo", ["ctl"], { cwd: join(at.place, "d-dead") });
        for (let slot = 0; slot < 64; slot++) writeFileSync(join(at.place, "d-dead", `${slot}.in`), "");
        writeFileSync(join(at.place, "current"), "d-dead\n");
      },
    ],
  ])("%s: Node answers", async (_, make) => {
    const at = guarded();
    mkdirSync(at.place, { mode: 0o700 });
    make(at);
    const { code, stdout, stderr } = await hook(at, FIRE, { stdin: CALL });
    expect([code, JSON.parse(stdout).reason, stderr]).toEqual([2, "no", ""]);
  });
});

describe("a client that is not like the daemon goes to Node", () => {
  /** Runs the call, sees the denial, and returns why the daemon did not serve it. */
  const refusal = async (at: Home, call: () => Promise<{ code: number | null }>): Promise<readonly string[]> => {
    expect((await call()).code).toBe(2);
    const { served, unserved } = await tallyAfter(at, (tally) => Object.keys(tally.unserved).length > 0);
    expect(served).toBe(0);
    return Object.keys(unserved);
  };

  test.each<[string, { [name: string]: string }, string]>([
    ["NODE_OPTIONS", { NODE_OPTIONS: "--no-warnings" }, "NODE_OPTIONS is not what the daemon was started with"],
    ["TZ", { TZ: "Asia/Tokyo" }, "TZ is not what the daemon was started with"],
    ["a folder for short-lived files that is not absolute", { TMPDIR: "." }, ". is another file for each process"],
    ["a home that is not absolute", { HOME: "home" }, "home is another file for each process"],
  ])("another %s", async (_, env, reason) => {
    const at = guarded();
    await startDaemon(at);
    expect(await refusal(at, async () => hook(at, FIRE, { stdin: CALL, env }))).toEqual([reason]);
  });

  test("another umask", async () => {
    const at = home();
    writeFiles(at.cwd, guard("touch made; exit 2"));
    await startDaemon(at);
    expect(await refusal(at, async () => shell(at, `umask 077; hook ${FIRE.join(" ")}`, { stdin: CALL }))).toEqual(["the client's Umask is not the daemon's"]);
    expect(statSync(join(at.cwd, "made")).mode & 0o777).toBe(0o600);
  });

  test.skipIf(needs("setpriv"))("fewer rights: the daemon lends it none", async () => {
    const at = guarded();
    await startDaemon(at);
    expect(
      await refusal(at, async () =>
        shell(at, `setpriv --no-new-privs "$0" -c 'exec "$@"' sh "$CLIENT" ${FIRE.join(" ")}`, {
          stdin: CALL,
          env: { CLIENT: join(ROOT, "bin/snaphook-hook") },
        }),
      ),
    ).toEqual(["the client's NoNewPrivs is not the daemon's"]);
  });

  test.skipIf(needs("bwrap"))("another view of files or processes: a sandbox keeps its walls", async () => {
    const at = guarded();
    await startDaemon(at);
    const line = `bwrap --dev-bind / / --unshare-pid --proc /proc "${join(ROOT, "bin/snaphook-hook")}" ${FIRE.join(" ")}`;
    expect((await refusal(at, async () => shell(at, line, { stdin: CALL }))).length).toBe(1);
  });

  test("another Node", async () => {
    const at = guarded();
    writeFiles(at.cwd, { "bin/node": `#!/bin/sh\nexec "${process.execPath}" "$@"\n` });
    await startDaemon(at);
    const env = { PATH: `${join(at.cwd, "bin")}:${at.env["PATH"]}` };
    expect(await refusal(at, async () => hook(at, FIRE, { stdin: CALL, env }))).toEqual(["the client's node is another"]);
  });

  test("another installation, and one that has changed since", async () => {
    const at = guarded();
    const copy = tempFolder();
    for (const name of ["bin", "dist", "package.json"]) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    const client = join(copy, "bin/snaphook-hook");
    const { pid } = await startDaemon(at);
    expect(await refusal(at, async () => hook(at, FIRE, { stdin: CALL, client }))).toEqual(["the client comes from another installation"]);
    const started = spawnSync(process.execPath, [join(copy, "bin/snaphook.js"), "daemon", "start", "--json"], { env: at.env, encoding: "utf8" });
    expect(JSON.parse(started.stdout)).toMatchObject({ started: true, script: client });
    expect(await until(() => !isRunning(pid), 15_000)).toBe(true);
    expect((await hook(at, FIRE, { stdin: CALL, client })).code).toBe(2);
    expect((await tallyAfter(at, ({ served }) => served === 1)).served).toBe(1);
    copyFileSync(join(copy, "package.json"), join(copy, "new"));
    renameSync(join(copy, "new"), join(copy, "package.json"));
    expect((await hook(at, FIRE, { stdin: CALL, client })).code).toBe(2);
    expect(await until(() => !existsSync(join(at.place, "current")), 15_000)).toBe(true);
  });

  test.each([
    ["--callbacks", ["--callbacks", "cb.mjs"]],
    ["a function that a file names", []],
  ])("functions of the user's, by %s", async (_, more) => {
    const at = home();
    const module = 'export const no = () => ({ decision: "deny", reason: "no" });\n';
    writeFiles(at.cwd, {
      "s.json": { hooks: { "tool.before": [{ type: "callback", callback: "no" }] } },
      "cb.mjs": module,
      "callbacks.mjs": module,
    });
    await startDaemon(at);
    const args = ["fire", "tool.before", "--dialect", "snaphook", "--config", "s.json", ...more];
    const cold = await snaphook(args, { cwd: at.cwd, env: at.env, stdin: CALL });
    expect((await hook(at, args, { stdin: CALL })).code).toBe(cold.code);
    const { served, unserved } = await tallyAfter(at, (tally) => Object.keys(tally.unserved).length > 0);
    expect([served, Object.keys(unserved)]).toEqual([0, [expect.stringContaining("process of")]]);
  });

  test.each([
    ["a file of the process", "--config /dev/stdin", ""],
    ["a file behind a link to one", "--config link.json", "ln -s /dev/fd/9 link.json;"],
    ["an event's folder that is not absolute", "--config .lime/settings.json", ""],
  ])("%s", async (says, config, before) => {
    const at = guarded();
    await startDaemon(at);
    const stdin = says.startsWith("an event") ? { ...CALL, cwd: "." } : CALL;
    const words = `fire tool.before --dialect lime ${config} 9<.lime/settings.json`;
    await shell(at, `${before} hook ${words}`, { stdin });
    const { served, unserved } = await tallyAfter(at, (tally) => Object.keys(tally.unserved).length > 0);
    expect([served, Object.keys(unserved)]).toEqual([0, [expect.stringContaining("is another file for each process")]]);
  });
});

test("an event that was taken from a pipe before the daemon saw that it can't serve it: Node has the whole of it", async () => {
  const at = home();
  writeFiles(at.cwd, guard("cat >seen; exit 2"));
  await startDaemon(at);
  const event = { ...CALL, cwd: ".", tool: { name: "Bash", input: { command: "x".repeat(200_000) } } };
  writeFileSync(join(at.cwd, "event.json"), JSON.stringify(event));
  expect((await shell(at, `cat event.json | hook ${FIRE.join(" ")}`)).code).toBe(2);
  expect(JSON.parse(readFileSync(join(at.cwd, "seen"), "utf8")).tool_input).toEqual(event.tool.input);
  const { served, unserved } = await tallyAfter(at, (tally) => Object.keys(tally.unserved).length > 0);
  expect([served, Object.keys(unserved)]).toEqual([0, [expect.stringContaining("is another file for each process")]]);
});

test("what is announced by anyone else is of no consequence", async () => {
  const at = guarded();
  const { pid } = await startDaemon(at);
  const folder = currentFolder(at.place) ?? "";
  for (const line of [`0 ${process.pid} 0`, `0 ${pid} 0`, "0 999999999 0", "64 1 0", "-1 1 0", "x y z", "", "0 1", "1e9 1 1"]) {
    writeFileSync(join(folder, "ctl"), `${line}\n`);
  }
  expect((await hook(at, FIRE, { stdin: CALL })).code).toBe(2);
  expect((await tallyAfter(at, ({ served }) => served === 1)).served).toBe(1);
  expect(isRunning(pid)).toBe(true);
});
