/** What engines, sessions and bridges put on record, and what happens when they can't. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openRecorder, readLog, verify, type AuditRecord, type RecorderOptions, type AuditRecorder } from "../../src/audit/index.ts";
import { createEngine, type Engine, type EngineOptions } from "../../src/engine/engine.ts";
import { recorded } from "../../src/engine/record.ts";
import { joinRecorders } from "../../src/model/recorder.ts";
import { fixedMouth, preparedMouth, type Mouth } from "../../src/session/approvals.ts";
import { createSession } from "../../src/session/create.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const NO_HOOKS = { hooks: {} };

async function engineIn(cwd: string, options: Partial<EngineOptions> & { readonly recorder: AuditRecorder }): Promise<Engine> {
  const engine = await createEngine({ cwd, env: { PATH: process.env["PATH"], HOME: join(cwd, "home") }, trust: true, ...options });
  onTestFinished(async () => {
    await engine.close();
    options.recorder.close();
  });
  return engine;
}

function recorderIn(cwd: string, options: Partial<RecorderOptions> = {}): AuditRecorder {
  return openRecorder({ folder: join(cwd, "audit"), now: () => new Date("2026-11-15T10:00:00Z"), ...options });
}

function recordsIn(cwd: string): readonly AuditRecord[] {
  return [...readLog(join(cwd, "audit"))].map(({ record }) => record);
}

describe("an engine", () => {
  test("puts every event on record with its decision, hooks, rule, places, times and who decided", async () => {
    const cwd = tempFolder();
    const settings = { hooks: { PreToolUse: ["echo no >&2; echo blocked; exit 2", "exit 9"] }, permissions: { deny: ["Bash(rm *)"] } };
    writeFiles(cwd, { ".lime/settings.json": settings });
    const file = join(cwd, ".lime/settings.json");
    const engine = await engineIn(cwd, { recorder: recorderIn(cwd) });
    const event = { sessionId: "s", turnId: "t", requestId: "r", permissionMode: "acceptEdits", cwd, agent: { id: "a", type: "reviewer" } };
    const decision = await engine.fire({ name: "tool.before", ...event, tool: { name: "Bash", input: { command: "rm -rf x" }, useId: "u" } });
    const [record] = recordsIn(cwd);
    const place = { file, line: expect.any(Number), column: expect.any(Number) };
    expect(record).toEqual({
      seq: 2,
      type: "decision",
      id: decision.id,
      at: "2026-11-15T10:00:00.000Z",
      session: "s",
      turn: "t",
      request: "r",
      agent: { id: "a", type: "reviewer" },
      cwd,
      mode: "acceptEdits",
      event: "tool.before",
      verdict: "deny",
      reason: decision.reason,
      by: [
        { kind: "rule", name: "Bash(rm *)" },
        { kind: "hook", name: "echo no >&2; echo blocked; exit 2" },
      ],
      tool: { name: "Bash", input: { command: "rm -rf x" }, useId: "u" },
      gate: {
        verdict: "deny",
        because: expect.stringContaining("Bash(rm *)"),
        step: "deny-rule",
        mode: "acceptEdits",
        rule: { verdict: "deny", text: "Bash(rm *)", ...place },
      },
      hooks: [
        expect.objectContaining({
          name: "echo no >&2; echo blocked; exit 2",
          dialect: "lime",
          type: "command",
          source: place,
          ended: "exited",
          exitCode: 2,
          verdict: "deny",
        }),
        expect.objectContaining({ name: "exit 9", ended: "exited", exitCode: 9, fault: { kind: "exit", message: expect.any(String) } }),
      ],
      notices: expect.arrayContaining([{ kind: "fault", message: expect.any(String) }]),
      durationMs: expect.any(Number),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(decision.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
  });

  test("without a recorder a decision has no id", async () => {
    const engine = await createEngine({ cwd: tempFolder(), env: {}, discover: false });
    expect(await engine.fire({ name: "setup" })).not.toHaveProperty("id");
    await engine.close();
  });

  test("keeps the input before a rewrite, what the model was given, and the fields of other events", async () => {
    const cwd = tempFolder();
    const answer = { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "ls -l" }, additionalContext: "careful" } };
    writeFiles(cwd, { ".lime/settings.json": { hooks: { PreToolUse: [`echo '${JSON.stringify(answer)}'`] } } });
    const engine = await engineIn(cwd, { recorder: recorderIn(cwd) });
    await engine.fire({ name: "tool.before", tool: { name: "Bash", input: { command: "ls" } } });
    await engine.fire({ name: "tool.after", tool: { name: "Bash", input: { command: "ls -l" }, output: "total 0", isError: false, durationMs: 3 } });
    await engine.fire({ name: "prompt.submit", prompt: "hello" });
    expect(recordsIn(cwd)).toMatchObject([
      { tool: { input: { command: "ls -l" }, originalInput: { command: "ls" } }, context: ["careful"] },
      { event: "tool.after", tool: { output: "total 0", isError: false, durationMs: 3 } },
      { event: "prompt.submit", fields: { prompt: "hello" } },
    ]);
  });

  test("puts hooks on record that nobody waited for, when they end", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".lime/settings.json": { hooks: { PostToolUse: ["exit 3"] } } });
    const engine = await engineIn(cwd, { recorder: recorderIn(cwd) });
    await engine.fire({ name: "tool.after", sessionId: "s", tool: { name: "Bash", input: {}, output: "", useId: "u" } });
    await engine.settled();
    expect(recordsIn(cwd).find(({ type }) => type === "detached")).toMatchObject({
      session: "s",
      event: "tool.after",
      tool: { useId: "u" },
      hooks: [{ name: "exit 3", ended: "exited", exitCode: 3, fault: { kind: "exit" } }],
    });
  });

  test("no secret of a call, an output, a reason or a hook's command is on disk", async () => {
    const cwd = tempFolder();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    writeFiles(cwd, { ".lime/settings.json": { hooks: { PreToolUse: [`echo 'key ${secret}' && exit 2`] } } });
    const engine = await engineIn(cwd, { recorder: recorderIn(cwd, { secrets: ["correct-horse-battery"] }) });
    await engine.fire({
      name: "tool.before",
      tool: { name: "Bash", input: { command: `curl -H 'Authorization: Bearer ${secret}' correct-horse-battery`, password: "hunter2" } },
    });
    await engine.fire({ name: "tool.after", tool: { name: "Bash", input: {}, output: `API_KEY=${secret}\ncorrect-horse-battery` } });
    const text = readFileSync(join(cwd, "audit", "lane-00-000001.jsonl"), "utf8");
    expect([secret, "correct-horse", "hunter2"].filter((each) => text.includes(each))).toEqual([]);
    expect(text).toContain("[redacted by name]");
  });

  test("a hook's content hash is on record where somebody knows it", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".lime/settings.json": { hooks: { PreToolUse: ["true", "exit 2"] } } });
    const recorder = recorderIn(cwd);
    const plain = await createEngine({ cwd, env: { PATH: process.env["PATH"], HOME: cwd }, trust: true });
    const engine = recorded(plain, recorder, (hook) => (hook.name === "true" ? "sha256:abc" : null));
    await engine.fire({ name: "tool.before", tool: { name: "Bash", input: {} } });
    await engine.close();
    recorder.close();
    expect(recordsIn(cwd)).toMatchObject([{ hooks: [{ name: "true", hash: "sha256:abc" }, { name: "exit 2" }] }]);
    expect(recordsIn(cwd)[0]).not.toHaveProperty("hooks.1.hash");
  });

  test("values that JSON does not know, and getters that throw, do not stop a decision", async () => {
    const cwd = tempFolder();
    const engine = await engineIn(cwd, { recorder: recorderIn(cwd) });
    const odd = {
      name: "Bash",
      input: { big: 10n, self: () => {} },
      output: {
        get x() {
          throw new Error("no");
        },
      },
    };
    const decision = await engine.fire({ name: "tool.after", tool: odd });
    expect(decision.notices).toMatchObject([{ kind: "audit", message: "this decision is not on record: no" }]);
    expect((await engine.fire({ name: "setup" })).id).toBeDefined();
  });
});

describe("a log that can't be written", () => {
  test("lets the decision stand, with a notice, and is tried again", async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, "audit"), "in the way");
    const engine = await engineIn(cwd, { recorder: recorderIn(cwd), rules: [{ verdict: "allow", text: "Bash(ls)" }] });
    const event = { name: "tool.before", tool: { name: "Bash", input: { command: "ls" } } } as const;
    const unrecorded = await engine.fire(event);
    expect(unrecorded).toMatchObject({ verdict: "allow", notices: [{ kind: "audit", message: expect.stringContaining("this decision is not on record") }] });
    expect(unrecorded.id).toBeUndefined();
    rmSync(join(cwd, "audit"));
    const next = await engine.fire(event);
    expect([next.notices, recordsIn(cwd).map(({ id }) => id)]).toEqual([[], [next.id]]);
  });

  test("denies what it can where a record is required: no record, no call", async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, "audit"), "in the way");
    const engine = await engineIn(cwd, { recorder: recorderIn(cwd, { required: true }), rules: [{ verdict: "allow", text: "Bash(ls)" }] });
    const denied = await engine.fire({ name: "tool.before", tool: { name: "Bash", input: { command: "ls" } } });
    expect(denied).toMatchObject({
      verdict: "deny",
      reason: expect.stringContaining("must be on record"),
      result: { isError: true, output: expect.stringContaining("must be on record") },
    });
    expect((await engine.fire({ name: "prompt.submit", prompt: "x" })).verdict).toBe("deny");
    expect((await engine.fire({ name: "session.end" })).verdict).toBeNull();
  });

  test("a repaired tail is told once", async () => {
    const cwd = tempFolder();
    const before = await engineIn(cwd, { recorder: recorderIn(cwd) });
    await before.fire({ name: "setup" });
    const head = readFileSync(join(cwd, "audit", "lane-00.head"));
    const path = join(cwd, "audit", "lane-00-000001.jsonl");
    const lines = readFileSync(path);
    rmSync(join(cwd, "audit"), { recursive: true });
    writeFiles(cwd, { "audit/lane-00.head": head.toString(), "audit/lane-00-000001.jsonl": `${lines.toString()}{"seq":` });
    const engine = await engineIn(cwd, { recorder: recorderIn(cwd) });
    const told = [await engine.fire({ name: "setup" }), await engine.fire({ name: "setup" })].map(({ notices }) => notices.map(({ message }) => message));
    expect(told).toEqual([["the audit log was repaired when it was opened: an unfinished record of 7 bytes was cut off"], []]);
  });
});

describe("a session", () => {
  async function sessionWith(cwd: string, { mouths, recorder }: { mouths: readonly Mouth[]; recorder: AuditRecorder }): Promise<void> {
    const call = { name: "Write", input: { file_path: "a.txt", content: "x" } };
    writeFiles(cwd, {
      ".lime/settings.json": NO_HOOKS,
      "model.yaml": JSON.stringify({ turns: [{ toolCalls: [call] }, { toolCalls: [call] }, { text: "done" }] }),
    });
    const session = await createSession({
      cwd,
      env: { HOME: join(cwd, "home"), PATH: process.env["PATH"] },
      model: "script:model.yaml",
      mouths,
      recorder,
      unrecorded: true,
    });
    await session.prompt("go");
    await session.end("other");
    recorder.close();
  }

  test("records who answered each question, also an earlier always", async () => {
    const cwd = tempFolder();
    await sessionWith(cwd, { mouths: [preparedMouth([{ tool: "Write", answer: "always", text: "fine" }], "answers.json")], recorder: recorderIn(cwd) });
    const answers = recordsIn(cwd).filter(({ type }) => type === "approval");
    expect(answers).toMatchObject([
      {
        answer: "always",
        approver: "answers.json",
        text: "fine",
        tool: { name: "Write", input: { file_path: "a.txt" } },
        reason: expect.stringContaining("mode default"),
      },
      { answer: "allow", approver: 'an earlier "always"' },
    ]);
    expect(answers.every(({ session, tool }) => session !== undefined && tool?.useId !== undefined)).toBe(true);
    expect(verify(join(cwd, "audit")).ok).toBe(true);
  });

  test("records that nobody was there", async () => {
    const cwd = tempFolder();
    await sessionWith(cwd, { mouths: [], recorder: recorderIn(cwd) });
    expect(recordsIn(cwd).filter(({ type }) => type === "approval")).toMatchObject([
      { answer: "none", approver: "nobody" },
      { answer: "none", approver: "nobody" },
    ]);
  });

  test("an answer that must be on record and can't be is worth nothing", async () => {
    const cwd = tempFolder();
    const inner = recorderIn(cwd);
    const full = { ...inner, folder: inner.folder, problem: null, approved: () => "the answer can't be recorded (disk full)" };
    await sessionWith(cwd, { mouths: [fixedMouth("allow")], recorder: full });
    const results = recordsIn(cwd).filter((record) => record.type === "decision" && record.event === "permission.denied");
    expect(results).toMatchObject([{ fields: { reason: "the answer can't be recorded (disk full)" } }, {}]);
  });
});

test("several recorders see the decision as the one before them left it", async () => {
  const cwd = tempFolder();
  const seen: (string | undefined)[] = [];
  const audit = recorderIn(cwd);
  const recorder = joinRecorders([audit, { decided: (decision) => (seen.push(decision.id), decision), detached: () => {}, approved: () => null }]);
  const engine = await createEngine({ cwd, env: {}, discover: false, ...(recorder && { recorder }) });
  const decision = await engine.fire({ name: "setup" });
  expect(seen).toEqual([decision.id]);
  await engine.close();
  audit.close();
});
