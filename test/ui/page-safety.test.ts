/** What the page must be whoever writes its texts: readable by everybody, small, quick with much, and deaf to scripts. */
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { ROOT } from "../support/places.ts";
import { layLines, layLog, layManyRecords, laySession } from "./support/scene.ts";
import { PATIENCE_MS, Stage, rows, rowSays, startBrowser, view } from "./support/stage.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = ["Timeline", "Approvals", "Search", "Playground", "Hooks"] as const;
/** Where pictures are written, when they are asked for. */
const IMAGES = process.env["SNAPHOOK_IMAGES"];

const HOOKS = {
  ".snaphook/hooks.yaml": `hooks:
  session.start:
    - command: ./scripts/branch.sh
  tool.before:
    - { command: ./scripts/guard.sh, matcher: Bash }
    - command: ./scripts/audit.py
permissions:
  allow: ["Bash(npm run *)"]
  deny: ["Read(.env)"]
`,
};

/** Waits until a view shows what it is for. */
const READY: { readonly [name in (typeof VIEWS)[number]]: (page: Page) => Promise<void> } = {
  Timeline: async (page) => {
    await rowSays(page, "npm run clean");
    await rows(page).filter({ hasText: "npm run clean" }).first().click();
    await page.getByRole("article", { name: "Details" }).waitFor();
  },
  Approvals: async (page) => {
    await page.getByText("Allow with a rule").click();
    await page.getByText(/recorded calls it would allow/).waitFor();
  },
  Search: async (page) => {
    await page
      .getByRole("img", { name: /Hook latency/ })
      .locator("canvas")
      .waitFor();
    await rows(page).first().waitFor();
  },
  Playground: async (page) => {
    await page.getByRole("textbox", { name: "Settings" }).waitFor();
    await page.getByRole("status", { name: "Verdict" }).locator(".big").waitFor();
  },
  Hooks: async (page) => page.getByText("Armed 3 of 3").waitFor(),
};

/** Every view in light colours, the story of a call in both. */
async function picture(page: Page, name: string, colorScheme: "light" | "dark"): Promise<void> {
  const file = name === "timeline" ? `story${colorScheme === "dark" ? "-dark" : ""}` : name;
  const isShown = colorScheme === "light" || name === "timeline";
  if (IMAGES !== undefined && isShown && name !== "keys") await page.screenshot({ path: join(IMAGES, `${file}.png`) });
}

/** Of a page that holds axe. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 160) + " " + failureSummary.replaceAll("\\n", " "))))`,
  );
  return Array.isArray(found) ? found.map(String) : ["axe said nothing"];
}

describe("the built page", () => {
  test("all its scripts together are below 250 kB, compressed", () => {
    const folder = join(ROOT, "dist/ui/assets");
    const sizes = readdirSync(folder).flatMap((name) => (name.endsWith(".js") ? [gzipSync(readFileSync(join(folder, name))).length] : []));
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });
});

describe.skipIf(needs("chromium"))("in a browser", { timeout: 10 * PATIENCE_MS }, () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await startBrowser()), 2 * PATIENCE_MS);
  afterAll(async () => browser?.close());

  test("no view has a serious accessibility fault, in light and in dark", async () => {
    const stage = await Stage.open(browser, HOOKS, ({ desk, auditDir }) => {
      laySession(desk);
      layLog(auditDir, 300);
    });
    const { page } = await stage.look();
    await page.evaluate(AXE);
    const faults: string[] = [];
    const check = async (name: string): Promise<void> => {
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        faults.push(...(await faultsOf(page)).map((fault) => `${name}, ${colorScheme}: ${fault}`));
        await picture(page, name.toLowerCase(), colorScheme);
      }
    };
    for (const name of VIEWS) {
      await view(page, name);
      await READY[name](page);
      await check(name);
    }
    await view(page, "Timeline");
    if (IMAGES !== undefined) await page.screenshot({ path: join(IMAGES, "timeline.png") });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await check("keys");
    expect(faults).toEqual([]);
  });

  test("on a phone's width nothing is cut off sideways, and a request can be answered", async () => {
    const stage = await Stage.open(browser, HOOKS, ({ desk, auditDir }) => {
      laySession(desk);
      layLog(auditDir, 50);
    });
    const { page } = await stage.look({ viewport: { width: 390, height: 800 }, hasTouch: true });
    for (const name of VIEWS) {
      await view(page, name);
      await READY[name](page);
      const width: unknown = await page.evaluate("Math.max(document.documentElement.scrollWidth, document.querySelector('main').scrollWidth)");
      expect([name, width]).toEqual([name, 390]);
      if (name === "Timeline") await page.getByRole("button", { name: "Close details" }).click();
    }
    await view(page, "Approvals");
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByText("allow by page").waitFor();
  });

  test("an address that is good once opens the page, a reload too, and a second window is told why not", async () => {
    const stage = await Stage.open(browser);
    const { page } = await stage.look();
    const address = stage.server.addressOnce();
    const { page: second } = await stage.look({}, address);
    expect(second.url()).not.toContain("once");
    await second.reload();
    await second.getByText("live", { exact: true }).waitFor();
    await page.evaluate("sessionStorage.clear()");
    await page.goto("about:blank");
    await page.goto(address);
    await page.getByText("no token, or one that was used before").waitFor();
  });

  test("a script, a sequence for terminals and a turned direction stay what they are: text", async () => {
    const evil = `<script>alert(1)</script><img src=x onerror="alert(2)"><svg onload=alert(3)>\u001B[31mred\u001B]8;;https://evil.example\u0007link\u202Egnp.exe\u2066"'\`{@html 1}javascript:alert(4)https://evil.example/x.png`;
    const stage = await Stage.open(browser, HOOKS, ({ desk, auditDir }) => {
      laySession(desk, (text) => `${text} ${evil}`);
      layLog(auditDir, 20, (text) => `${text} ${evil}`);
    });
    const { page, misdeeds } = await stage.look();
    await rowSays(page, "npm run clean");
    const count = await rows(page).count();
    for (let index = 0; index < count; index += 1) {
      await rows(page).nth(index).click();
      await page.getByRole("article", { name: "Details" }).waitFor();
      await inert(page);
    }
    await view(page, "Approvals");
    await page.getByText("Allow with a rule").click();
    await inert(page);
    await view(page, "Search");
    await rows(page).first().click();
    await page.getByRole("article", { name: "Record" }).waitFor();
    await page
      .getByRole("img", { name: /Hook latency/ })
      .locator("canvas")
      .waitFor();
    await inert(page);
    await view(page, "Playground");
    await page.getByRole("textbox", { name: "Command" }).fill(`ls ${evil}`);
    await page.getByRole("status", { name: "Verdict" }).getByText("alert(1)").first().waitFor();
    await inert(page);
    expect(misdeeds).toEqual([]);
  });

  /** Nothing of the text became an element, and no character of it is unseen. */
  async function inert(page: Page): Promise<void> {
    const found: unknown = await page.evaluate(
      `[document.querySelectorAll("main script, main img:not([role]), main svg, main iframe, main a[href]").length, /[\\u0000-\\u0008\\u001B\\u202A-\\u202E\\u2066-\\u2069]/.test(document.querySelector("main").innerText)]`,
    );
    expect(found).toEqual([0, false]);
  }

  test("100,000 lines: the newest first, only what is seen is in the page, and both ends are reached", async () => {
    const LINES = 100_000;
    const stage = await Stage.open(browser, {}, ({ desk }) => void layLines(desk, LINES));
    const { page, misdeeds } = await stage.look();
    await rowSays(page, `npm test ${LINES}.`);
    expect(await rows(page).count()).toBeLessThan(100);
    const list = page.getByRole("listbox");
    await list.focus();
    await page.keyboard.press("Home");
    await expect.poll(async () => list.evaluate((element) => Math.round(element.scrollHeight / 36)), { timeout: 3 * PATIENCE_MS }).toBe(LINES);
    await page.keyboard.press("Home");
    await rowSays(page, /npm test 1\./);
    await page.keyboard.press("End");
    await rowSays(page, `npm test ${LINES}.`);
    expect(await rows(page).count()).toBeLessThan(100);
    expect(misdeeds).toEqual([]);
  });

  test("100,000 records are indexed beside the server: who searches is told how far it is, sessions are followed meanwhile, and both ends are reached", async () => {
    let tell: ReturnType<typeof layLines> = () => {};
    const stage = await Stage.open(browser, {}, ({ desk, auditDir }) => {
      layManyRecords(auditDir, 100_000);
      tell = layLines(desk, 1);
    });
    const [{ page, misdeeds }, { page: second }] = [await stage.look(), await stage.look()];
    await view(page, "Search");
    const indexing = page.getByText(/indexing the log: \d+ %/);
    await indexing.waitFor({ timeout: 3 * PATIENCE_MS });
    tell({ type: "notice", message: "said while it is indexed" });
    await rowSays(second, "said while it is indexed");
    expect(await indexing.isVisible()).toBe(true);
    await page.getByText("100,000 records of 10 sessions").waitFor({ timeout: 6 * PATIENCE_MS });
    await page.getByRole("listbox", { name: "Records" }).focus();
    await page.keyboard.press("End");
    await expect.poll(async () => rows(page).last().innerText(), { timeout: 3 * PATIENCE_MS }).toContain("npm test");
    await page.getByRole("searchbox", { name: "Words" }).fill("push");
    await page.getByRole("searchbox", { name: "Words" }).press("Enter");
    await page.getByText("12,500 records of 10 sessions").waitFor({ timeout: 3 * PATIENCE_MS });
    expect(misdeeds).toEqual([]);
  });
});
