/** The addresses of http hooks, from settings files to the connection. */
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import type { Decision } from "../../src/model/decision.ts";
import { isObject } from "../../src/lib/json.ts";
import { run } from "../cli/surface.ts";
import { folderWith, type Files } from "./folder.ts";

const MANAGED = "root/etc/snaphook/settings.json";
const CLAUDE_MANAGED = "root/etc/claude-code/managed-settings.json";
const USER = "home/.config/snaphook/settings.json";
const PROJECT = ".snaphook/settings.json";
const LOCAL = ".snaphook/settings.local.json";
const json = (value: object): string => JSON.stringify(value);
const urls = (...allowedHttpHookUrls: readonly unknown[]): object => ({ allowedHttpHookUrls });
const hook = (url: string): object => ({ hooks: { "tool.before": [{ url }] } });

async function engineOf(files: Files): Promise<Engine> {
  const cwd = folderWith(files);
  const managed = { root: join(cwd, "root"), owner: process.geteuid?.() ?? 0 };
  const engine = await createEngine({ cwd, env: { HOME: join(cwd, "home"), PATH: process.env["PATH"] }, trust: true, managed });
  onTestFinished(async () => engine.close());
  return engine;
}

/** The lists that refuse each http hook, by the folder or file they stand in; null where it may be sent. */
const refusals = ({ configuration }: Engine): readonly (string | null)[] =>
  configuration.hooks.map(({ action }) => (action.type === "http" ? action.refused : "no http hook"));
const opened = ({ configuration }: Engine): readonly boolean[] => configuration.hooks.map(({ action }) => action.type === "http" && action.allowPrivate);

async function server(): Promise<{ readonly url: string; readonly calls: () => number }> {
  let calls = 0;
  const listening = createServer((_, response) => {
    calls += 1;
    response.end('{"verdict": "deny", "reason": "the server says no"}');
  });
  await new Promise<void>((resolve) => void listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  const at: unknown = listening.address();
  return { url: `http://127.0.0.1:${isObject(at) ? String(at["port"]) : ""}/hook`, calls: () => calls };
}

const before = async (engine: Engine): Promise<Decision> => engine.fire({ name: "tool.before", tool: { name: "shell", input: { command: "ls" } } });

describe("allowedHttpHookUrls", () => {
  test("without a list every address may be tried, and none in a private network is opened", async () => {
    const engine = await engineOf({ [USER]: json(hook("https://anywhere.example/")) });
    expect([refusals(engine), opened(engine)]).toEqual([[null], [false]]);
  });

  test("every layer with a list must let an address through: a project can only narrow, and nobody widens what is managed", async () => {
    const files = (url: string): Files => ({
      [MANAGED]: json(urls("https://*.example.com/*")),
      [USER]: json(urls("https://a.example.com/*", "https://b.example.com/*", "https://c.example.org/*")),
      [PROJECT]: json({ ...urls("https://a.example.com/*", "https://c.example.org/*", "https://d.example.com/*"), ...hook(url) }),
    });
    const refusedBy = async (host: string): Promise<string | undefined> => {
      const [refused] = refusals(await engineOf(files(`https://${host}/x`)));
      return refused === null ? "nobody" : /(?:root|home|\.snaphook)\/[^ ]*settings\.json:1:\d+/.exec(refused ?? "")?.[0];
    };
    expect(await refusedBy("a.example.com")).toBe("nobody");
    expect(await refusedBy("b.example.com")).toBe(".snaphook/settings.json:1:24");
    expect(await refusedBy("c.example.org")).toBe("root/etc/snaphook/settings.json:1:24");
    expect(await refusedBy("d.example.com")).toBe("home/.config/snaphook/settings.json:1:24");
  });

  test("a repository's list binds what comes with it, never a guard of yours; yours binds no managed guard", async () => {
    const engine = await engineOf({
      [MANAGED]: json(hook("https://managed.example/")),
      [USER]: json({ ...urls("https://user.example/*", "https://project.example/*"), ...hook("https://user.example/") }),
      [PROJECT]: json({ ...urls(), ...hook("https://project.example/") }),
    });
    expect(refusals(engine)).toEqual([null, null, expect.stringContaining("is not in allowedHttpHookUrls of ")]);
  });

  test("files of one layer add up, the project's and its local ones narrow each other, and Claude Code's managed file counts", async () => {
    const one = await engineOf({
      "home/.claude/settings.json": json(urls("https://a.example/*")),
      [USER]: json({ ...urls("https://b.example/*"), hooks: { "tool.before": [{ url: "https://a.example/" }, { url: "https://b.example/" }] } }),
    });
    expect(refusals(one)).toEqual([null, null]);
    const two = await engineOf({
      [PROJECT]: json({ ...urls("https://a.example/*"), ...hook("https://a.example/") }),
      [LOCAL]: json(urls("https://b.example/*")),
    });
    expect(refusals(two)).toEqual([expect.stringContaining("settings.local.json:1:24: add it there")]);
    const three = await engineOf({ [CLAUDE_MANAGED]: json(urls("https://a.example/*")), [USER]: json(hook("https://b.example/")) });
    expect(refusals(three)).toEqual([expect.stringContaining("etc/claude-code/managed-settings.json:1:24")]);
  });

  test("what is no list lets nothing through, what is no pattern is left out, each with its place", async () => {
    const engine = await engineOf({ [USER]: json({ allowedHttpHookUrls: "https://a.example/*", ...hook("https://a.example/") }) });
    expect(refusals(engine)).toEqual([expect.stringContaining("settings.json:1:24")]);
    const other = await engineOf({ [USER]: json({ ...urls("https://a.example/*", 7, "ftp://x"), ...hook("https://a.example/") }) });
    expect(refusals(other)).toEqual([null]);
    expect([...engine.configuration.notices, ...other.configuration.notices].map(({ column, message }) => `${column} ${message}`)).toEqual([
      "24 allowedHttpHookUrls is text, not a list of patterns; no address is allowed",
      "47 7 is no pattern of addresses; write it as https://hooks.example.com/*",
      '49 "ftp://x" is no pattern of addresses; write it as https://hooks.example.com/*',
    ]);
  });

  test("a refusal is a fault of the hook, in one line with the place of the list, and nothing is sent", async () => {
    const { url, calls } = await server();
    const refused = await before(await engineOf({ [USER]: json({ ...urls("https://a.example/*"), ...hook(url) }) }));
    expect(refused).toMatchObject({ verdict: "ask", hooks: [{ ended: "not-started", fault: { kind: "not-started" } }] });
    expect(refused.hooks[0]?.fault?.message).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/hook is not in allowedHttpHookUrls of .*settings\.json:1:24: add it there, or send the hook to an address that is listed$/,
    );
    expect(calls()).toBe(0);
    const sent = await before(await engineOf({ [USER]: json({ ...urls("http://127.0.0.1:*"), ...hook(url) }) }));
    expect([sent.verdict, sent.reason, calls()]).toEqual(["deny", "the server says no", 1]);
  });
});

describe("a host that the owner spells out may be in a private network", () => {
  test("a wildcard opens none, a repository's list opens none, and where managed settings have a list only theirs open", async () => {
    const url = "http://10.1.2.3/hook";
    expect(opened(await engineOf({ [USER]: json({ ...urls("http://10.1.2.3/*"), ...hook(url) }) }))).toEqual([true]);
    expect(opened(await engineOf({ [USER]: json({ ...urls("http://10.*/*", "*"), ...hook(url) }) }))).toEqual([false]);
    expect(opened(await engineOf({ [PROJECT]: json({ ...urls("http://10.1.2.3/*"), ...hook(url) }) }))).toEqual([false]);
    expect(opened(await engineOf({ [MANAGED]: json(urls("http://10.*/*")), [USER]: json({ ...urls("http://10.1.2.3/*"), ...hook(url) }) }))).toEqual([false]);
    expect(opened(await engineOf({ [MANAGED]: json(urls("http://10.1.2.3/*")), [PROJECT]: json(hook(url)) }))).toEqual([true]);
  });

  test("never the address where clouds keep credentials", async () => {
    const url = "http://169.254.169.254/latest";
    const decision = await before(await engineOf({ [USER]: json({ ...urls("http://169.254.169.254/*"), ...hook(url) }) }));
    expect(decision.hooks[0]?.fault?.message).toContain("is not a public address (link-local, where clouds keep credentials)");
  });
});

test("lint warns of an http hook that no list allows, at the hook, and names the list", async () => {
  const cwd = folderWith({ [PROJECT]: json({ ...urls("https://a.example/*"), ...hook("https://b.example/x") }) });
  const { exit, out } = await run(["lint"], { cwd });
  expect([exit, out.split("\n")[0]]).toEqual([
    0,
    ".snaphook/settings.json:1:79  warning  https://b.example/x is not in allowedHttpHookUrls of .snaphook/settings.json:1:24: add it there, or send the hook to an address that is listed",
  ]);
});
