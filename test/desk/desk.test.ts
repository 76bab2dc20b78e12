/** Sessions on the desk, watched from a second place. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerQuestion } from "../../src/desk/mouth.ts";
import { deskFolder, PLACES } from "../../src/desk/places.ts";
import { onDesk } from "../../src/desk/session.ts";
import { readLines, readTail } from "../../src/desk/lines.ts";
import { deskQuestions, deskSessions, startWatching, type AskedQuestion } from "../../src/desk/watch.ts";
import { sleep } from "../../src/lib/time.ts";
import { createSession } from "../../src/session/create.ts";
import type { Mouth } from "../../src/session/approvals.ts";
import type { SessionLine } from "../../src/session/lines.ts";
import type { Session } from "../../src/session/session.ts";
import { tempFolder } from "../support/temp.ts";

interface Opened {
  readonly session: Session;
  readonly desk: string;
  readonly said: SessionLine[];
}

const CALLS = [
  { toolCalls: [{ name: "Bash", input: { command: "echo one > out.txt" } }] },
  { toolCalls: [{ name: "Bash", input: { command: "echo two > out.txt" } }] },
  { text: "done" },
];

async function open({ mouths = [], expiresMs = null }: { mouths?: readonly Mouth[]; expiresMs?: number | null } = {}): Promise<Opened> {
  const folder = tempFolder();
  const script = join(folder, "model.json");
  writeFileSync(script, JSON.stringify({ turns: CALLS }));
  const desk = deskFolder(join(folder, "state"));
  const said: SessionLine[] = [];
  const env = { HOME: folder, PATH: process.env["PATH"] ?? "" };
  const options = { cwd: folder, env, model: `script:${script}`, mouths, onLine: (line: SessionLine) => void said.push(line) };
  const session = await createSession(onDesk(options, { desk, expiresMs }));
  onTestFinished(async () => session.end("other"));
  return { session, desk, said };
}

async function nextQuestion(desk: string, id: string): Promise<AskedQuestion> {
  for (;;) {
    const waiting = deskQuestions(desk, id).find(({ answer }) => answer === null);
    if (waiting) return waiting;
    await sleep(20);
  }
}

function watching(desk: string): void {
  onTestFinished(startWatching(desk));
}

const NOW = "2026-01-02T03:04:05.000Z";

describe("questions", () => {
  test("[S12] one who watches answers, and the session goes on", async () => {
    const { session, desk, said } = await open();
    watching(desk);
    const turn = session.prompt("go");
    const { question, file } = await nextQuestion(desk, session.id);
    expect(question).toMatchObject({ tool: "Bash", input: { command: "echo one > out.txt" }, sessionId: session.id });
    expect(answerQuestion(file, { answer: "allow", by: "page", rule: "Bash(echo *)", at: NOW })).toBe(true);
    expect(answerQuestion(file, { answer: "deny", by: "second page", at: NOW })).toBe(false);
    const second = await nextQuestion(desk, session.id);
    expect(second.question.input).toEqual({ command: "echo two > out.txt" });
    answerQuestion(second.file, { answer: "deny", by: "page", text: "enough", at: NOW });
    await turn;
    const approvals = said.filter((line) => line.type === "approval");
    expect(approvals).toMatchObject([
      { answer: "allow", by: "page", rule: "Bash(echo *)" },
      { answer: "deny", by: "page", text: "enough" },
    ]);
  });

  test("[S12] without anybody who watches nobody is there, at once", async () => {
    const { session, said } = await open();
    await session.prompt("go");
    expect(said.filter((line) => line.type === "approval")).toMatchObject([
      { answer: "none", by: "nobody" },
      { answer: "none", by: "nobody" },
    ]);
  });

  test("[S12] a question that expires says that nobody answered", async () => {
    const { session, desk, said } = await open({ expiresMs: 50 });
    watching(desk);
    await session.prompt("go");
    expect(said.filter((line) => line.type === "approval")).toMatchObject([{ answer: "none" }, { answer: "none" }]);
    expect(deskQuestions(desk, session.id).map(({ answer }) => answer?.by)).toEqual(["nobody", "nobody"]);
  });

  test("[S12] one who was faster elsewhere closes the question here, which says who", async () => {
    const terminal: Mouth = { ask: async () => ({ answer: "allow", by: "terminal" }) };
    const { session, desk } = await open({ mouths: [terminal] });
    watching(desk);
    await session.prompt("go");
    for (;;) {
      const asked = deskQuestions(desk, session.id);
      if (asked.length === 2 && asked.every(({ answer }) => answer?.by === "terminal" && answer.answer === "allow")) break;
      await sleep(20);
    }
  });

  test("a watcher whose process is gone is nobody", async () => {
    const { session, desk, said } = await open();
    const gone = spawn("true");
    await new Promise((resolve) => void gone.on("exit", resolve));
    mkdirSync(PLACES.watchers(desk), { recursive: true, mode: 0o700 });
    writeFileSync(join(PLACES.watchers(desk), String(gone.pid)), "");
    await session.prompt("go");
    expect(said.filter((line) => line.type === "approval")).toMatchObject([{ answer: "none" }, { answer: "none" }]);
  });
});

describe("lines", () => {
  test("what a session says is laid out in order, private, and ends with its end", async () => {
    const { session, desk } = await open();
    await session.prompt("go");
    expect(deskSessions(desk)).toMatchObject([{ id: session.id, state: "running", endedAt: null }]);
    await session.end("other");
    const { lines, next } = readLines(desk, session.id, 0);
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
    expect(lines.at(-1)?.line.type).toBe("session.end");
    expect(deskSessions(desk)).toMatchObject([{ id: session.id, state: "ended" }]);
    expect(readLines(desk, session.id, next).lines).toEqual([]);
    expect(statSync(PLACES.lines(PLACES.session(desk, session.id))).mode & 0o777).toBe(0o600);
    expect(statSync(desk).mode & 0o777).toBe(0o700);
  });

  test("a request to the model is laid out without what is known already", async () => {
    const { session, desk } = await open();
    await session.prompt("go");
    const requests = readLines(desk, session.id, 0).lines.filter(({ line }) => line.type === "model.request");
    expect(requests.map(({ line }) => [line["before"], Array.isArray(line["messages"]) && line["messages"].length])).toEqual([
      [0, 1],
      [1, 2],
      [3, 2],
    ]);
  });

  test("an unfinished line waits for its end", async () => {
    const { session, desk } = await open();
    const path = PLACES.lines(PLACES.session(desk, session.id));
    writeFileSync(path, `{"seq":1,"at":"${NOW}","line":{"type":"notice"}}\n{"seq":2,"at`);
    const first = readLines(desk, session.id, 0);
    expect(first.lines.map(({ seq }) => seq)).toEqual([1]);
    writeFileSync(path, `":"${NOW}","line":{"type":"notice"}}\n`, { flag: "a" });
    expect(readLines(desk, session.id, first.next).lines.map(({ seq }) => seq)).toEqual([2]);
  });
});

describe("the end of a long session", () => {
  const numbers = ({ lines }: ReturnType<typeof readTail>): readonly number[] => lines.map(({ seq }) => seq);
  const laid = (message: string): string => {
    const desk = deskFolder(tempFolder());
    const folder = PLACES.session(desk, "long");
    mkdirSync(folder, { recursive: true });
    const line = (seq: number): string => `${JSON.stringify({ seq, at: NOW, line: { type: "notice", message } })}\n`;
    writeFileSync(PLACES.lines(folder), Array.from({ length: 1_000 }, (_, index) => line(index + 1)).join(""));
    return desk;
  };

  test("is looked at first: a screen and more of short lines, however few bytes were meant", () => {
    const desk = laid("short");
    const found = readTail(desk, "long", { firstBytes: 1_024 });
    expect(numbers(found).at(-1)).toBe(1_000);
    expect(found.lines.length).toBeGreaterThanOrEqual(100);
    expect(found.lines.length).toBeLessThan(1_000);
    expect(numbers(readLines(desk, "long", found.start))).toEqual(numbers(found));
  });

  test("is a part of the file also where lines are long", () => {
    expect(readTail(laid("x".repeat(20_000)), "long", { firstBytes: 1_024 }).lines.length).toBeLessThan(100);
  });

  test("reaches back to the number that somebody has", () => {
    expect(numbers(readTail(laid("short"), "long", { after: 300, firstBytes: 1_024 }))).toEqual(expect.arrayContaining([301, 1_000]));
  });
});

describe("the folder", () => {
  test("one that others may write is not used, and the session says so and runs", async () => {
    const folder = tempFolder();
    const desk = deskFolder(folder);
    mkdirSync(desk, { recursive: true });
    chmodSync(desk, 0o777);
    const script = join(folder, "model.json");
    writeFileSync(script, JSON.stringify({ turns: [{ text: "hello" }] }));
    const said: SessionLine[] = [];
    const options = { cwd: folder, env: { HOME: folder }, model: `script:${script}`, onLine: (line: SessionLine) => void said.push(line) };
    const session = await createSession(onDesk(options, { desk, expiresMs: null }));
    expect(await session.prompt("go")).toMatchObject({ reason: "stop", text: "hello" });
    await session.end("other");
    expect(said.some((line) => line.type === "notice" && /is open to others/.test(line.message))).toBe(true);
  });

  test.each(["../x", "a/b", "", "a\0b"])("%j is no id", (id) => {
    expect(() => PLACES.session("/desk", id)).toThrow(/is no id/);
  });
});
