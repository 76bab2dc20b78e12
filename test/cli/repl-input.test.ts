import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { completeLine } from "../../src/cli/repl/commands.ts";
import { History, HISTORY_LIMIT } from "../../src/cli/repl/history.ts";
import { keysOf } from "../../src/cli/repl/keys.ts";
import { PasteFilter, unmarked } from "../../src/cli/repl/paste.ts";
import { questionsOf } from "../../src/cli/repl/questions.ts";
import { Screen } from "../../src/cli/repl/screen.ts";
import { TextFlow } from "../../src/cli/repl/text-flow.ts";

describe("keys", () => {
  test.each([
    { says: "an escape alone is Esc", text: "\u001B", names: ["escape"] },
    { says: "arrows are not Esc", text: "\u001B[A\u001BOB", names: ["up", "down"] },
    { says: "Ctrl-C, Ctrl-D, Enter and backspace have names", text: "\u0003\u0004\r\u007F", names: ["interrupt", "end", "return", "backspace"] },
    { says: "characters of any script are characters", text: "yé日👍", names: ["character", "character", "character", "character"] },
    { says: "keys that mean nothing here are others", text: "\u001B[15~\u0001", names: ["other", "other"] },
    { says: "Esc twice is twice", text: "\u001B\u001B", names: ["escape", "escape"] },
  ])("$says", ({ text, names }) => {
    expect(keysOf(text).map(({ name }) => name)).toEqual(names);
  });
});

describe("paste", () => {
  test("several pasted lines are one line of input, and several lines of the prompt", () => {
    const filter = new PasteFilter();
    const typed = filter.push("fix: \u001B[200~one\r\n\ttwo\u001B[201~ please\r");
    expect(typed).toBe("fix: one↵    two please\r");
    expect(unmarked("one↵two")).toBe("one\ntwo");
  });

  test("a paste may come in pieces, and its control characters do nothing", () => {
    const filter = new PasteFilter();
    expect([filter.push("\u001B[200~a\n"), filter.push("b\u0003"), filter.push("c\u001B[201~\r")]).toEqual(["a↵", "b\uFFFD", "c\r"]);
  });
});

describe("streamed text", () => {
  test("is broken at blanks, whatever the pieces", () => {
    const flow = new TextFlow();
    const out = ["one two th", "ree four", " five"].map((piece) => flow.push(piece, 10)).join("") + flow.end(10);
    expect(out).toBe("one two \nthree four\nfive\n");
  });

  test("keeps lines as they are where no edge is near", () => {
    const flow = new TextFlow();
    expect(flow.push("a  b\n    c\n", Infinity) + flow.end(Infinity)).toBe("a  b\n    c\n");
  });
});

describe("the screen", () => {
  test("a footer is taken away before output and drawn again below it", () => {
    let out = "";
    const screen = new Screen({ write: (text) => void (out += text), columns: () => 20, live: true });
    screen.footer(["working", "Esc cancels"]);
    screen.write("line\n");
    expect(out).toBe("working\nEsc cancels\r\u001B[1A\u001B[Jline\nworking\nEsc cancels");
  });

  test("a footer waits while a line is open, and is never wider than the terminal", () => {
    let out = "";
    const screen = new Screen({ write: (text) => void (out += text), columns: () => 10, live: true });
    screen.write("half");
    screen.footer(["0123456789abc"]);
    screen.write(" line\n");
    expect(out).toBe("half line\n01234567…");
  });

  test("a terminal that can't move its cursor has no footer", () => {
    let out = "";
    const screen = new Screen({ write: (text) => void (out += text), columns: () => 10, live: false });
    screen.footer(["working"]);
    expect(out).toBe("");
  });
});

describe("history", () => {
  let state = "";
  beforeEach(() => void (state = mkdtempSync(join(tmpdir(), "snaphook-history-"))));
  afterEach(() => rmSync(state, { recursive: true }));

  test("is kept for its owner alone, the newest first, without repetitions", async () => {
    const history = await History.open(state);
    for (const line of ["one", "two", "two", "  "]) await history.add(line);
    const file = join(state, "snaphook", "history");
    expect({ entries: history.entries, stored: readFileSync(file, "utf8"), mode: statSync(file).mode & 0o777 }).toEqual({
      entries: ["two", "one"],
      stored: "one\ntwo\n",
      mode: 0o600,
    });
    expect((await History.open(state)).entries).toEqual(["two", "one"]);
  });

  test("is bounded", async () => {
    mkdirSync(join(state, "snaphook"));
    writeFileSync(join(state, "snaphook", "history"), Array.from({ length: HISTORY_LIMIT + 5 }, (_, index) => `${index}\n`).join(""));
    const { entries } = await History.open(state);
    expect([entries.length, entries[0], entries.at(-1)]).toEqual([HISTORY_LIMIT, String(HISTORY_LIMIT + 4), "5"]);
  });

  test("a folder that can't be written is no reason to stop", async () => {
    writeFileSync(join(state, "snaphook"), "");
    const history = await History.open(state);
    await history.add("one");
    expect(history.entries).toEqual(["one"]);
  });
});

describe("commands and questions", () => {
  test("commands and modes are completed", () => {
    expect([completeLine("/co")[0], completeLine("/mode b")[0], completeLine("co")[0]]).toEqual([["/context", "/compact"], ["/mode bypassPermissions"], []]);
  });

  test("a call of AskUserQuestion is a question, any other asks for permission", () => {
    const questions = [{ question: "Which?", options: [{ label: "red" }] }];
    expect(questionsOf({ tool: "AskUserQuestion", input: { questions } })).toEqual([
      { question: "Which?", options: [{ label: "red", description: "" }], multiSelect: false },
    ]);
    expect(questionsOf({ tool: "Bash", input: { questions } })).toBe(undefined);
    expect(questionsOf({ tool: "AskUserQuestion", input: {} })).toBe(undefined);
  });
});
