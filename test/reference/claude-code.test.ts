/** What real hooks of Claude Code received, against what ours are shown: the recordings stand in claude-code/. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { readEvent } from "../../src/engine/event-input.ts";
import { isObject, type JsonObject } from "../../src/lib/json.ts";
import { payloadAs } from "../../src/testing/index.ts";
import { ROOT } from "../support/places.ts";

const FOLDER = join(ROOT, "test/reference/claude-code");
const dialect = DIALECTS["claude-code"];

interface Recording {
  readonly name: string;
  readonly wire: string;
  readonly stdin: JsonObject;
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
}

/** Keys of the recordings that ours do not carry, and why. */
const NOT_OURS: { readonly [key: string]: string } = {
  background_tasks: "the agent's own background tasks; a canonical event has none",
  session_crons: "the agent's own schedules; a canonical event has none",
  permission_suggestions: "the agent's own dialogue; ours offers allow, always, deny",
};

/** Values of which ours carry only a part. */
const PARTLY_OURS: { readonly [key: string]: (value: unknown) => unknown } = {
  // `source` (dynamic, project…) is how the agent came to know the server: nothing tells us.
  mcp_server: (value) => (isObject(value) ? { name: value["name"] } : value),
};

/** Variables of the recordings that belong to the agent's own process. CLAUDE_ENV_FILE and CLAUDE_PLUGIN_DATA come with the session. */
const OUR_ENV = ["CLAUDE_PROJECT_DIR"];

const recordings: readonly Recording[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .map((file) => {
    const name = basename(file, ".json");
    const recorded: Omit<Recording, "name" | "wire"> = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
    return { ...recorded, name, wire: String(recorded.stdin["hook_event_name"]) };
  });
const fired = recordings.filter(({ wire }) => Object.hasOwn(dialect.events, wire));

test("every recorded event is one of ours, or is known to have no counterpart", () => {
  const unknown = recordings.filter((recording) => !fired.includes(recording)).map(({ wire }) => wire);
  expect(unknown.filter((wire) => !dialect.unfired.includes(wire))).toEqual([]);
  expect(fired.length).toBeGreaterThan(30);
});

describe("stdin", () => {
  test.each(fired)("$name", ({ wire, stdin }) => {
    const name = dialect.events[wire]?.is[0] ?? "notification";
    const ours = payloadAs(dialect, wire, readEvent(name, canonical(stdin))).stdin;
    const claimed = Object.entries(stdin).filter(([key]) => !Object.hasOwn(NOT_OURS, key));
    expect(ours).toEqual(Object.fromEntries(claimed.map(([key, value]) => [key, PARTLY_OURS[key]?.(value) ?? value])));
  });
});

describe("environment", () => {
  test.each(fired)("$name", ({ wire, env, cwd }) => {
    const name = dialect.events[wire]?.is[0] ?? "notification";
    const ours = payloadAs(dialect, wire, { name, cwd: env["CLAUDE_PROJECT_DIR"] ?? cwd }).env;
    expect(ours).toEqual(Object.fromEntries(OUR_ENV.map((variable) => [variable, env[variable]])));
  });
});

test("every key that is not ours was recorded", () => {
  const recorded = new Set(fired.flatMap(({ stdin }) => Object.keys(stdin)));
  expect(Object.keys({ ...NOT_OURS, ...PARTLY_OURS }).filter((key) => !recorded.has(key))).toEqual([]);
});

/** The canonical event from which a recording's payload should come. */
function canonical(stdin: JsonObject): JsonObject {
  const failed = Object.hasOwn(stdin, "error");
  const tool = {
    name: stdin["tool_name"],
    input: stdin["tool_input"],
    useId: stdin["tool_use_id"],
    output: failed ? stdin["error"] : stdin["tool_response"],
    durationMs: stdin["duration_ms"],
    isError: failed ? true : undefined,
  };
  return {
    sessionId: stdin["session_id"],
    transcriptPath: stdin["transcript_path"],
    cwd: stdin["cwd"],
    turnId: stdin["prompt_id"],
    permissionMode: stdin["permission_mode"],
    ...(stdin["agent_id"] !== undefined && { agent: { id: stdin["agent_id"], type: stdin["agent_type"], transcriptPath: stdin["agent_transcript_path"] } }),
    ...(stdin["tool_name"] !== undefined && { tool }),
    ...(stdin["task_id"] !== undefined && { task: { id: stdin["task_id"], subject: stdin["task_subject"], description: stdin["task_description"] } }),
    prompt: stdin["prompt"],
    source: stdin["source"],
    model: stdin["model"],
    reason: stdin["reason"],
    trigger: stdin["trigger"],
    instructions: stdin["custom_instructions"],
    summary: stdin["compact_summary"],
    stopActive: stdin["stop_hook_active"],
    lastMessage: stdin["last_assistant_message"],
    file: stdin["file_path"],
  };
}
