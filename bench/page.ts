/** How quick the page is with much: `npm run bench:page`. The server is the built `snaphook ui`, in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { deskFolder } from "../src/desk/places.ts";
import { layLines, layLog } from "../test/ui/support/scene.ts";
import { BIN } from "../test/support/places.ts";
import { watchFrames } from "./support/frames.ts";

const COUNT = 100_000;
const ROW_HEIGHT = 36;
const WHEELS = 150;
/** A thousand events a minute. */
const EVENT_MS = 60;
const PATIENCE_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-page-"));
const auditDir = join(folder, "audit");
const tell = layLines(deskFolder(join(folder, "state")), COUNT);
layLog(auditDir, COUNT);
const ui = spawn(process.execPath, [BIN, "ui", "--json", "--no-open"], {
  cwd: folder,
  env: { ...process.env, HOME: folder, XDG_STATE_HOME: join(folder, "state"), SNAPHOOK_AUDIT: auditDir },
  stdio: ["ignore", "pipe", "inherit"],
});
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});
try {
  const [said]: unknown[] = await once(ui.stdout, "data");
  const { address }: { address: string } = JSON.parse(String(said));
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(new URL("/icon.svg", address).href);
  let started = performance.now();
  await page.goto(address);
  await page.getByRole("option").filter({ hasText: "npm test" }).first().waitFor();
  print("first view of a session of 100,000 lines", performance.now() - started);
  const writing = setInterval(() => tell({ type: "notice", message: "one more" }), EVENT_MS);
  const list = page.getByRole("listbox");
  await list.hover();
  await report("scrolling while 1,000 events a minute come and the whole is read", async () => {
    for (let index = 0; index < WHEELS; index += 1) await page.mouse.wheel(0, index % 3 === 2 ? 400 : -1_500);
    await list.focus();
    await page.keyboard.press("Home");
    while ((await list.evaluate(({ scrollHeight }) => scrollHeight)) < COUNT * ROW_HEIGHT) await page.waitForTimeout(50);
  });
  await page.keyboard.press("Home");
  await list.getByText("npm test 1.").waitFor();
  // What Home selected is read beside the list: closed, the list has the room, and the mouse is over it.
  await page.keyboard.press("Escape");
  await list.hover();
  await report("scrolling through all of it while 1,000 events a minute come", async () => {
    for (let index = 0; index < WHEELS; index += 1) await page.mouse.wheel(0, index % 3 === 2 ? -3_000 : 20_000);
  });
  for (const time of ["first", "second"]) {
    await page.getByRole("button", { name: "Timeline" }).click();
    started = performance.now();
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByText(/100,?000 records/).waitFor({ timeout: PATIENCE_MS });
    print(`search over 100,000 records, ${time}`, performance.now() - started);
    const chart = page.getByRole("img", { name: /Hook latency/ }).locator("canvas");
    await chart.waitFor({ timeout: PATIENCE_MS });
    print(`its charts, ${time}`, performance.now() - started);
  }
  clearInterval(writing);

  async function report(what: string, work: () => Promise<void>): Promise<void> {
    const { ms, longestWorkMs } = await watchFrames(browser, page, work);
    const sorted = ms.toSorted((left, right) => left - right);
    console.log(`${what}:`);
    print("  longest frame", sorted.at(-1) ?? 0);
    print(`  99 % of ${ms.length} frames within`, sorted[Math.floor(sorted.length * 0.99)] ?? 0);
    print("  longest piece of work, processor time of the page's thread", longestWorkMs);
  }
} finally {
  await browser.close();
  const ended = ui.exitCode === null && ui.signalCode === null ? once(ui, "exit") : Promise.resolve();
  ui.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

function print(what: string, ms: number): void {
  console.log(`${what.padEnd(70)} ${ms.toFixed(0).padStart(7)} ms`);
}
