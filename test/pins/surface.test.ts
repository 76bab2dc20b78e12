/** What other programs depend on, as literals. A change here is a decision: it belongs in the changelog. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as audit from "../../src/audit/index.ts";
import { DIALECTS } from "../../src/dialects/index.ts";
import * as surface from "../../src/index.ts";
import { ERRORS } from "../../src/model/errors.ts";
import { EVENTS } from "../../src/model/events.ts";
import { LAYERS } from "../../src/model/layer.ts";
import { FAULTS } from "../../src/model/outcome.ts";
import { VERDICTS } from "../../src/model/verdict.ts";
import * as testing from "../../src/testing/index.ts";
import { fire } from "../support/cli.ts";
import { ROOT } from "../support/places.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

describe("the package", () => {
  const manifest: { [key: string]: unknown } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

  test("entry points", () => {
    expect(Object.keys(Object(manifest["exports"]))).toEqual([".", "./audit", "./testing", "./schema/*", "./package.json"]);
    expect(manifest["bin"]).toEqual({ snaphook: "bin/snaphook.js", "snaphook-hook": "bin/snaphook-hook" });
    expect([manifest["type"], manifest["license"], manifest["engines"]]).toEqual(["module", "MIT", { node: ">=20.19" }]);
  });

  test("exports of snaphook", () => {
    expect(Object.keys(surface).toSorted()).toEqual([
      "DIALECTS",
      "ERRORS",
      "EVENTS",
      "FAILURES",
      "MODES",
      "ModelError",
      "SnaphookError",
      "ToolDenied",
      "VERDICTS",
      "createEngine",
      "createSession",
      "defineHook",
      "guardTools",
      "readEvent",
    ]);
  });

  test("exports of snaphook/audit", () => {
    expect(Object.keys(audit).toSorted()).toEqual([
      "endOfLog",
      "followLog",
      "lastEntries",
      "openLog",
      "openRecorder",
      "query",
      "readLog",
      "recordById",
      "series",
      "stats",
      "verify",
    ]);
  });

  test("exports of snaphook/testing", () => {
    expect(Object.keys(testing).toSorted()).toEqual([
      "conformance",
      "detached",
      "exited",
      "failed",
      "hookFor",
      "interpretAs",
      "notStarted",
      "oversized",
      "payloadAs",
      "returned",
      "signalled",
      "startModelServer",
      "timedOut",
    ]);
  });
});

describe("words", () => {
  test("error codes and their exit codes", () => {
    expect(Object.fromEntries(Object.entries(ERRORS).map(([code, { exit }]) => [code, exit]))).toEqual({
      SNAP_USAGE: 64,
      SNAP_UNKNOWN_EVENT: 64,
      SNAP_AMBIGUOUS_EVENT: 64,
      SNAP_UNKNOWN_DIALECT: 64,
      SNAP_BAD_EVENT: 64,
      SNAP_BAD_CONFIG: 78,
      SNAP_NOT_TRUSTED: 78,
      SNAP_NO_MODEL: 64,
      SNAP_ENGINE_CLOSED: 1,
      SNAP_SESSION_ENDED: 1,
      SNAP_SESSION_BUSY: 1,
      SNAP_DAEMON: 1,
      SNAP_INTERNAL: 1,
    });
  });

  test("events", () => {
    expect(Object.keys(EVENTS)).toEqual(
      `
  session.start session.end prompt.submit tool.before tool.after tool.failed permission.request permission.denied
  compact.before compact.after turn.cancel turn.stop notification subagent.start subagent.stop setup
  teammate.idle task.completed config.change
`
        .trim()
        .split(/\s+/),
    );
  });

  test("dialects, faults, verdicts, layers", () => {
    expect(Object.keys(DIALECTS)).toEqual(["lime", "claw", "mains", "robota", "goose", "claude-code", "snaphook"]);
    expect(Object.keys(FAULTS)).toEqual([
      "exit",
      "signal",
      "timeout",
      "not-started",
      "oversized",
      "answer",
      "exception",
      "http",
      "callback",
      "unsupported",
      "changed",
      "cancelled",
    ]);
    expect(VERDICTS).toEqual(["allow", "ask", "deny"]);
    expect(LAYERS).toEqual(["managed", "user", "project", "local", "plugin", "run"]);
  });
});

describe("decision JSON", () => {
  const HOOKS = { hooks: { PreToolUse: ["exit 2"], SessionStart: ["true"] }, permissions: { deny: ["Read"] } };

  test("keys, in order", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".lime/settings.json": HOOKS });
    const args = ["--config", ".lime/settings.json"];
    const denied = (await fire("tool.before", { tool: { name: "Bash", input: {} } }, args, { cwd })).decision;
    expect(Object.keys(denied)).toEqual(
      `
  event verdict reason input originalInput context feedback messages rules interrupt
  hooks notices gate result
`
        .trim()
        .split(/\s+/),
    );
    expect(Object.keys(denied.hooks[0] ?? {})).toEqual([
      "name",
      "dialect",
      "type",
      "source",
      "ended",
      "exitCode",
      "signal",
      "durationMs",
      "verdict",
      "reason",
      "fault",
    ]);
    expect(Object.keys(denied.gate ?? {})).toEqual(["verdict", "because", "step", "mode", "rule"]);
    expect(Object.keys(denied.result ?? {})).toEqual(["output", "isError"]);
    const started = (await fire("session.start", {}, args, { cwd })).decision;
    expect(Object.keys(started)).toEqual(Object.keys(denied).slice(0, 12)); // no call: neither gate nor result
  });
});
