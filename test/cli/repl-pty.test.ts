/** The REPL in a real terminal: keys go in, the screen is read back. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { answerQuestion } from "../../src/desk/mouth.ts";
import { deskFolder } from "../../src/desk/places.ts";
import { deskQuestions, deskSessions, startWatching } from "../../src/desk/watch.ts";
import { KEYS, Repl, WAIT_MS, terminal } from "../support/repl.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

describe.skipIf(!terminal && !process.env["CI"])("the REPL in a terminal (neither script nor python3: skipped)", () => {
  test("a prompt, an approval, a cancelled turn, an exit", async () => {
    const { folder, repl } = start([
      { text: "I write a note.", toolCalls: [{ name: "Write", input: { file_path: "notes.md", content: "hello\n" } }] },
      { text: "It is written." },
      { text: "never said", delayMs: 60_000 },
      { text: "Still here." },
    ]);
    await repl.prompt("write a note");
    await repl.sees("PreToolUse");
    await repl.sees("Allow Write to notes.md?");
    await repl.sees("no, and tell the agent why");
    expect(existsSync(join(folder, "notes.md"))).toBe(false);
    repl.type("y");
    await repl.sees("approved      by terminal");
    await repl.sees("It is written.");
    await repl.sees("1 call: 1 approved");
    expect(readFileSync(join(folder, "notes.md"), "utf8")).toBe("hello\n");

    await repl.prompt("think for a minute");
    await repl.sees("the model works");
    repl.type(KEYS.escape);
    await repl.sees("cancelled");
    expect(readFileSync(join(folder, "cancel.log"), "utf8")).toContain('"Stop"');

    await repl.prompt("are you there");
    await repl.sees("Still here.");
    await repl.ready();
    repl.type(KEYS.end);
    await repl.sees("session ended; snaphook run --resume");
    expect(await repl.exit()).toBe(0);
    expect(readFileSync(join(folder, "end.log"), "utf8")).toContain('"prompt_input_exit"');
  });

  test("[S12] a call that is answered on the page is asked no more here, and says who answered", async () => {
    const { folder, repl } = start([
      { text: "I write a note.", toolCalls: [{ name: "Write", input: { file_path: "notes.md", content: "hello\n" } }] },
      { text: "It is written." },
    ]);
    const desk = deskFolder(join(folder, "home", ".local", "state"));
    onTestFinished(startWatching(desk));
    await repl.prompt("write a note");
    await repl.sees("Allow Write to notes.md?");
    const asked = () => deskSessions(desk).flatMap(({ id }) => deskQuestions(desk, id));
    await vi.waitUntil(() => asked().length === 1, { timeout: WAIT_MS });
    answerQuestion(asked()[0]?.file ?? "", { answer: "allow", by: "page", at: "2026-01-02T03:04:05.000Z" });
    await repl.sees("approved      by page");
    await repl.sees("It is written.");
    await repl.ready();
    repl.type(KEYS.end);
    expect(await repl.exit()).toBe(0);
  });

  test("a call is refused with a reason by arrow keys, remembered with a, and asked no more", async () => {
    const write = (content: string) => ({ toolCalls: [{ name: "Write", input: { file_path: "a.md", content } }] });
    const { folder, repl } = start([write("1"), { text: "Not now then." }, write("2"), write("2"), { text: "Twice the same." }]);
    await repl.prompt("one");
    await repl.sees("Allow Write to a.md?");
    repl.type(KEYS.down);
    await repl.sees("› yes, and remember Write(a.md) for this session");
    repl.type(KEYS.down);
    await repl.sees("› no, and tell the agent why");
    repl.type(KEYS.enter);
    await repl.sees("Tell the agent why");
    repl.type("wrong file");
    await repl.sees("wrong file▏");
    repl.type(KEYS.enter);
    await repl.sees("the model was told: The user denied Write: wrong file");
    await repl.sees("Not now then.");
    await repl.prompt("two");
    await repl.sees("Allow Write to a.md?");
    repl.type("a");
    await repl.sees("approved for this session");
    await repl.sees("Twice the same.");
    await repl.sees("2 calls: 1 approved");
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("2");
    await repl.prompt("/permissions");
    await repl.sees("you, for this session");
    await repl.prompt("/exit");
    expect(await repl.exit()).toBe(0);
  });

  test("a question of the agent is answered, and cancelled while it waits", async () => {
    const ask = {
      toolCalls: [
        { name: "AskUserQuestion", input: { questions: [{ question: "Which colour?", options: [{ label: "red" }, { label: "blue", description: "calm" }] }] } },
      ],
    };
    const { repl } = start([ask, { text: "Noted." }, ask]);
    await repl.prompt("ask me");
    await repl.sees("Which colour?");
    await repl.sees("blue  calm");
    repl.type("2");
    await repl.sees("answered      by terminal  blue");
    await repl.sees("Noted.");
    await repl.prompt("ask again");
    await repl.sees("do not answer");
    repl.type(KEYS.interrupt);
    await repl.sees("cancelled");
    await repl.ready();
    repl.type(KEYS.interrupt);
    await repl.sees("Ctrl-C again, or Ctrl-D, ends the session");
    await repl.ready();
    repl.type(KEYS.interrupt);
    expect(await repl.exit()).toBe(0);
  });

  test("commands, lines that go on, pasted lines, and what is typed ahead", async () => {
    const { folder, repl } = start([{ text: "First.", delayMs: 300 }, { text: "Second." }, { text: "Third." }]);
    await repl.prompt("/hepl");
    await repl.sees("unknown command /hepl, did you mean /help?");
    await repl.prompt("/mode plan");
    await repl.sees("mode plan");
    await repl.prompt("/context");
    await repl.sees("of 200k tokens");
    await repl.prompt("/hooks");
    await repl.sees("ARMED 4 of 4");
    await repl.prompt("one \\");
    await repl.sees("… ");
    repl.type(`more${KEYS.enter}ahead${KEYS.enter}`);
    await repl.sees("First.");
    await repl.sees("Second.");
    await repl.ready();
    repl.type(`\u001B[200~x\ny\u001B[201~${KEYS.enter}`);
    await repl.sees("Third.");
    await repl.prompt("/exit");
    expect(await repl.exit()).toBe(0);
    const prompts = readFileSync(join(folder, "prompts.log"), "utf8")
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line).prompt);
    expect(prompts).toEqual(["one \nmore", "ahead", "x\ny"]);
  });

  test("an agent in the background asks while a prompt is being written, and the prompt is not lost", async () => {
    const wait = { toolCalls: [{ name: "Bash", input: { command: "sh wait.sh" } }] };
    const write = { toolCalls: [{ name: "Write", input: { file_path: "z.md", content: "x" } }] };
    const agent = { toolCalls: [{ name: "Agent", input: { description: "look", prompt: "look", subagent_type: "scout", run_in_background: true } }] };
    const { folder, repl } = start([agent, { text: "Meanwhile." }, { text: "Heard." }], { agents: { scout: { turns: [wait, write, { text: "found it" }] } } });
    await repl.prompt("look around");
    await repl.sees("Allow Agent: scout?");
    repl.type("y");
    await repl.sees("Meanwhile.");
    await repl.ready();
    repl.type("half a");
    await repl.sees("half a");
    writeFiles(folder, { go: "" });
    await repl.sees("Allow Write to z.md?");
    repl.type("y");
    await repl.sees("found it");
    await repl.sees("> half a");
    repl.type(` sentence${KEYS.enter}`);
    await repl.sees("Heard.");
    await repl.prompt("/exit");
    expect(await repl.exit()).toBe(0);
    expect(readFileSync(join(folder, "prompts.log"), "utf8")).toContain('"half a sentence"');
  });

  test("a terminal that is closed ends the session, and session.end fires", async () => {
    const { folder, repl } = start([]);
    await repl.ready();
    repl.hangUp();
    await vi.waitFor(() => expect(readFileSync(join(folder, "end.log"), "utf8")).toContain('"reason":"other"'), { timeout: WAIT_MS });
  });

  test("without colour there is no colour", async () => {
    const { repl } = start([{ text: "Hello." }], { env: { NO_COLOR: "1" } });
    await repl.prompt("hi");
    await repl.sees("Hello.");
    await repl.prompt("/exit");
    await repl.exit();
    // oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
    expect(repl.raw).not.toMatch(/\u001B\[\d*(;\d+)*m/);
  });
});

test("the REPL is not started where its output is no terminal", async () => {
  if (!terminal) return;
  const folder = project([{ text: "x" }]);
  const repl = new Repl(folder, { redirect: ">out.txt" });
  expect(await repl.exit()).toBe(64);
  expect(repl.raw).toContain("the REPL needs a terminal");
});

type Turn = { readonly text?: string; readonly delayMs?: number; readonly toolCalls?: readonly { readonly name: string; readonly input: object }[] };

interface Given {
  readonly env?: { readonly [name: string]: string };
  readonly agents?: { readonly [type: string]: { readonly turns: readonly Turn[] } };
}

function project(turns: readonly Turn[], { agents = {} }: Given = {}): string {
  const folder = tempFolder();
  const log = "{ cat; echo; } >>";
  const hooks = { UserPromptSubmit: [`${log}prompts.log`], PreToolUse: ["true"], Stop: [`${log}cancel.log`], SessionEnd: [`${log}end.log`] };
  writeFiles(folder, {
    "model.json": { turns, agents },
    ".lime/settings.json": { permissions: { allow: ["Bash(sh wait.sh)"] }, hooks },
    "wait.sh": "until [ -e go ]; do sleep 0.05; done\n",
  });
  return folder;
}

function start(turns: readonly Turn[], given: Given = {}): { folder: string; repl: Repl } {
  const folder = project(turns, given);
  return { folder, repl: new Repl(folder, { env: given.env ?? {} }) };
}
