/** JSON Schemas (draft-07, which every editor knows) of the dialects' configuration files. */
import { toJsonSchema } from "@valibot/to-json-schema";
import { EVENT_TIMEOUT } from "../../src/config/event-timeout.ts";
import { FIELDS, PERMISSION_FIELDS, type FieldName } from "../../src/config/fields.ts";
import { typedFieldsOf } from "../../src/config/shapes/action.ts";
import { GOOSE_FIELDS, NATIVE_FIELDS } from "../../src/config/shapes/flat.ts";
import { NAMED_GROUP_FIELDS, TYPED_GROUP_FIELDS } from "../../src/config/shapes/groups.ts";
import { SWITCHES } from "../../src/config/switches.ts";
import { TERMS } from "../../src/config/terms.ts";
import type { Dialect, Shape } from "../../src/dialects/dialect.ts";
import { DIALECT_LIST } from "../../src/dialects/index.ts";
import { lookup, type JsonObject } from "../../src/lib/json.ts";
import { FAILURES } from "../../src/model/failure.ts";
import type { ActionType } from "../../src/model/hook.ts";
import { VERDICTS } from "../../src/model/verdict.ts";
import { EVENT_TEXTS, EVENT_TIMEOUT_TEXT, FIELD_TEXTS, MATCHER_TEXTS } from "./texts.ts";

const DRAFT = "http://json-schema.org/draft-07/schema#";

/** The schema of one dialect's file: strict in our own, tolerant of other programs' keys in theirs. */
export function dialectSchema(dialect: Dialect): JsonObject {
  const strict = dialect.config.shape === "native";
  return {
    $schema: DRAFT,
    title: `Hooks of ${dialect.title}`,
    description: `${dialect.config.places.map(({ path }) => path).join(", ")}. Generated from the tables of Snaphook.`,
    type: "object",
    properties: {
      $schema: { type: "string", description: "The address or path of this schema, for editors." },
      hooks: { description: "Hooks by event.", type: ["object", "null"], properties: eventSchemas([dialect]), additionalProperties: false },
      permissions: permissionsSchema(strict),
      ...(strict && { [EVENT_TIMEOUT]: { description: EVENT_TIMEOUT_TEXT, ...plainSchema(FIELDS.duration), examples: ["30s"] } }),
      ...rootSchemas(strict ? "own" : "any"),
    },
    additionalProperties: !strict,
    definitions: { [dialect.id]: ENTRIES[dialect.config.shape](dialect) },
  };
}

/** The schema of a file that several dialects share: the shape of an entry names its dialect. */
export function sharedSchema(path: string): JsonObject {
  const dialects = DIALECT_LIST.filter(({ config }) => config.places.some((place) => place.base === "project" && place.path === path));
  return {
    $schema: DRAFT,
    title: `Hooks in ${path}`,
    description: `A file that ${dialects.map(({ title }) => title).join(", ")} share. Generated from the tables of Snaphook.`,
    type: "object",
    properties: {
      hooks: { description: "Hooks by event.", type: ["object", "null"], properties: eventSchemas(dialects), additionalProperties: false },
      permissions: permissionsSchema(false),
      ...rootSchemas("any"),
    },
    additionalProperties: true,
    definitions: Object.fromEntries(dialects.map((dialect) => [dialect.id, ENTRIES[dialect.config.shape](dialect)])),
  };
}

function eventSchemas(dialects: readonly Dialect[]): JsonObject {
  const names = [...new Set(dialects.flatMap(({ events }) => Object.keys(events)))];
  const fired = names.map((wireName) => {
    const speakers = dialects.filter(({ events }) => Object.hasOwn(events, wireName));
    const meanings = [...new Set(speakers.flatMap(({ events }) => events[wireName]?.is ?? []))];
    const items = speakers.map(({ id }) => ({ $ref: `#/definitions/${id}` }));
    const description = meanings.map((name) => (name === wireName ? EVENT_TEXTS[name] : `${name}: ${EVENT_TEXTS[name]}`)).join(" ");
    return [wireName, { description, type: ["array", "null"], items: items.length === 1 ? items[0] : { anyOf: items } }];
  });
  const unfired = dialects.flatMap((dialect) =>
    dialect.unfired.map((wireName) => [
      wireName,
      { description: `An event of ${dialect.title} that has no counterpart in Snaphook: its hooks never run here.` },
    ]),
  );
  return Object.fromEntries([...fired, ...unfired]);
}

/** What an entry looks like, by shape. */
const ENTRIES: { readonly [shape in Shape]: (dialect: Dialect) => JsonObject } = {
  strings: (dialect) => ({ description: `A command, run with ${dialect.launch}.`, type: "string", minLength: 1, pattern: "\\S" }),
  "named-groups": (dialect) => ({
    type: "object",
    properties: {
      ...fieldSchemas(NAMED_GROUP_FIELDS, dialect),
      hooks: { description: "Names of callbacks.", type: "array", items: { type: "string", minLength: 1 } },
    },
    required: ["hooks"],
  }),
  "typed-groups": (dialect) => ({
    type: "object",
    properties: {
      ...fieldSchemas(TYPED_GROUP_FIELDS, dialect),
      hooks: { description: "The hooks of this matcher.", type: "array", items: typedSchema(typedFieldsOf(dialect), dialect) },
    },
    required: ["hooks"],
  }),
  flat: (dialect) => ({ type: "object", properties: fieldSchemas(GOOSE_FIELDS, dialect), required: ["command"] }),
  native: (dialect) => ({ ...typedSchema(NATIVE_FIELDS, dialect), additionalProperties: false }),
};

/** What a hook of each type can't do without: one of these. */
const NEEDS: { readonly [type in ActionType]: readonly FieldName[] } = {
  command: ["command", "args"],
  http: ["url"],
  callback: ["callback"],
  module: ["module"],
  prompt: ["prompt"],
  agent: ["prompt"],
};

function typedSchema(fields: FieldTable, dialect: Dialect): JsonObject {
  const typed = dialect.types.map((type) => whenThen({ properties: { type: { const: type } }, required: ["type"] }, oneOfThem(NEEDS[type])));
  const untyped = whenThen({ not: { required: ["type"] } }, oneOfThem([...new Set(dialect.types.flatMap((type) => NEEDS[type]))]));
  return { type: "object", properties: fieldSchemas(fields, dialect), allOf: [...typed, untyped] };
}

function whenThen(condition: JsonObject, needed: JsonObject): JsonObject {
  return { if: condition, then: needed }; // oxlint-disable-line unicorn/no-thenable -- a keyword of JSON Schema
}

function oneOfThem(names: readonly string[]): JsonObject {
  return names.length === 1 ? { required: names } : { anyOf: names.map((name) => ({ required: [name] })) };
}

type FieldTable = { readonly [key: string]: FieldName };

function fieldSchemas(fields: FieldTable, dialect: Dialect): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([key, name]) => [key, fieldSchema(name, dialect)]));
}

/** A field's own schema, its text, and what the dialect adds. */
function fieldSchema(name: FieldName, dialect: Dialect): JsonObject {
  const added: { readonly [field in FieldName]?: JsonObject } = {
    type: { enum: dialect.types },
    timeout: { default: dialect.timeoutMs / 1_000 },
    duration: { default: `${dialect.timeoutMs / 1_000}s`, examples: ["10s", "500ms", "2m"] },
    onFault: { ...faultSchema(), default: dialect.onFault },
    enabled: { default: true },
    matcher: { description: `${FIELD_TEXTS.matcher} It is ${MATCHER_TEXTS[dialect.matcher.rule]}.` },
    tool_name: { description: `${FIELD_TEXTS.tool_name} It is ${MATCHER_TEXTS[dialect.matcher.rule]}.` },
  };
  return { description: FIELD_TEXTS[name], ...plainSchema(FIELDS[name]), ...added[name] };
}

/** A word, or a word by kind of failure, each kind with its meaning. */
function faultSchema(): JsonObject {
  const word = { enum: [...VERDICTS] };
  const kinds = Object.entries(FAILURES).map(([kind, { text }]) => [kind, { ...word, description: `When ${text}.` }]);
  const table = { ...Object.fromEntries(kinds), default: { ...word, description: "For every failure that is not named." } };
  return { anyOf: [word, { type: "object", properties: table, additionalProperties: false }] };
}

/** What each part of `permissions` is for. */
export const PERMISSION_TEXTS: { readonly [key in keyof typeof PERMISSION_FIELDS]: string } = {
  allow: "Calls that need no question.",
  ask: "Calls that are always asked.",
  deny: "Calls that never happen; nothing can undo a deny.",
  defaultMode: "The verdict where no rule speaks. A project may only tighten it, and nobody may loosen that of managed settings.",
  disableBypassPermissionsMode: "Nobody may use the mode bypassPermissions here; the same as the switch of that name.",
};

function permissionsSchema(strict: boolean): JsonObject {
  const properties = Object.entries(PERMISSION_FIELDS).map(([key, schema]) => [key, { description: lookup(PERMISSION_TEXTS, key), ...plainSchema(schema) }]);
  return {
    description: "Rules as Tool or Tool(pattern), for example Bash(npm run *).",
    type: "object",
    properties: Object.fromEntries(properties),
    additionalProperties: !strict,
  };
}

/** What may stand at the root of a file beside hooks and permissions. */
export function rootSchemas(files: "any" | "own"): JsonObject {
  const switches = Object.entries(SWITCHES).map(([name, { text, by }]) => [
    name,
    { description: `${text}${by === "managed" ? " Counts in managed settings only." : ""}`, type: "boolean" },
  ]);
  const terms = Object.entries(TERMS)
    .filter(([, term]) => files === "own" || term.files === "any")
    .map(([name, { text, schema }]) => [name, { description: text, ...plainSchema(schema) }]);
  return Object.fromEntries([...switches, ...terms]);
}

/** What valibot's schema says, without the name of the draft. */
export function plainSchema(schema: Parameters<typeof toJsonSchema>[0]): JsonObject {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: "ignore" });
  return rest;
}
