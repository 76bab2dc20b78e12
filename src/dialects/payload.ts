/** Pieces that several dialects' payloads share. */
import { copyOf } from "../lib/copy.ts";
import type { JsonObject } from "../lib/json.ts";
import { trusted } from "../lib/trusted.ts";
import type { EventTool, HookEvent } from "../model/events.ts";
import type { WireEvent } from "./dialect.ts";

/** Copies the keys that have a value: absent is absent, never null. */
export function present(fields: JsonObject): JsonObject {
  const kept: { [key: string]: unknown } = {};
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

/** The native payload: the event's own words, its name under `event`. */
export function nativePayload(event: HookEvent): JsonObject {
  const fields = trusted<JsonObject>(event);
  const payload: { [key: string]: unknown } = { event: event.name };
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value !== undefined && key !== "name") payload[key] = value;
  }
  return payload;
}

/** A copy of the native payload, by the names of what it may hold: a quarter of what a copy of anything costs. */
export function nativeCopy(payload: JsonObject): JsonObject {
  const { tool, agent, task, teammate } = trusted<HookEvent>(payload);
  const copy: { tool?: unknown; agent?: unknown; task?: unknown; teammate?: unknown } = { ...payload };
  if (tool !== undefined) copy.tool = toolCopy(tool);
  if (agent !== undefined) copy.agent = copyOf(agent);
  if (task !== undefined) copy.task = copyOf(task);
  if (teammate !== undefined) copy.teammate = copyOf(teammate);
  return copy;
}

function toolCopy(tool: EventTool): object {
  const copy: { input: unknown; output?: unknown; earlier?: unknown } = { ...tool };
  copy.input = copyOf(tool.input);
  if (typeof tool.output === "object") copy.output = copyOf(tool.output);
  if (tool.earlier !== undefined) copy.earlier = copyOf(tool.earlier);
  return copy;
}

/** Text as it is, anything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Whether the tool has run: only then a hook is shown an output and an error, whatever else the event carries. */
export function isAfter({ name }: HookEvent): boolean {
  return name === "tool.after" || name === "tool.failed";
}

/** The HOOK_* variables that Lime and claw share; is-error and output are each dialect's own affair. */
export function hookEnv({ event, wireName, inputText }: WireEvent): { [name: string]: string } {
  return {
    HOOK_EVENT: wireName,
    ...(event.tool && { HOOK_TOOL_NAME: event.tool.name, HOOK_TOOL_INPUT: inputText ?? "{}" }),
  };
}

/** Every variable that Lime and claw use: an outer hook's values must not leak into an inner one. */
export const HOOK_ENV = [
  "HOOK_EVENT",
  "HOOK_TOOL_NAME",
  "HOOK_TOOL_INPUT",
  "HOOK_TOOL_OUTPUT",
  "HOOK_TOOL_IS_ERROR",
  "HOOK_TOOL_INPUT_FILE",
  "HOOK_TOOL_OUTPUT_FILE",
];

/** Variables of plugin hooks and of Claude Code's own: set only where they belong. */
export const PLUGIN_ENV = ["CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_PATH", "CLAUDE_PLUGIN_DATA", "CLAUDE_ENV_FILE"];

/** The payload of the Claude Code family: base fields and each event's own, under the same names. */
export function claudePayload({ event, wireName }: WireEvent): JsonObject {
  const { tool, agent, task, teammate } = event;
  const failed = event.name === "tool.failed";
  return present({
    session_id: event.sessionId,
    transcript_path: event.transcriptPath,
    cwd: event.cwd,
    prompt_id: event.turnId,
    permission_mode: event.permissionMode,
    agent_id: agent?.id,
    agent_type: agent?.type,
    agent_transcript_path: agent?.transcriptPath,
    hook_event_name: wireName,
    tool_name: tool?.name,
    tool_input: tool?.input,
    tool_use_id: tool?.useId,
    tool_response: failed ? undefined : tool?.output,
    ...(failed && { error: asText(tool?.output ?? ""), is_interrupt: false }),
    duration_ms: tool?.durationMs,
    ...mcpServer(tool?.name),
    prompt: event.prompt,
    source: event.source,
    model: event.model,
    reason: event.reason,
    trigger: event.trigger,
    custom_instructions: event.name === "compact.before" ? (event.instructions ?? null) : undefined,
    compact_summary: event.summary,
    message: event.message,
    title: event.title,
    notification_type: event.kind,
    stop_hook_active: event.stopActive,
    last_assistant_message: event.lastMessage,
    task_id: task?.["id"],
    task_subject: task?.["subject"],
    task_description: task?.["description"],
    teammate_name: teammate?.["name"],
    team_name: teammate?.["team"],
    file_path: event.file,
  });
}

function mcpServer(tool: string | undefined): JsonObject {
  const name = /^mcp__(.+?)__/.exec(tool ?? "")?.[1];
  return name === undefined ? {} : { mcp_server: { name } };
}
