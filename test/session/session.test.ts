import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSession, type Session, type SessionLine, type SessionOptions } from "../../src/index.ts";
import { scriptedModel } from "../../src/session/model/script.ts";

type Script = Parameters<typeof scriptedModel>[0];

describe("session", () => {
  let folder: string;
  let lines: SessionLine[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "snaphook-session-"));
    lines = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, maxRetries: 3 }));

  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const start = async (script: Script, options: Partial<SessionOptions> = {}): Promise<Session> =>
    createSession({
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: join(folder, "home"), TMPDIR: folder },
      model: scriptedModel(script),
      mode: "default",
      trust: true,
      onLine: (line) => void lines.push(line),
      ...options,
    });
  const results = (): readonly string[] => lines.flatMap((line) => (line.type === "tool.result" ? [line.output] : []));
  const events = (): readonly string[] => lines.flatMap((line) => (line.type === "event" ? [line.event] : []));

  test("[A5] a search leaves out what a Read would be refused", async () => {
    put(".robota/settings.json", JSON.stringify({ permissions: { deny: ["Read(secret/**)"] } }));
    put("secret/a.txt", "needle in secret\n");
    put("open/b.txt", "needle in open\n");
    const session = await start({ turns: [{ toolCalls: [{ name: "Grep", input: { pattern: "needle", output_mode: "content" } }] }, { text: "ok" }] });
    await session.prompt("find it");
    await session.end("other");
    expect(results()).toEqual([expect.stringContaining("open/b.txt:1:needle in open")]);
    expect(results()[0]).toContain("left out");
    expect(JSON.stringify(lines)).not.toContain("needle in secret");
  });

  test("[S15] hooks and allow rules of a folder that is not trusted are left out, and the session says so; its deny rules hold", async () => {
    put(".lime/settings.json", JSON.stringify({ hooks: { PreToolUse: ["touch ran"] }, permissions: { allow: ["Bash"], deny: ["Bash(rm *)"] } }));
    const call = (command: string) => ({ name: "Bash", input: { command } });
    const session = await start({ turns: [{ toolCalls: [call("make"), call("rm x")] }, { text: "ok" }] }, { trust: false });
    await session.prompt("go");
    await session.end("other");
    expect(results()[0]).toMatch(/nobody was there/);
    expect(results()[1]).toMatch(/Denied by the deny rule Bash\(rm \*\)/);
    const notices = lines.flatMap((line) => (line.type === "notice" ? [line.message] : []));
    expect(notices).toEqual([expect.stringContaining("allow rule"), expect.stringContaining("touch ran")]);
  });

  test("[S8] a subagent in the background ends before the session does, and teammate.idle tells of it", async () => {
    const session = await start(
      {
        agents: { scout: { turns: [{ text: "all quiet", delayMs: 30 }] } },
        turns: [
          { toolCalls: [{ name: "Agent", input: { description: "look", prompt: "look", subagent_type: "scout", run_in_background: true } }] },
          { text: "meanwhile" },
        ],
      },
      { mode: "bypassPermissions" },
    );
    expect(await session.prompt("go")).toMatchObject({ reason: "stop", text: "meanwhile" });
    await session.end("other");
    expect(events()).toContain("teammate.idle");
    expect(lines.findIndex((line) => line.type === "event" && line.event === "teammate.idle")).toBeLessThan(
      lines.findIndex((line) => line.type === "event" && line.event === "session.end"),
    );
  });

  test("[S6] a cancelled turn ends the turn, fires turn.cancel, and the next prompt is answered", async () => {
    const session = await start({ turns: [{ text: "late", delayMs: 60_000 }, { text: "next" }] });
    const turn = session.prompt("first");
    while (!lines.some((line) => line.type === "model.request")) await new Promise((resolve) => void setTimeout(resolve, 5));
    expect(session.cancel()).toBe(true);
    expect(await turn).toMatchObject({ reason: "cancelled" });
    expect(await session.prompt("second")).toMatchObject({ reason: "stop", text: "next" });
    await session.end("other");
    expect(events().filter((event) => event === "turn.cancel")).toHaveLength(1);
  });

  test("[S9] an ended session takes no prompts", async () => {
    const session = await start({ turns: [{ text: "x" }] });
    await session.end("other");
    await session.end("other");
    await expect(session.prompt("more")).rejects.toMatchObject({ code: "SNAP_SESSION_ENDED" });
    expect(events().filter((event) => event === "session.end")).toHaveLength(1);
  });

  test("[S10] a plugin of the project runs where it is trusted, in order of names, and can be switched off", async () => {
    const hooks = (name: string): string => JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command: `echo ${name}` }] }] } });
    put(".snaphook/plugins/b/hooks/hooks.json", hooks("from-b"));
    put(".snaphook/plugins/a/hooks/hooks.json", hooks("from-a"));
    put(".snaphook/plugins/c/hooks/hooks.json", hooks("from-c"));
    put(".claude/settings.json", JSON.stringify({ enabledPlugins: { "c@market": false } }));
    const session = await start({ turns: [{ text: "x" }] });
    await session.end("other");
    expect(lines.find((line) => line.type === "event" && line.event === "session.start")).toMatchObject({ decision: { context: ["from-a", "from-b"] } });
  });
});
