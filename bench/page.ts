/** How quick the page is with much: `npm run bench:page`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { Feed } from "../src/desk/feed.ts";
import { PLACES, deskFolder } from "../src/desk/places.ts";
import { openUi } from "../src/ui/server.ts";
import { layLog } from "../test/ui/support/scene.ts";
import { ROOT } from "../test/support/places.ts";

const COUNT = 100_000;
const AT = "2026-11-14T09:00:00Z";
const WHEELS = 150;
/** A thousand events a minute. */
const EVENT_MS = 60;

const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-page-"));
const [desk, auditDir] = [deskFolder(folder), join(folder, "audit")];
const feed = new Feed(desk, { id: "long", pid: process.pid, cwd: "/home/ada/long", model: "script", mode: "default", startedAt: AT });
const hook = {
  name: "./guard.sh",
  dialect: "snaphook",
  type: "command",
  source: null,
  ended: "exited",
  exitCode: 0,
  signal: null,
  durationMs: 4,
  verdict: null,
  reason: null,
  fault: null,
};
const decision = {
  event: "tool.before",
  verdict: "allow",
  reason: null,
  input: { command: "npm test" },
  originalInput: { command: "npm test" },
  context: [],
  feedback: [],
  hooks: [hook, hook],
  notices: [],
};
const line = (seq: number): string => `${JSON.stringify({ seq, at: AT, line: { type: "event", agent: null, event: "tool.before", decision } })}\n`;
writeFileSync(PLACES.lines(feed.folder), Array.from({ length: COUNT }, (_, index) => line(index + 1)).join(""));
layLog(auditDir, COUNT);
const server = await openUi({
  desk,
  version: "0",
  cwd: folder,
  env: { HOME: folder },
  schemas: join(ROOT, "schema"),
  auditDir,
  token: "bench",
  port: 0,
  assets: join(ROOT, "dist/ui"),
});
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});

const FRAMES = `(() => { window.frames_ = []; let last = performance.now(); const next = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(next); }; requestAnimationFrame(next); })()`;
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(`http://127.0.0.1:${server.port}/icon.svg`);
  let started = performance.now();
  await page.goto(server.address);
  await page.getByRole("option").filter({ hasText: "npm test" }).first().waitFor();
  print("first view of a session of 100,000 lines", performance.now() - started);
  const writing = setInterval(() => feed.line({ type: "notice", agent: null, message: "one more" }, AT), EVENT_MS);
  await page.getByRole("listbox").hover();
  await page.evaluate(FRAMES);
  for (let index = 0; index < WHEELS; index += 1) await page.mouse.wheel(0, index % 3 === 2 ? 400 : -1_500);
  await report("scrolling while 1,000 events a minute come");
  await page.getByRole("listbox").focus();
  started = performance.now();
  await page.keyboard.press("Home");
  await page.waitForFunction(`document.querySelector("[role=listbox]").scrollHeight >= ${COUNT} * 36`);
  print("the whole of it, from its beginning", performance.now() - started);
  await page.evaluate("window.frames_.length = 0");
  for (let index = 0; index < WHEELS; index += 1) await page.mouse.wheel(0, index % 3 === 2 ? -3_000 : 20_000);
  await report("scrolling through all of it");
  clearInterval(writing);
  for (const time of ["first (the index is made)", "second"]) {
    await page.getByRole("button", { name: "Timeline" }).click();
    started = performance.now();
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByText(`${COUNT} records`).waitFor({ timeout: 120_000 });
    print(`search over 100,000 records, ${time}`, performance.now() - started);
    await page
      .getByRole("img", { name: /Hook latency/ })
      .locator("canvas")
      .waitFor({ timeout: 120_000 });
    print(`its charts, ${time}`, performance.now() - started);
  }

  async function report(what: string): Promise<void> {
    const frames: number[] = await page.evaluate("window.frames_");
    const sorted = frames.toSorted((left, right) => left - right);
    print(`${what}: longest frame`, sorted.at(-1) ?? 0);
    print(`${what}: 99 % of ${frames.length} frames within`, sorted[Math.floor(sorted.length * 0.99)] ?? 0);
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

function print(what: string, ms: number): void {
  console.log(`${what.padEnd(70)} ${ms.toFixed(0).padStart(7)} ms`);
}
