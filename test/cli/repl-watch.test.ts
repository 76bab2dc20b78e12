import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { Surface } from "../../src/cli/command.ts";
import { watchSession, type WatchOptions } from "../../src/cli/repl/watch.ts";
import { widthOf } from "../../src/cli/render/text.ts";
import type { Decision } from "../../src/model/decision.ts";
import { decisionJson } from "../../src/model/decision-json.ts";
import type { SessionLine } from "../../src/session/lines.ts";
import { decisionWith } from "../support/decision.ts";

/** Decisions by their lines. */
const DECISIONS = new Map<object, Decision>();

const AGENT = { id: "a1", type: "reviewer" };

/** A call that a hook denies, one that a hook rewrites and a rule allows, and one that somebody is asked about. */
const STORY: readonly SessionLine[] = [
  response("", [call("1", "Bash", { command: "rm -rf build && npm run build" })]),
  event("tool.before", {
    verdict: "deny",
    reason: "rm -rf is blocked by hook",
    input: { command: "rm -rf build && npm run build" },
    hooks: [hook("sh scripts/guard.sh", "lime", { verdict: "deny", reason: "rm -rf is blocked by hook", durationMs: 4 })],
  }),
  { type: "tool.result", agent: null, useId: "1", name: "Bash", output: "rm -rf is blocked by hook", isError: true },
  response("Then by script.", [call("2", "Bash", { command: "npm clean" }), call("3", "Write", { file_path: "/proj/notes.md", content: "x" })]),
  event("tool.before", {
    verdict: "allow",
    input: { command: "npm run clean" },
    originalInput: { command: "npm clean" },
    gate: { verdict: "allow", because: "Allowed by the allow rule Bash(npm run *) at /proj/.robota/settings.json:3:15.", step: "allow-rule", mode: "default" },
    hooks: [hook("fix-scripts.sh", "robota", { durationMs: 3 }), hook("scan.sh --all", "goose", { durationMs: 0.4 })],
    effects: [{ hook: 0, dialect: "robota", effect: { kind: "input", value: { command: "npm run clean" } } }],
  }),
  event("tool.after", {
    input: { command: "npm run clean" },
    hooks: [hook("./log.sh", "claw", { durationMs: 9 })],
    effects: [{ hook: 0, dialect: "claw", effect: { kind: "feedback", text: "build before you test" } }],
  }),
  { type: "tool.result", agent: null, useId: "2", name: "Bash", output: "one\ntwo\nthree\nfour\nfive\n", isError: false },
  event("tool.before", {
    verdict: "ask",
    input: { file_path: "/proj/notes.md", content: "x" },
    gate: { verdict: "ask", because: "The mode default says ask for tools that write, and no rule decided.", step: "mode", mode: "default" },
  }),
  { type: "approval", agent: null, tool: "Write", input: {}, answer: "allow", by: "terminal" },
  event("tool.after", {}),
  { type: "tool.result", agent: null, useId: "3", name: "Write", output: "Created notes.md (1 bytes).", isError: false },
  response("Done.", [], { input: 23_000, output: 1_000 }),
  { type: "turn.end", agent: null, reason: "stop", text: "Done." },
  { type: "session.end", agent: null, reason: "other", sessionId: "s" },
];

describe("a session, told as a timeline", () => {
  test("at 80 columns", () => {
    expect(told(STORY, { contextUse: () => ({ used: 24_000, contextWindow: 200_000 }) })).toBe(`\
● Bash  rm -rf build && npm run build
  ├ PreToolUse    guard.sh            deny       4 ms      .lime/settings.json:4
  │   rm -rf is blocked by hook
  └ the model was told: rm -rf is blocked by hook

Then by script.

● Bash  npm run clean               rewritten by fix-scripts.sh from "npm clean"
  ├ PreToolUse    fix-scripts.sh      rewrite    3 ms    .robota/settings.json:4
  ├ rule          Bash(npm run *)     allow              .robota/settings.json:3
  ├ pre_tool_use  scan.sh             –        0.4 ms     .goose/settings.json:4
  ├ PostToolUse   log.sh              feedback   9 ms      .claw/settings.json:4
  │   build before you test
  │   one
  │   two
  │   three
  │   … 2 more lines
  └ 2.5 s  ok   hook feedback appended (claw, log.sh)

● Write  notes.md
  ├ mode          default             ask
  ├ approved      by terminal
  └ 2.5 s  ok   Created notes.md (1 bytes).

Done.

  context 12 % of 200k   3 calls: 1 denied, 1 rewritten, 1 approved
  hooks 16 ms in all
`);
  });

  test("with room, reasons stand beside their hooks", () => {
    expect(told(STORY.slice(0, 3), { columns: 120 })).toBe(`\
● Bash  rm -rf build && npm run build
  ├ PreToolUse    guard.sh            deny       4 ms  rm -rf is blocked by hook                   .lime/settings.json:4
  └ the model was told: rm -rf is blocked by hook
`);
  });

  test("colour adds to the words and carries none of them", () => {
    const coloured = told(STORY, { colour: true });
    expect(coloured).toContain("\u001B[31mdeny");
    expect(stripVTControlCharacters(coloured)).toBe(told(STORY));
  });

  test("from 48 columns up, no line is wider than the terminal", () => {
    for (const columns of [48, 60, 72, 80, 100])
      expect(
        told(STORY, { columns })
          .split("\n")
          .filter((line) => widthOf(line) > columns),
      ).toEqual([]);
  });

  test("prompts, notices, faults, questions without anybody, and subagents in a lane of their own", () => {
    const lines: readonly SessionLine[] = [
      {
        type: "notice",
        agent: null,
        message: "guard.sh comes with this folder, which is not trusted; it was left out",
        file: "/proj/.lime/settings.json",
        line: 4,
      },
      event("prompt.submit", {
        hooks: [hook("branch", "mains")],
        effects: [{ hook: 0, dialect: "mains", effect: { kind: "context", text: "You are on branch main." } }],
      }),
      response("", [call("1", "Agent", { description: "look at it", prompt: "look", subagent_type: "reviewer" })]),
      event("tool.before", { hooks: [hook("x.py", "robota", { fault: { kind: "exit", message: "it ended with exit code 3: no such table" } })] }),
      { ...response("I look.", [call("2", "WebFetch", { url: "https://example.com" })]), agent: AGENT },
      { ...event("tool.before", { verdict: "ask" }), agent: AGENT },
      { type: "approval", agent: AGENT, tool: "WebFetch", input: {}, answer: "none", by: "nobody" },
      { type: "tool.result", agent: AGENT, useId: "2", name: "WebFetch", output: "WebFetch was not run: nobody was there to ask.", isError: true },
      { type: "turn.end", agent: AGENT, reason: "stop", text: "" },
      event("tool.after", {}),
      { type: "tool.result", agent: null, useId: "1", name: "Agent", output: "nothing found", isError: false },
      { type: "turn.end", agent: null, reason: "error", text: "", error: "the model said 529" },
    ];
    expect(told(lines, { prompt: "look\nat it" })).toBe(`\
> look
  at it

! guard.sh comes with this folder, which is not trusted; it was left out
  .lime/settings.json:4

○ prompt.submit
  ├ UserPromptSubmit  branch          context  0.0 ms     .mains/settings.json:4
  │   You are on branch main.

● Agent  reviewer
  ├ PreToolUse    x.py                fault    0.0 ms    .robota/settings.json:4
  │   it ended with exit code 3: no such table
  ┊
  ┊ ○ subagent reviewer
  ┊
  ┊ I look.
  ┊
  ┊ ● WebFetch  https://example.com
  ┊   ├ nobody        there to ask
  ┊   └ the model was told: WebFetch was not run: nobody was there to ask.
  └ 2.5 s  ok   nothing found

the turn failed: the model said 529
`);
  });

  test("what a cancelled turn left open is closed", () => {
    const lines: readonly SessionLine[] = [
      response("", [call("1", "Bash", { command: "sleep 60" })]),
      event("tool.before", {}),
      event("turn.cancel", {}),
      { type: "turn.end", agent: null, reason: "cancelled", text: "" },
    ];
    expect(told(lines)).toBe("● Bash  sleep 60\n  └ not finished\n\ncancelled\n");
  });

  test("text is shown once, as it arrives or at the end", () => {
    let out = "";
    const watch = watchSession(surface({ print: (text) => (out += text) }));
    watch.onLine({ type: "model.request", agent: null, round: 1, purpose: "turn", system: "", messages: [], tools: [] });
    for (const delta of ["Hel", "lo \u001B[31m", "world"]) watch.onText(delta, null);
    watch.onLine(response("Hello world", []));
    watch.onLine({ type: "model.request", agent: null, round: 1, purpose: "compaction", system: "", messages: [], tools: [] });
    watch.onText("a secret summary", null);
    watch.onLine(response("a secret summary", []));
    expect(out).toBe("Hello world\n\n○ the conversation is replaced by a summary\n");
  });

  test("nothing that hooks, tools or models say is obeyed by the terminal", () => {
    const nasty = "\u001B[2J\u001B]0;x\u0007\u202Eevil\r";
    const lines: readonly SessionLine[] = [
      response(nasty, [call("1", nasty, { command: nasty })]),
      event("tool.before", { reason: nasty, verdict: "deny", hooks: [hook(nasty, nasty, { reason: nasty, verdict: "deny" })], messages: [nasty] }),
      { type: "tool.result", agent: null, useId: "1", name: nasty, output: nasty, isError: true },
      { type: "notice", agent: null, message: nasty, file: nasty },
      { type: "turn.end", agent: null, reason: "error", text: "", error: nasty },
    ];
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(told(lines, { prompt: nasty })).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  });
});

interface TellOptions extends Pick<WatchOptions, "contextUse"> {
  readonly columns?: number;
  readonly colour?: boolean;
  readonly prompt?: string;
}

/** Tells lines with a clock that jumps when a tool ends. */
function told(lines: readonly SessionLine[], { prompt, contextUse, ...look }: TellOptions = {}): string {
  let out = "";
  let now = 0;
  const watch = watchSession(surface({ ...look, print: (text) => (out += text) }), { now: () => now, ...(contextUse && { contextUse }) });
  if (prompt !== undefined) watch.onPrompt(prompt);
  for (const line of lines) {
    if (line.type === "event" && line.event === "tool.after") now += 2_500;
    watch.onLine(line.type === "event" ? seen(line, watch.onDecision) : line);
  }
  return out;
}

/** The whole decision is shown first, then its line. */
function seen(line: Extract<SessionLine, { type: "event" }>, onDecision: (decision: Decision, event: { name: "setup" }) => void): SessionLine {
  const decision = DECISIONS.get(line.decision);
  if (decision) onDecision(decision, { name: "setup" });
  return line;
}

function surface({ print, columns = 80, colour = false }: { print: (text: string) => void; columns?: number; colour?: boolean }): Surface {
  return {
    env: { HOME: "/home/me" },
    cwd: "/proj",
    stdin: async () => "",
    stdout: print,
    stderr: () => {},
    terminal: { isTerminal: false, columns, colour },
    signal: new AbortController().signal,
    onInterrupt: () => {},
    lines: async function* () {},
    stdinIsTerminal: false,
  };
}

function event(name: string, given: Partial<Decision>): Extract<SessionLine, { type: "event" }> {
  const decision = decisionWith(given);
  const json = decisionJson(decision);
  DECISIONS.set(json, decision);
  return { type: "event", agent: null, event: name, decision: json };
}

function hook(name: string, dialect: string, given: Partial<Decision["hooks"][number]> = {}): Decision["hooks"][number] {
  const source = { file: `/proj/.${dialect}/settings.json`, line: 4, column: 22 };
  return {
    name,
    dialect,
    type: "command",
    source,
    ended: "exited",
    exitCode: 0,
    signal: null,
    durationMs: 0,
    verdict: null,
    reason: null,
    fault: null,
    ...given,
  };
}

function call(id: string, name: string, input: { readonly [key: string]: unknown }): { id: string; name: string; input: { readonly [key: string]: unknown } } {
  return { id, name, input };
}

function response(
  text: string,
  toolCalls: readonly ReturnType<typeof call>[],
  usage = { input: 0, output: 0 },
): Extract<SessionLine, { type: "model.response" }> {
  return { type: "model.response", agent: null, text, toolCalls, usage };
}
