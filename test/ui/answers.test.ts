/** One question, several who may answer, each in a process of its own: the first answer counts, and the others are told whose it was. */
import { spawn } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { isObject, parseJson } from "../../src/lib/json.ts";
import { LineSplitter } from "../../src/lib/line-splitter.ts";
import { needs } from "../support/needs.ts";
import { BIN } from "../support/places.ts";
import { KEYS, Repl, terminal } from "../support/repl.ts";
import { writeFiles } from "../support/temp.ts";
import { PATIENCE_MS, Stage, bash, startBrowser, view } from "./support/stage.ts";

const TURNS = [bash("touch one"), bash("touch two"), { text: "All done." }];

type Message = { readonly [key: string]: unknown };

/** A client of `snaphook bridge`. */
class BridgeClient {
  readonly messages: Message[] = [];
  readonly #write: (text: string) => void;
  #asked = 0;

  constructor({ project, env }: Stage) {
    const child = spawn(process.execPath, [BIN, "bridge"], { cwd: project, env: { ...env, SNAPHOOK_TRUST: "all" }, stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines = new LineSplitter((line) => {
      const message = parseJson(line);
      if (isObject(message)) this.messages.push(message);
    });
    child.stdout.on("data", (chunk: Buffer) => lines.write(chunk));
    this.#write = (text) => void child.stdin.write(text);
  }

  send(message: object): void {
    this.#write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async ask(method: string, params: object): Promise<unknown> {
    const id = (this.#asked += 1);
    this.send({ id, method, params });
    return (await this.until((message) => message["id"] === id && "result" in message))["result"];
  }

  async until(fits: (message: Message) => boolean): Promise<Message> {
    return vi.waitUntil(() => this.messages.find(fits), { timeout: PATIENCE_MS });
  }
}

describe.skipIf(needs("chromium"))("the first answer counts", { timeout: 4 * PATIENCE_MS }, () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await startBrowser()), 2 * PATIENCE_MS);
  afterAll(async () => browser?.close());

  const request = (page: Page, command: string) => page.getByRole("article", { name: `Request: Bash ${command}` });

  /** What the page says of a question that was answered. */
  const outcome = (page: Page, command: string) => page.getByRole("row").filter({ hasText: command }).locator(".outcome");

  test("[S12] the page before the bridge, and the bridge before the page", async () => {
    const stage = await Stage.open(browser, { "model.json": { turns: TURNS } });
    const { page } = await stage.look();
    await view(page, "Approvals");
    const bridge = new BridgeClient(stage);
    const created = await bridge.ask("session.create", { model: "script:model.json", mode: "default" });
    const sessionId = isObject(created) ? created["sessionId"] : null;
    const turn = bridge.ask("session.prompt", { sessionId, prompt: "go" });
    const isAsked = (command: string) => (message: Message) => message["method"] === "approval.request" && JSON.stringify(message).includes(command);
    const { id: requestId } = await bridge.until(isAsked("touch one"));
    await request(page, "touch one").getByRole("button", { name: "Allow once" }).click();
    const told = await bridge.until(({ method }) => method === "approval.answered");
    expect(told["params"]).toEqual({ sessionId, requestId, tool: "Bash", answer: "allow", by: "page" });
    const second = await bridge.until(isAsked("touch two"));
    await request(page, "touch two").waitFor();
    bridge.send({ id: second["id"], result: { answer: "deny", text: "enough" } });
    await request(page, "touch two").waitFor({ state: "detached" });
    expect(await outcome(page, "touch two").innerText()).toBe("deny by bridge");
    expect(await outcome(page, "touch one").innerText()).toBe("allow by page");
    expect(await turn).toMatchObject({ reason: "stop", text: "All done." });
    expect(bridge.messages.filter(({ method }) => method === "approval.answered")).toHaveLength(1);
  });

  test.skipIf(!terminal && !process.env["CI"])("[S12] the page before the terminal, and the terminal before the page", async () => {
    const stage = await Stage.open(browser, {}, ({ folder }) => writeFiles(folder, { "model.json": { turns: TURNS } }));
    const { page } = await stage.look();
    await view(page, "Approvals");
    const repl = new Repl(stage.folder, {});
    await repl.prompt("make two files");
    await repl.sees("touch one");
    await request(page, "touch one").getByRole("button", { name: "Allow once" }).click();
    await repl.sees("by page");
    await request(page, "touch two").waitFor();
    await repl.sees("touch two");
    await repl.sees("no, and tell the agent why");
    repl.type("y");
    await request(page, "touch two").waitFor({ state: "detached" });
    expect(await outcome(page, "touch two").innerText()).toBe("allow by terminal");
    await repl.sees("All done.");
    await repl.ready();
    repl.type(KEYS.end);
    expect(await repl.exit()).toBe(0);
  });
});
