/** An event as it comes from outside → a canonical event. */
import * as v from "valibot";
import { isDeeperThan, isObject, own, parseJson, type JsonObject } from "../lib/json.ts";
import { SnaphookError } from "../model/errors.ts";
import type { EventName, EventTool, HookEvent } from "../model/events.ts";

const text = v.optional(v.string("is not text"));
const flag = v.optional(v.boolean("is not true or false"));
const record = v.optional(v.record(v.string(), v.unknown(), "is not an object"));

const EventInput = v.object(
  {
    sessionId: text,
    turnId: text,
    requestId: text,
    cwd: text,
    transcriptPath: text,
    permissionMode: text,
    agent: v.optional(v.object({ id: text, type: text, transcriptPath: text }, "is not an object")),
    tool: v.optional(
      v.object(
        {
          name: v.optional(v.string("is not text"), ""),
          input: v.optional(v.unknown()),
          output: v.optional(v.unknown()),
          isError: flag,
          useId: text,
          durationMs: v.optional(v.number("is not a number")),
        },
        "is not an object",
      ),
    ),
    prompt: text,
    source: text,
    reason: text,
    trigger: text,
    instructions: text,
    message: text,
    title: text,
    kind: text,
    summary: text,
    stopActive: flag,
    lastMessage: text,
    model: text,
    task: record,
    teammate: record,
    file: text,
  },
  "is not an object",
);

/** Reads an event of a known name. A wrong field is the caller's mistake. */
export function readEvent(name: EventName, value: unknown): HookEvent {
  if (!isObject(value)) throw new SnaphookError("SNAP_BAD_EVENT", { message: "it is not an object" });
  const parsed = v.safeParse(EventInput, withoutNulls(value));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new SnaphookError("SNAP_BAD_EVENT", { message: `${v.getDotPath(issue) ?? "it"} ${issue.message}` });
  }
  const { tool, agent, ...fields } = parsed.output;
  const given = own(value, "tool");
  if (isDeeperThan(given, DEPTH_LIMIT)) throw new SnaphookError("SNAP_BAD_EVENT", { message: `tool is nested deeper than ${DEPTH_LIMIT} levels` });
  return { name, ...present(fields), ...(agent && { agent: present(agent) }), ...(tool && { tool: readTool(tool, isObject(given) ? given : {}) }) };
}

/** Far above what a tool takes, and below what can't be written again as JSON. */
const DEPTH_LIMIT = 2_000;

/** The input of a call is an object, or text that may hold one; text that does not is kept as `{raw}`. */
function readTool(
  { name, isError, useId, durationMs }: { name: string; isError?: boolean | undefined; useId?: string | undefined; durationMs?: number | undefined },
  given: { readonly [key: string]: unknown },
): EventTool {
  const input = own(given, "input");
  const output = own(given, "output");
  const rest = present({ isError, useId, durationMs });
  const outputs = Object.hasOwn(given, "output") && output !== null ? { output } : {};
  if (isObject(input)) return { name, input, ...outputs, ...rest };
  if (input === undefined || input === null) return { name, input: {}, ...outputs, ...rest };
  const raw = typeof input === "string" ? input : JSON.stringify(input);
  const parsed = typeof input === "string" ? parseJson(input) : undefined;
  if (isObject(parsed) && !isDeeperThan(parsed, DEPTH_LIMIT)) return { name, input: parsed, ...outputs, ...rest };
  return { name, input: { raw }, rawInput: raw, ...outputs, ...rest };
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function present<T extends object>(fields: T): Partial<Present<T>> {
  const kept: Partial<Present<T>> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) Object.assign(kept, { [key]: value });
  return kept;
}

/** A null field is an absent one; inside the tool's input and output nulls are data. */
function withoutNulls(value: JsonObject): JsonObject {
  const { tool, ...fields } = value;
  return { ...nonNull(fields), ...(tool !== undefined && tool !== null && { tool: isObject(tool) ? nonNull(tool) : tool }) };
}

function nonNull(fields: { readonly [key: string]: unknown }): object {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null));
}
