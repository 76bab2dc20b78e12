/** `snaphook ui` as it is started. */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { main } from "../../src/cli/main.ts";
import { BIN, ROOT } from "../support/places.ts";
import { snaphook } from "../support/cli.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

interface Started {
  readonly stdout: () => Promise<string>;
  readonly ended: Promise<number | null>;
  end(): void;
}

function start(args: readonly string[], env: { readonly [name: string]: string } = {}): Started {
  const cwd = tempFolder();
  const child = spawn(process.execPath, [BIN, "ui", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const line = new Promise<string>((resolve) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text);
    });
  });
  return { stdout: async () => line, ended: new Promise((resolve) => void child.on("close", resolve)), end: () => void child.kill("SIGTERM") };
}

test("it prints the address with a secret behind the #, serves the page there, and ends when it is told to", async () => {
  const ui = start([]);
  const address = (await ui.stdout()).trim();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
  const page = await fetch(address);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="app">')]);
  ui.end();
  await ui.ended;
  await expect(fetch(address)).rejects.toThrow();
});

describe("a browser", () => {
  /** The command in a place with these variables, where `xdg-open` writes down what it was given. */
  async function opened(args: readonly string[], { env, isTerminal }: { env: { readonly [name: string]: string }; isTerminal: boolean }): Promise<string> {
    const folder = tempFolder();
    const note = join(folder, "opened");
    writeFiles(folder, { "bin/xdg-open": `#!/bin/sh\nprintf '%s\\n' "$@" > ${note}.new && mv ${note}.new ${note}\n` });
    chmodSync(join(folder, "bin/xdg-open"), 0o755);
    const stop = new AbortController();
    let out = "";
    const ended = main(["ui", ...args], {
      env: { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, HOME: folder, ...env },
      cwd: folder,
      stdin: async () => "",
      stdout: (text) => void (out += text),
      stderr: () => {},
      terminal: { isTerminal, columns: 80, colour: false },
      signal: stop.signal,
      onInterrupt: () => {},
      lines: async function* () {},
      stdinIsTerminal: false,
    });
    await vi.waitUntil(() => out.endsWith("\n"), { timeout: 20_000 });
    const isExpected = env["DISPLAY"] !== undefined && env["PATH"] === undefined && isTerminal && !args.includes("--no-open");
    if (isExpected) await vi.waitUntil(() => existsSync(note), { timeout: 20_000 });
    stop.abort();
    expect(await ended).toBe(0);
    const given = existsSync(note) ? readFileSync(note, "utf8") : "nothing";
    // What a program is given can be read by every user of the machine: the token is not in it.
    expect(given.replace(/#once=[\w-]{43}\n$/, "")).toBe(isExpected ? out.replace(/#.*\n$/, "") : "nothing");
    return out;
  }

  test.each([
    ["is opened on a desktop", [], { env: { DISPLAY: ":0" }, isTerminal: true }],
    ["is not opened where there is no desktop", [], { env: {}, isTerminal: true }],
    ["is not opened for a program that reads the address", [], { env: { DISPLAY: ":0" }, isTerminal: false }],
    ["that nobody can open costs nothing", [], { env: { DISPLAY: ":0", PATH: "/nowhere" }, isTerminal: true }],
    ["is not opened when that is not wanted", ["--no-open"], { env: { DISPLAY: ":0" }, isTerminal: true }],
  ])("%s; the address is printed", { timeout: 60_000 }, async (_, args, place) => {
    expect(await opened(args, place)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/);
  });
});

test("--json says address, port and process; each start has another secret", async () => {
  const [first, second] = [start(["--json"]), start(["--json"])];
  const said: { address: string; port: number; pid: number }[] = [JSON.parse(await first.stdout()), JSON.parse(await second.stdout())];
  expect(said[0]).toEqual({ address: expect.stringContaining(`127.0.0.1:${said[0]?.port}/#token=`), port: expect.any(Number), pid: expect.any(Number) });
  expect(new Set(said.map(({ address }) => new URL(address).hash)).size).toBe(2);
});

test("a wrong port is named", async () => {
  expect(await snaphook(["ui", "--port", "99999"])).toMatchObject({ code: 64, stderr: expect.stringContaining('--port "99999" is not a port') });
});

test("without the built page it says what to do", async () => {
  const folder = tempFolder();
  for (const part of ["bin", "dist/cli", "package.json"]) if (existsSync(join(ROOT, part))) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  writeFiles(folder, { "node_modules/.keep": "" });
  const child = spawn(process.execPath, [join(folder, "bin/snaphook.js"), "ui"], { cwd: folder, env: { PATH: process.env["PATH"] ?? "", HOME: folder } });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise((resolve) => void child.on("close", resolve));
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining("npm run build")]);
});

test("the package brings the page along", () => {
  const { files }: { files: readonly string[] } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(files).toContain("dist");
  expect(existsSync(join(ROOT, "dist/ui/index.html"))).toBe(true);
});
