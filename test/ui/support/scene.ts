/** A session, a question and a log that are always the same: for pictures, and for every word in them replaced. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { segmentPath } from "../../../src/audit/files.ts";
import { readRecord } from "../../../src/audit/record.ts";
import { openRecorder } from "../../../src/audit/recorder.ts";
import { Feed } from "../../../src/desk/feed.ts";
import { PLACES } from "../../../src/desk/places.ts";
import type { JsonObject } from "../../../src/lib/json.ts";
import type { Decision, HookReport } from "../../../src/model/decision.ts";
import { decisionJson } from "../../../src/model/decision-json.ts";
import { keepOutput } from "../../../src/model/hook-output.ts";
import type { Verdict } from "../../../src/model/verdict.ts";
import type { LineBody, SessionLine } from "../../../src/session/lines.ts";

/** Changes every text of a scene. */
export type Say = (text: string) => string;

const DAY = "2026-11-14T";
const SESSION = "01a1d000-0000-7000-8000-000000000001";
const SCOUT = { id: "agent-1", type: "explorer" };

interface Told {
  readonly verdict?: Verdict;
  readonly reason?: string;
  readonly input?: JsonObject;
  readonly originalInput?: JsonObject;
  readonly hooks?: readonly HookReport[];
  readonly context?: readonly string[];
  readonly gate?: Decision["gate"];
}

function decision(event: Decision["event"], { verdict, reason, input, originalInput = input, hooks = [], context = [], gate }: Told = {}): Decision {
  return {
    event,
    verdict: verdict ?? null,
    reason: reason ?? null,
    input: input ?? null,
    originalInput: originalInput ?? null,
    context,
    feedback: [],
    messages: [],
    rules: [],
    interrupt: false,
    result: null,
    gate: gate ?? null,
    hooks,
    notices: [],
    effects: [],
  };
}

/** Lays a session out on a desk: a turn with a denial, a rewrite, an agent beside it, and a question that waits. */
export function laySession(desk: string, say: Say = (text) => text): void {
  const hook = (name: string, durationMs: number, more: Partial<HookReport> = {}, printed = { stdout: "", stderr: "" }): HookReport =>
    keepOutput(
      {
        name: say(name),
        dialect: "snaphook",
        type: "command",
        source: { file: say("/home/ada/site/.snaphook/hooks.yaml"), line: 4, column: 7 },
        ended: "exited",
        exitCode: 0,
        signal: null,
        durationMs,
        verdict: null,
        reason: null,
        fault: null,
        ...more,
      },
      { kind: "exited", code: 0, stdout: say(printed.stdout), stderr: say(printed.stderr) },
    );
  const shell = (command: string): JsonObject => ({ command: say(command) });
  const feed = new Feed(desk, {
    id: SESSION,
    pid: process.pid,
    cwd: say("/home/ada/site"),
    model: say("anthropic:claude-sonnet-4-5"),
    mode: "default",
    startedAt: `${DAY}09:00:00Z`,
  });
  let second = 0;
  const tell = (body: LineBody, agent: SessionLine["agent"] = null): void =>
    feed.line({ ...body, agent }, `${DAY}09:00:${String((second += 1)).padStart(2, "0")}Z`);
  const event = (made: Decision, agent: SessionLine["agent"] = null): void => tell({ type: "event", event: made.event, decision: decisionJson(made) }, agent);
  const usage = { input: 21_300, output: 120 };
  const model = (text: string, calls: readonly [id: string, name: string, input: JsonObject][], agent: SessionLine["agent"] = null): void =>
    tell({ type: "model.response", text: say(text), toolCalls: calls.map(([id, name, input]) => ({ id, name, input })), usage }, agent);
  const result = (useId: string, output: string, isError = false, agent: SessionLine["agent"] = null): void =>
    tell({ type: "tool.result", useId, name: "Bash", output: say(output), isError }, agent);
  const byMode = { verdict: "ask", because: say("The mode default says ask for shell commands, and no rule decided."), step: "mode", mode: "default" } as const;
  const byRule = {
    verdict: "allow",
    because: say("Allowed by the allow rule Bash(npm run *) at settings.json:4:15."),
    step: "allow-rule",
    mode: "default",
  } as const;

  event(decision("session.start", { hooks: [hook("./scripts/branch.sh", 4.1)], context: [say("You are on branch main.")] }));
  event(decision("prompt.submit"));
  tell({
    type: "model.request",
    round: 1,
    purpose: "turn",
    system: say("You are a coding agent."),
    messages: [{ role: "user", text: say("Clean up the build folder, then publish the site.") }],
    tools: ["Bash"],
  });
  model("First the build folder.", [["c1", "Bash", shell("rm -rf build")]]);
  event(
    decision("tool.before", {
      verdict: "deny",
      reason: say("rm -rf is blocked by hook"),
      input: shell("rm -rf build"),
      gate: byMode,
      hooks: [
        hook(
          "./scripts/guard.sh",
          4.4,
          { verdict: "deny", exitCode: 2, reason: say("rm -rf is blocked by hook") },
          { stdout: "", stderr: "rm -rf is blocked by hook\n" },
        ),
        hook("./scripts/audit.py", 31),
      ],
    }),
  );
  result("c1", "rm -rf is blocked by hook", true);
  model("Then with the script that is made for it.", [["c2", "Bash", shell("npm clean")]]);
  event(
    decision("tool.before", {
      verdict: "allow",
      reason: byRule.because,
      input: shell("npm run clean"),
      originalInput: shell("npm clean"),
      gate: byRule,
      hooks: [hook("./scripts/fix-scripts.sh", 6.2, {}, { stdout: '{"input":{"command":"npm run clean"}}', stderr: "" }), hook("./scripts/audit.py", 28)],
    }),
  );
  event(decision("tool.after", { input: shell("npm run clean"), hooks: [hook("./scripts/log.sh", 3.3)] }));
  result("c2", "> site@1.0.0 clean\n> rimraf build\n");
  event(decision("subagent.start"), SCOUT);
  model("I look for pages without a title.", [["s1", "Grep", { pattern: say("<title></title>") }]], SCOUT);
  event(decision("tool.before", { verdict: "allow", input: { pattern: say("<title></title>") }, hooks: [hook("./scripts/audit.py", 29)] }), SCOUT);
  result("s1", "pages/draft.html:4", false, SCOUT);
  tell({ type: "turn.end", reason: "stop", text: say("One page has no title: pages/draft.html.") }, SCOUT);
  model("Now the site can be published.", [["c3", "Bash", shell("git push origin main && ssh web1 ./deploy.sh")]]);
  event(
    decision("tool.before", {
      verdict: "ask",
      reason: byMode.because,
      input: shell("git push origin main && ssh web1 ./deploy.sh"),
      gate: byMode,
      hooks: [
        hook("./scripts/guard.sh", 4),
        hook("./scripts/scan.py", 52, { ended: "timed-out", exitCode: null, fault: { kind: "timeout", message: say("no answer within 50 ms") } }),
      ],
    }),
  );
  tell({ type: "notice", message: say("the hook ./scripts/scan.py has failed twice"), file: say("/home/ada/site/.snaphook/hooks.yaml"), line: 9, column: 7 });
  ask(feed.folder, {
    id: "01a1d000-0000-7000-8000-00000000000a",
    tool: say("Bash"),
    input: shell("git push origin main && ssh web1 ./deploy.sh"),
    reason: byMode.because,
  });
}

function ask(folder: string, { id, ...question }: { readonly id: string; readonly tool: string; readonly input: JsonObject; readonly reason: string }): void {
  mkdirSync(PLACES.asks(folder), { recursive: true, mode: 0o700 });
  const asked = { id, sessionId: SESSION, agent: null, askedAt: `${DAY}09:00:21Z`, expiresAt: null, ...question };
  writeFileSync(join(PLACES.asks(folder), `${id}.json`), JSON.stringify(asked), { mode: 0o600 });
}

const LINES_AT = `${DAY}09:00:00Z`;

/** Lays out a session of many lines: calls that two hooks let pass, each named after its number. Returns what can lay out more. */
export function layLines(desk: string, count: number): (line: LineBody) => void {
  const hook = { name: "./guard.sh", dialect: "snaphook", type: "command", source: null, ended: "exited", exitCode: 0, signal: null } as const;
  const hooks = [4, 9].map((durationMs) => ({ ...hook, durationMs, verdict: null, reason: null, fault: null }));
  const line = (seq: number): string => {
    const made = decisionJson(decision("tool.before", { verdict: "allow", input: { command: `npm test ${seq}.` }, hooks }));
    return `${JSON.stringify({ seq, at: LINES_AT, line: { type: "event", agent: null, event: "tool.before", decision: made } })}\n`;
  };
  const folder = PLACES.session(desk, "long");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(PLACES.lines(folder), Array.from({ length: count }, (_, index) => line(index + 1)).join(""), { mode: 0o600 });
  const feed = new Feed(desk, { id: "long", pid: process.pid, cwd: "/home/ada/long", model: "script", mode: "default", startedAt: LINES_AT });
  return (body) => feed.line({ ...body, agent: null }, LINES_AT);
}

const COMMANDS = ["npm test", "git status", "npm run build", "rm -rf build", "git push origin main", "ls -la pages", "cat .env", "npm run clean"];
const VERDICTS: readonly Verdict[] = ["allow", "allow", "allow", "deny", "ask", "allow", "deny", "allow"];

/** Takes down a day's decisions. */
export function layLog(folder: string, count: number, say: Say = (text) => text): void {
  let now = new Date(`${DAY}08:00:00Z`);
  const recorder = openRecorder({ folder, now: () => now });
  for (let index = 0; index < count; index += 1) {
    now = new Date(Date.parse(`${DAY}08:00:00Z`) + Math.floor((index * 36_000_000) / count) + (index % 7) * 900);
    const input = { command: say(COMMANDS[index % COMMANDS.length] ?? "") };
    const verdict = VERDICTS[index % VERDICTS.length] ?? "allow";
    const times = [3 + ((index * 7) % 11) / 2, 24 + ((index * 13) % 29) + (index % 50 === 0 ? 90 : 0)];
    const hooks = ["./scripts/guard.sh", "./scripts/audit.py"].map((name, which): HookReport => ({
      name: say(name),
      dialect: "snaphook",
      type: "command",
      source: { file: say("/home/ada/site/.snaphook/hooks.yaml"), line: 4 + which, column: 7 },
      ended: "exited",
      exitCode: 0,
      signal: null,
      durationMs: times[which] ?? 1,
      verdict: which === 0 && verdict === "deny" ? "deny" : null,
      reason: which === 0 && verdict === "deny" ? say("blocked by hook") : null,
      fault: which === 1 && index % 60 === 0 ? { kind: "timeout", message: say("no answer in time") } : null,
    }));
    const event = {
      name: "tool.before",
      sessionId: `session-${Math.floor(index / 100)}`,
      cwd: say("/home/ada/site"),
      permissionMode: "default",
      tool: { name: "Bash", input },
    } as const;
    recorder.decided(decision("tool.before", { verdict, reason: say(`${verdict} by a rule`), input, hooks }), { event, durationMs: 40, hashOf: () => null });
  }
  recorder.close();
}

/** The same day over and over, until there are so many: written at once, as no program could that takes decisions. */
export function layManyRecords(folder: string, count: number): void {
  const day = 1_000;
  layLog(folder, day);
  const segment = segmentPath(folder, 0, 1);
  const lines = readFileSync(segment, "utf8")
    .split("\n")
    .filter((line) => readRecord(line));
  writeFileSync(segment, `${lines.join("\n")}\n`.repeat(count / day));
}
