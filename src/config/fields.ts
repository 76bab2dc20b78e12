/** The fields of hook entries: one schema each, from which types, checks and the JSON Schemas come. */
import * as v from "valibot";
import { SANDBOX_LEVELS } from "../lib/sandbox-level.ts";
import { FAILURE_KINDS } from "../model/failure.ts";
import { MODES } from "../model/rule.ts";
import { VERDICTS } from "../model/verdict.ts";

const LIMIT_SECONDS = 86_400;

const text = v.pipe(v.string("is not text"), v.nonEmpty("is empty"));
const flag = v.boolean("is not true or false");
const seconds = v.pipe(
  v.number("is not a number of seconds"),
  v.finite("is not a number of seconds"),
  v.gtValue(0, "is not above 0 seconds"),
  v.maxValue(LIMIT_SECONDS, `is above ${LIMIT_SECONDS} seconds`),
);

/** `10s`, `500ms`, `2m`. */
const duration = v.pipe(
  v.string("is not a duration; write 10s, 500ms or 2m"),
  v.regex(/^[0-9]+(\.[0-9]+)?(ms|s|m)$/, "is not a duration; write 10s, 500ms or 2m"),
);

const verdict = v.picklist(VERDICTS);
/** `{"timeout": "deny", "badOutput": "ask", "default": "ask"}`. */
const faultTable = v.strictObject(v.entriesFromList([...FAILURE_KINDS, "default" as const], v.exactOptional(verdict)));

/** Every field that some entry may have. */
export const FIELDS = {
  type: v.picklist(["command", "http", "callback", "module", "prompt", "agent"], "is not one of command, http, callback, module, prompt, agent"),
  command: text,
  args: v.array(v.string("is not text"), "is not a list of texts"),
  url: v.pipe(v.string("is not text"), v.url("is not a URL"), v.regex(/^https?:/i, "is not an http or https URL")),
  headers: v.record(v.string(), v.string("is not text"), "is not an object of texts"),
  allowedEnvVars: v.array(v.string("is not text"), "is not a list of variable names"),
  secret: text,
  callback: text,
  module: text,
  prompt: text,
  model: text,
  matcher: v.string("is not text"),
  tool_name: v.string("is not text"),
  if: text,
  timeout: seconds,
  duration,
  onFault: v.union([verdict, faultTable], "is neither one of allow, ask, deny nor an object of them by kind of failure"),
  once: flag,
  async: flag,
  enabled: flag,
  name: text,
  env: v.record(v.string(), v.string("is not text"), "is not an object of texts"),
  passEnv: v.array(v.pipe(v.string("is not text"), v.regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, "is not the name of a variable")), "is not a list of variable names"),
  sandbox: v.picklist(SANDBOX_LEVELS, "is not one of none, readonly, strict"),
  worker: flag,
  idle: duration,
  statusMessage: v.string("is not text"),
} as const;

export type FieldName = keyof typeof FIELDS;

/** The value of a field, once read. */
export type FieldValue<Name extends FieldName> = v.InferOutput<(typeof FIELDS)[Name]>;

/** The same table, so that a generic name finds the schema of its own value. */
export const SCHEMAS: { readonly [Name in FieldName]: v.GenericSchema<unknown, FieldValue<Name>> } = FIELDS;

/** `permissions` in any settings file. */
export const PERMISSION_FIELDS = {
  allow: v.array(v.string()),
  ask: v.array(v.string()),
  deny: v.array(v.string()),
  defaultMode: v.picklist(MODES, `is not one of ${MODES.join(", ")}`),
  disableBypassPermissionsMode: v.picklist(["disable"]),
} as const;

/** What a fault in reading an optional field does to the hook: it stays armed, with the value that guards more. */
export const SAFE_VALUE: { readonly [name in FieldName]?: FieldValue<name> } = { onFault: "deny", enabled: true, async: false, once: false, sandbox: "strict" };

/** Milliseconds of a duration text that the schema has accepted. */
export function durationMs(written: string): number {
  const amount = Number.parseFloat(written);
  if (written.endsWith("ms")) return amount;
  return amount * (written.endsWith("m") ? 60_000 : 1_000);
}
