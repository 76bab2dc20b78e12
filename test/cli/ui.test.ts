/** `snaphook ui` as it is started. */
import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
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
