/** The page's server, asked as the page does and as others might. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { onDesk } from "../../src/desk/session.ts";
import { createSession } from "../../src/session/create.ts";
import type { SessionLine } from "../../src/session/lines.ts";
import type { Session } from "../../src/session/session.ts";
import { SECURITY_HEADERS } from "../../src/ui/guard.ts";
import { OnceCodes } from "../../src/ui/once.ts";
import { layLog } from "./support/scene.ts";
import { JSON_BODY, PASS, TOKEN, ask, listen, open, type Answer, type Opened } from "./support/server.ts";

describe("who may ask", () => {
  test.each([
    ["no token", {}, 401],
    ["a wrong token", { authorization: "Bearer another" }, 401],
    ["the token as a cookie", { cookie: `token=${TOKEN}` }, 401],
    ["another origin", { ...PASS, origin: "https://evil.example" }, 403],
    ["no origin at all, as a sandboxed frame has it", { ...PASS, origin: "null" }, 403],
    ["another site", { ...PASS, "sec-fetch-site": "cross-site" }, 403],
    ["a name that was bound to this address", { ...PASS, host: "evil.example" }, 421],
    ["the right name with another port", { ...PASS, host: "127.0.0.1:1" }, 421],
  ])("%s is refused", async (_, headers, status) => {
    const answer = await ask(await open(), "/api/state", headers);
    expect([answer.status, answer.text.includes("sessions")]).toEqual([status, false]);
  });

  test("the page itself is let in", async () => {
    const ui = await open();
    const answer = await ask(ui, "/api/state", { ...PASS, origin: `http://127.0.0.1:${ui.server.port}`, "sec-fetch-site": "same-origin" });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ version: "0", sessions: [], questions: [] });
  });

  test("the token stands behind the # of the address, which browsers keep to themselves", async () => {
    const { server } = await open();
    expect(new URL(server.address).hash).toBe(`#token=${TOKEN}`);
    expect(new URL(server.address).search).toBe("");
  });

  test("an address that a browser is started with is good once", async () => {
    const ui = await open();
    const once = new URL(ui.server.addressOnce()).hash.replace("#once=", "");
    const exchange = async (code: string): Promise<Answer> => ask(ui, "/api/token", { "content-type": "application/json" }, JSON.stringify({ once: code }));
    expect((await exchange("another")).status).toBe(401);
    expect(JSON.parse((await exchange(once)).text)).toEqual({ token: TOKEN });
    expect((await exchange(once)).status).toBe(401);
    const evil = await ask(ui, "/api/token", { "content-type": "application/json", origin: "https://evil.example" }, JSON.stringify({ once: "x" }));
    expect(evil.status).toBe(403);
  });

  test("a code that nobody used in time is nothing", () => {
    let now = 0;
    const codes = new OnceCodes(() => now);
    const [early, late] = [codes.make(), codes.make()];
    now = 119_000;
    expect(codes.use(early)).toBe(true);
    now = 121_000;
    expect(codes.use(late)).toBe(false);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])("a form as %s changes nothing", async (type) => {
    const answer = await ask(await open(), "/api/questions/x", { ...PASS, "content-type": type }, '{"answer":"allow"}');
    expect(answer.status).toBe(400);
  });
});

describe("what is served", () => {
  test.each(["/", "/assets/app.js", "/nothing", "/api/state", "/api/nothing"])("%s carries every security header", async (path) => {
    const { headers } = await ask(await open(), path);
    expect(headers).toMatchObject(SECURITY_HEADERS);
  });

  test.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/..%5c..%5csecret.txt",
    "//etc/passwd",
    "/assets/app.js%00.html",
  ])("%s leads nowhere", async (path) => {
    const { status, text } = await ask(await open(), path);
    expect([status === 404 || status === 400, text.includes("secret")]).toEqual([true, false]);
  });

  test("no script but the page's own, no style but its own, no frame around it", () => {
    const policy = SECURITY_HEADERS["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(policy).toContain("frame-ancestors 'none'");
  });
});

const CALLS = [{ toolCalls: [{ name: "Bash", input: { command: "git push origin main" } }] }, { text: "done" }];

async function session(ui: Opened, said: SessionLine[] = []): Promise<Session> {
  const script = join(ui.folder, "model.json");
  writeFileSync(script, JSON.stringify({ turns: CALLS }));
  const options = { cwd: ui.folder, env: { HOME: ui.folder, PATH: "" }, model: `script:${script}`, onLine: (line: SessionLine) => void said.push(line) };
  const created = await createSession(onDesk(options, { desk: ui.desk, expiresMs: null }));
  onTestFinished(async () => created.end("other"));
  return created;
}

describe("a live session", () => {
  test("[S12] appears, asks, is answered, and goes on", async () => {
    const ui = await open();
    const said: SessionLine[] = [];
    const turn = (await session(ui, said)).prompt("push it");
    const events = await listen(ui, 0, ({ kind }) => kind === "question");
    const asked: unknown = JSON.parse(events.at(-1)?.data ?? "");
    expect(asked).toMatchObject({ question: { tool: "Bash", input: { command: "git push origin main" } }, answer: null });
    const state: unknown = JSON.parse((await ask(ui, "/api/state", PASS)).text);
    expect(state).toMatchObject({ sessions: [{ state: "running" }], questions: [{ tool: "Bash" }] });
    const id = /"id":"([^"]+)","sessionId"/.exec(events.at(-1)?.data ?? "")?.[1] ?? "";
    const explained: unknown = JSON.parse((await ask(ui, `/api/questions/${id}/explanation`, PASS)).text);
    expect(explained).toMatchObject({
      judgement: { verdict: "ask", step: "mode" },
      rules: ["Bash(git push origin main)", "Bash(git push origin:*)", "Bash(git push:*)"],
    });
    const answers = await Promise.all(
      ["deny", "allow"].map(async (answer) => ask(ui, `/api/questions/${id}`, JSON_BODY, JSON.stringify({ answer, text: "not today" }))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    await turn;
    expect(said.filter((line) => line.type === "approval")).toMatchObject([{ by: "page" }]);
  });

  test("who comes back gets everything that was missed, once and in order", async () => {
    const ui = await open();
    const live = await session(ui);
    const first = await listen(ui, 0, ({ kind }) => kind === "line");
    const last = Number(first.at(-1)?.id);
    const turn = live.prompt("push it");
    const question = await listen(ui, last, ({ kind }) => kind === "question");
    const id = /"id":"([^"]+)","sessionId"/.exec(question.at(-1)?.data ?? "")?.[1] ?? "";
    await ask(ui, `/api/questions/${id}`, JSON_BODY, '{"answer":"deny"}');
    await turn;
    await live.end("other");
    const again = await listen(ui, last, ({ data }) => data.includes('"session.end"'));
    const numbers = again.filter((event) => event.id !== "").map((event) => Number(event.id));
    expect(numbers).toEqual(numbers.map((_, index) => last + 1 + index));
  });

  test("a number of another life is answered with a reset", async () => {
    const [event] = await listen(await open(), 99_999, () => true);
    expect(event?.kind).toBe("reset");
  });

  test.each([
    [{ answer: "maybe" }, /allow, always or deny/],
    [{ answer: "allow", rule: "Bash(" }, /./],
    [{}, /answer/],
  ])("%j is no answer", async (body, message) => {
    const { status, text } = await ask(await open(), "/api/questions/x", JSON_BODY, JSON.stringify(body));
    expect([status, message.test(text)]).toEqual([400, true]);
  });
});

describe("playground", () => {
  const trial = { settings: '{"permissions":{"deny":["Bash(rm *)"],"bad":1}}', file: "settings.json", tool: "Bash", input: { command: "ls && rm x" } };

  test("[A10] explains with spans, and says what is wrong in the settings", async () => {
    const { text } = await ask(await open(), "/api/playground", JSON_BODY, JSON.stringify(trial));
    expect(JSON.parse(text)).toMatchObject({
      judgement: { verdict: "deny", commands: [{ text: "ls" }, { text: "rm x", start: 6, verdict: "deny" }] },
      broken: false,
    });
  });

  test("broken settings are told with line and column", async () => {
    const { text } = await ask(await open(), "/api/playground", JSON_BODY, JSON.stringify({ ...trial, settings: '{"permissions":\n  {,}' }));
    expect(JSON.parse(text)).toMatchObject({ broken: true, notices: [{ line: 2 }] });
  });
});

test("a rule's preview names the recorded calls that it would allow", async () => {
  const ui = await open();
  const live = await session(ui);
  const turn = live.prompt("push it");
  const events = await listen(ui, 0, ({ kind }) => kind === "question");
  const { text } = await ask(ui, "/api/rules/preview", JSON_BODY, JSON.stringify({ rule: "Bash(git push:*)" }));
  expect(JSON.parse(text)).toMatchObject({ problem: null, allows: [{ name: "Bash", input: { command: "git push origin main" } }], others: 0 });
  expect(JSON.parse((await ask(ui, "/api/rules/preview", JSON_BODY, '{"rule":"Bash(ls:*)"}')).text)).toMatchObject({ allows: [], others: 1 });
  const id = /"id":"([^"]+)","sessionId"/.exec(events.at(-1)?.data ?? "")?.[1] ?? "";
  await ask(ui, `/api/questions/${id}`, JSON_BODY, '{"answer":"deny"}');
  await turn;
});

describe("the audit log", () => {
  test("is searched, counted and exported", async () => {
    const ui = await open();
    layLog(ui.auditDir, 80);
    const get = async (path: string): Promise<unknown> => JSON.parse((await ask(ui, `/api/audit${path}`, PASS)).text);
    expect(await get("?verdict=deny&text=build&limit=3")).toMatchObject({
      total: 10,
      records: [{ verdict: "deny" }, {}, { tool: { input: { command: "rm -rf build" } } }],
    });
    expect(await get("?tool=Bash&session=session-0&hook=guard&since=2026-11-14T00:00:00Z&until=2026-11-15T00:00:00Z&limit=1&skip=79")).toMatchObject({
      total: 80,
      records: [{ tool: { input: { command: "npm test" } } }],
    });
    expect(await get("/stats?verdict=ask")).toMatchObject({ stats: { records: 10, verdicts: { ask: 10, deny: 0 } }, series: { points: expect.any(Array) } });
    const lines = (await ask(ui, "/api/audit/export?verdict=deny", PASS)).text.trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toHaveLength(20);
    const table = await ask(ui, "/api/audit/export?format=csv", PASS);
    expect([table.headers["content-type"], table.text.split("\r\n").length]).toEqual(["text/csv; charset=utf-8", 82]);
  });

  test.each(["?since=never", "?verdict=perhaps", "?limit=-1", "?limit=99999", "/export?format=xml", "/stats?until=x"])("%s is refused", async (path) => {
    expect((await ask(await open(), `/api/audit${path}`, PASS)).status).toBe(400);
  });

  test("nobody reads it without the token", async () => {
    const ui = await open();
    for (const path of ["", "/stats", "/export", "/records/x"]) expect((await ask(ui, `/api/audit${path}`)).status).toBe(401);
  });
});

test("a number of another server's life is answered with a reset, even if it fits", async () => {
  const ui = await open();
  const response = await fetch(`http://127.0.0.1:${ui.server.port}/api/stream?after=0&life=another`, { headers: PASS });
  const reader = response.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain("event: reset");
  await reader?.cancel();
});
