/** A page in a real browser, its server, and real sessions beside it. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { deskFolder } from "../../../src/desk/places.ts";
import { openUi, type UiServer } from "../../../src/ui/server.ts";
import { BIN, ROOT } from "../../support/places.ts";
import { tempFolder, writeFiles } from "../../support/temp.ts";

/** Nothing of the browser goes beyond this machine. */
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

/** How long something may take to appear: much longer than it takes. */
export const PATIENCE_MS = 30_000;

/** Starts the browser that Debian's package brings. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = spawnSync("sh", ["-c", "command -v chromium || command -v chromium-browser || command -v google-chrome"], {
    encoding: "utf8",
  }).stdout.trim();
  return chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE_MS });
}

/** A folder with a home, a server that shows its sessions, and pages that look at it. */
export class Stage {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly desk: string;
  readonly auditDir: string;
  readonly env: { readonly [name: string]: string };
  readonly #browser: Browser;
  #server: UiServer | null = null;

  private constructor(browser: Browser, folder: string) {
    this.#browser = browser;
    this.folder = folder;
    this.home = join(folder, "home");
    this.project = join(folder, "project");
    const state = join(this.home, ".local", "state");
    this.desk = deskFolder(state);
    this.auditDir = join(state, "snaphook", "audit");
    this.env = { PATH: process.env["PATH"] ?? "", HOME: this.home, TMPDIR: folder, LANG: "C.UTF-8" };
  }

  get server(): UiServer {
    if (!this.#server) throw new Error("the server is not open");
    return this.#server;
  }

  /** Opens the server over a project with these files. */
  static async open(browser: Browser, files: { readonly [path: string]: string | object } = {}, prepare: (stage: Stage) => void = () => {}): Promise<Stage> {
    const stage = new Stage(browser, process.env["SNAPHOOK_IMAGES"] === undefined ? tempFolder() : pictureFolder());
    writeFiles(stage.project, { "README.md": "# A project\n", ...files });
    writeFiles(stage.home, { ".keep": "" });
    prepare(stage);
    await stage.serve(0);
    onTestFinished(async () => stage.server.close());
    return stage;
  }

  /** Opens the server, again on the same port when it was closed. */
  async serve(port: number): Promise<void> {
    this.#server = await openUi({
      desk: this.desk,
      version: "0",
      cwd: this.project,
      env: { ...this.env, SNAPHOOK_TRUST: "all" },
      schemas: join(ROOT, "schema"),
      auditDir: this.auditDir,
      token: "a-token-of-the-test",
      port,
      assets: join(ROOT, "dist", "ui"),
    });
  }

  /** A page that looks at the server, with everything noted that it must not do. */
  async look(options: BrowserContextOptions = {}, address = this.server.address): Promise<{ readonly page: Page; readonly misdeeds: readonly string[] }> {
    const context = await this.#browser.newContext({ viewport: { width: 1200, height: 800 }, locale: "en-GB", timezoneId: "UTC", ...options });
    onTestFinished(async () => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const misdeeds: string[] = [];
    page.on("dialog", (dialog) => {
      misdeeds.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("pageerror", (error) => misdeeds.push(`error ${error.message}`));
    page.on("console", (message) => {
      if (/Content.Security.Policy|violates/i.test(message.text())) misdeeds.push(`policy ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(`http://127.0.0.1:${this.server.port}/`) && !/^(blob|data):/.test(request.url())) misdeeds.push(`request ${request.url()}`);
    });
    await page.goto(address);
    await page.getByText("live", { exact: true }).waitFor();
    return { page, misdeeds };
  }

  /** A real session of the command line. */
  run(turns: readonly object[], { prompt = "go", env = {} }: { readonly prompt?: string; readonly env?: { readonly [name: string]: string } } = {}): Running {
    writeFiles(this.project, { "model.json": { turns } });
    const child = spawn(process.execPath, [BIN, "run", "--json", "--trust", "--model", "script:model.json", "-p", prompt], {
      cwd: this.project,
      env: { ...this.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return new Running(child);
  }
}

/** A session that runs. */
export class Running {
  readonly lines: { readonly [key: string]: unknown }[] = [];
  readonly ended: Promise<number | null>;

  constructor(child: ChildProcess) {
    let rest = "";
    let errors = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.lines.push(JSON.parse(line));
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
    this.ended = new Promise((resolve) => {
      child.on("close", (code) => {
        if (code !== 0) process.stderr.write(errors);
        resolve(code);
      });
    });
  }

  of(type: string): readonly { readonly [key: string]: unknown }[] {
    return this.lines.filter((line) => line["type"] === type);
  }
}

/** A call of the shell, as a scripted model makes it. */
export function bash(command: string): object {
  return { toolCalls: [{ name: "Bash", input: { command } }] };
}

/** Pictures show paths: they are taken in a place of one name. */
function pictureFolder(): string {
  const folder = join(tmpdir(), "snaphook-pictures");
  mkdirSync(folder, { mode: 0o700 });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The rows of a list that are in sight; a choice in a form has options too. */
export function rows(page: Page): Locator {
  return page.getByRole("listbox").getByRole("option");
}

/** Waits until a row of the timeline says something. */
export async function rowSays(page: Page, text: string | RegExp): Promise<void> {
  await rows(page).filter({ hasText: text }).first().waitFor();
}

/** Opens a view by its tab. */
export async function view(page: Page, name: "Timeline" | "Approvals" | "Search" | "Playground" | "Hooks"): Promise<void> {
  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name }).click();
  await expect.poll(async () => page.getByRole("navigation", { name: "Views" }).getByRole("button", { name }).getAttribute("aria-current")).toBe("page");
}
