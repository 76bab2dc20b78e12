/** The page in a browser, with real sessions: watched, answered, searched, lost and found again. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { PATIENCE_MS, Stage, bash, rows, rowSays, startBrowser, view } from "./support/stage.ts";

const HOOKS = {
  ".snaphook/hooks.yaml": `hooks:
  tool.before:
    - command: ./rewrite.sh
    - command: ./guard.sh
  prompt.submit:
    - command: echo The branch is main.
`,
  "rewrite.sh": `#!/bin/sh
case $(cat) in *"npm clean"*) echo '{"input": {"command": "echo run clean"}}' ;; esac
`,
  "guard.sh": `#!/bin/sh
case $(cat) in *"rm -rf"*) echo "rm -rf is blocked by a hook" >&2; exit 2 ;; esac
`,
};

/** A session that asks nobody: it is on record all the same. */
const UNWATCHED = { env: { SNAPHOOK_DESK: "off" } };

describe.skipIf(needs("chromium"))("the page", { timeout: 3 * PATIENCE_MS }, () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await startBrowser()), 2 * PATIENCE_MS);
  afterAll(async () => browser?.close());

  test("a live session appears with its turns, calls, hooks and the whole story of each", async () => {
    const stage = await Stage.open(browser, HOOKS);
    const { page, misdeeds } = await stage.look();
    await page.getByText("No session yet.").waitFor();
    const session = stage.run([bash("rm -rf build"), bash("npm clean"), { text: "All done." }], { prompt: "clean up the build folder" });
    await rowSays(page, /prompt\s*clean up the build folder/);
    await rowSays(page, /Bash\s*rm -rf build\s*deny/);
    await rows(page).filter({ hasText: "rm -rf build" }).click();
    const story = page.getByRole("article", { name: "Details" });
    await story.getByText("rm -rf is blocked by a hook").first().waitFor();
    expect(await story.innerText()).toContain("stderr of ./guard.sh");
    expect(await story.innerText()).toMatch(/hooks\.yaml:4/);
    // The rewritten call asks: it is answered here, and the session goes on.
    await rowSays(page, "echo run clean");
    await view(page, "Approvals");
    await page.getByRole("button", { name: "Allow once" }).click();
    expect(await session.ended).toBe(0);
    await view(page, "Timeline");
    await rowSays(page, "session ended");
    await rows(page).filter({ hasText: "echo run clean" }).click();
    const diff = page.getByLabel("Rewritten input");
    await diff.waitFor();
    expect((await diff.innerText()).split("\n")).toEqual(expect.arrayContaining(['-   "command": "npm clean"', '+   "command": "echo run clean"']));
    expect(await story.innerText()).toContain("allow by page");
    await rows(page).filter({ hasText: "clean up the build folder" }).click();
    await story.getByText("The branch is main.").first().waitFor();
    expect(session.of("approval")).toMatchObject([{ answer: "allow", by: "page" }]);
    expect(misdeeds).toEqual([]);
  });

  test("a rule made in the dialog holds for the next call; a denial carries its reason; a second window agrees", async () => {
    const stage = await Stage.open(browser);
    const { page } = await stage.look();
    const { page: second } = await stage.look();
    await view(page, "Approvals");
    await view(second, "Approvals");
    const session = stage.run([bash("touch one.txt"), bash("touch two.txt"), bash("mkdir three"), { text: "done" }]);
    const request = page.getByRole("article", { name: /Request: Bash touch one/ });
    await request.waitFor();
    await second.getByRole("article", { name: /Request: Bash touch one/ }).waitFor();
    await request.getByText("Allow with a rule").click();
    const rule = request.getByRole("textbox", { name: "Rule" });
    await rule.fill("Bash(touch");
    await request.locator(".problem").waitFor();
    await rule.fill("Bash(touch *)");
    await request.getByText(/it would allow 1/).waitFor();
    await request.getByRole("button", { name: /this rule for the session/ }).click();
    // The second call is not asked: the next request is the third one.
    await page.getByRole("article", { name: /Request: Bash mkdir/ }).waitFor();
    await second.getByText("allow by page with Bash(touch *)").waitFor();
    await page.getByRole("textbox", { name: "Tell the agent why" }).fill("not today");
    await page.getByRole("button", { name: "Deny" }).click();
    await second.getByText("deny by page").waitFor();
    expect(await session.ended).toBe(0);
    expect(session.of("approval")).toMatchObject([
      { answer: "allow", rule: "Bash(touch *)", input: { command: "touch one.txt" } },
      { answer: "deny", text: "not today", input: { command: "mkdir three" } },
    ]);
    expect(JSON.stringify(session.of("tool.result"))).toContain("not today");
  });

  test("a question that nobody answers says so, and the keyboard answers the next one", async () => {
    const stage = await Stage.open(browser);
    const { page } = await stage.look();
    await page.keyboard.press("2");
    await page.getByRole("heading", { name: "Waiting" }).waitFor();
    const late = stage.run([bash("touch late"), { text: "done" }], { env: { SNAPHOOK_ASK_MINUTES: "0.02" } });
    expect(await late.ended).toBe(0);
    await page.getByText("nobody answered").waitFor();
    expect(late.of("approval")).toMatchObject([{ answer: "none" }]);
    const session = stage.run([bash("touch keyed"), bash("touch again"), { text: "done" }]);
    await page.getByRole("article", { name: /touch keyed/ }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByRole("article", { name: /touch again/ }).waitFor();
    await expect.poll(async () => page.locator(":focus").evaluate(({ tagName }) => tagName), { timeout: PATIENCE_MS }).toMatch(/ARTICLE|H2/);
    await page.keyboard.press("j");
    await page.keyboard.press("d");
    expect(await session.ended).toBe(0);
    expect(session.of("approval")).toMatchObject([{ answer: "allow" }, { answer: "deny" }]);
    await page.keyboard.press("1");
    await rowSays(page, "session ended");
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await page.getByRole("article", { name: "Details" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(async () => page.locator(":focus").evaluate(({ tagName }) => tagName), { timeout: PATIENCE_MS }).toBe("H2");
    await page.keyboard.press("Escape");
    await page.getByRole("article", { name: "Details" }).waitFor({ state: "detached" });
    expect(await page.locator(":focus").getAttribute("role")).toBe("listbox");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
  });

  test("a lost connection loses nothing: the page offline, and the server away", async () => {
    const stage = await Stage.open(browser);
    const { page } = await stage.look();
    const session = stage.run([bash("touch one"), bash("touch two"), { text: "The end." }]);
    await view(page, "Approvals");
    await page.getByRole("article", { name: /touch one/ }).waitFor();
    const { page: second } = await stage.look();
    await page.context().setOffline(true);
    await view(second, "Approvals");
    await second.getByRole("button", { name: "Allow once" }).click();
    await second.getByRole("article", { name: /touch two/ }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("article", { name: /touch two/ }).waitFor();
    await page.getByText("allow by page").waitFor();
    // Another server on the same port: its numbers are others, and the page begins anew.
    const { port } = stage.server;
    await page.getByRole("button", { name: "Allow once" }).click();
    expect(await session.ended).toBe(0);
    await stage.server.close();
    await page.getByRole("status").filter({ hasText: /lost/ }).waitFor();
    const unseen = stage.run([{ text: "Said while nobody looked." }], { prompt: "alone" });
    expect(await unseen.ended).toBe(0);
    await stage.serve(port);
    await page.getByText("live", { exact: true }).waitFor();
    await view(page, "Timeline");
    await rowSays(page, "Said while nobody looked.");
    await page.getByRole("complementary", { name: "Sessions" }).getByRole("button").nth(1).click();
    for (const text of ["touch one", "touch two", "The end.", "session ended"]) await rowSays(page, text);
    const keys = await rows(page).filter({ hasText: "touch" }).count();
    expect(keys).toBe(2);
  });

  test("search finds by words, verdict and tool; charts, hooks and export are there", async () => {
    const stage = await Stage.open(browser, HOOKS);
    expect(await stage.run([bash("rm -rf build"), bash("ls -la"), { text: "done" }], UNWATCHED).ended).toBe(0);
    const { page, misdeeds } = await stage.look();
    await view(page, "Search");
    const found = page.getByRole("region", { name: "Search" });
    await found.getByText(/\d+ records of 1 session/).waitFor();
    await page
      .getByRole("img", { name: /Decisions over time: .* 1 deny/ })
      .locator("canvas")
      .waitFor();
    await page
      .getByRole("img", { name: /Hook latency over time/ })
      .locator("canvas")
      .waitFor();
    await page.getByRole("table", { name: "Slowest hooks" }).getByText("./guard.sh").waitFor();
    await page.getByRole("searchbox", { name: "Words" }).fill("build");
    await page.getByRole("combobox", { name: "Verdict" }).selectOption("deny");
    await page.getByRole("searchbox", { name: "Words" }).press("Enter");
    await found.getByText(/^1 record of 1 session/).waitFor();
    await rows(page).filter({ hasText: "rm -rf build" }).click();
    const record = page.getByRole("article", { name: "Record" });
    await record.getByText("rm -rf is blocked by a hook").first().waitFor();
    expect(await record.innerText()).toMatch(/snaphook why [0-9a-f-]{36}/);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export CSV" }).click()]);
    expect(download.suggestedFilename()).toBe("snaphook-audit.csv");
    await page.getByRole("searchbox", { name: "Words" }).fill("nothingofthekind");
    await page.getByRole("button", { name: "Search", exact: true }).last().click();
    await page.getByText("Nothing was found.").waitFor();
    expect(misdeeds).toEqual([]);
  });

  test("the editor offers what the schema of the dialect knows, and takes what is chosen", async () => {
    const stage = await Stage.open(browser);
    const { page, misdeeds } = await stage.look();
    await view(page, "Playground");
    const editor = page.getByRole("textbox", { name: "Settings" });
    const offers = page.getByRole("listbox", { name: "Completions" }).getByRole("option");
    const write = async (text: string): Promise<void> => {
      await editor.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.press("Delete");
      await page.keyboard.type(text);
    };
    const says = async (text: string): Promise<void> => {
      await offers.first().waitFor({ state: "detached" });
      expect((await editor.innerText()).replaceAll("\n", "")).toBe(text);
    };
    await write('{"perm');
    await offers.filter({ hasText: "permissions" }).first().waitFor();
    expect(await offers.allInnerTexts()).toContain("permissions");
    // A list that has just appeared takes no key for 75 ms, so that nobody chooses by accident.
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
    await says('{"permissions"}');
    for (const [typed, word, text] of [
      ['{"permissions": {"den', "deny", '{"permissions": {"deny"}}'],
      ['{"hooks": {"tool.be', "tool.before", '{"hooks": {"tool.before"}}'],
      ['{"permissions": {"defaultMode": "pl', "plan", '{"permissions": {"defaultMode": "plan"}}'],
    ] as const) {
      await write(typed);
      await offers.filter({ hasText: word }).first().click();
      await says(text);
    }
    await page.getByRole("combobox", { name: "Dialect" }).selectOption("lime");
    await write('{"hooks": {"PreTool');
    await offers.filter({ hasText: "PreToolUse" }).first().waitFor();
    expect(await offers.allInnerTexts()).not.toContain("tool.before");
    expect(misdeeds).toEqual([]);
  });

  test("the playground explains while one types, two policies are compared, a hook is tried", async () => {
    const stage = await Stage.open(browser, HOOKS);
    expect(await stage.run([bash("git push origin main"), { text: "done" }], UNWATCHED).ended).toBe(0);
    const { page, misdeeds } = await stage.look();
    await view(page, "Playground");
    const verdict = page.getByRole("status", { name: "Verdict" });
    await verdict
      .getByText(/git push/)
      .first()
      .waitFor();
    await page.getByRole("textbox", { name: "Command" }).fill("git status && rm -rf build");
    await verdict.locator(".big .verdict").getByText("deny").waitFor();
    expect(await verdict.locator(".span.deny").innerText()).toBe("rm -rf build");
    const editor = page.getByRole("textbox", { name: "Settings" });
    await editor.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText('{"permissions": {"deny": ["Bash(git push:*)"], "x');
    await page.locator(".problems").waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText('{"permissions": {"deny": ["Bash(git push:*)"]}}');
    await page.getByRole("button", { name: "Compare with no rules" }).click();
    await page.getByText("1 of 1 recorded calls would have another verdict.").waitFor();
    await view(page, "Hooks");
    await page.getByText("Armed 3 of 3").waitFor();
    await page.getByRole("button", { name: /Test .\/guard.sh/ }).click();
    await page.getByRole("heading", { name: /tool.before:/ }).waitFor();
    expect(misdeeds).toEqual([]);
  });
});
