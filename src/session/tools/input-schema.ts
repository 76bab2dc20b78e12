/** JSON Schema of the small part of valibot that tools use for their input. */
import { isObject, lookup, own, type JsonObject } from "../../lib/json.ts";

/** The JSON Schema of an input; optional fields are those that are not required. */
export function inputSchemaOf(schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const convert = lookup(TYPES, own(schema, "type"));
  return { ...convert?.(schema), ...stepsOf(schema) };
}

/** One row for each type of schema. */
const TYPES: { readonly [type: string]: (schema: JsonObject) => JsonObject } = {
  string: () => ({ type: "string" }),
  number: () => ({ type: "number" }),
  boolean: () => ({ type: "boolean" }),
  picklist: (schema) => ({ type: "string", enum: own(schema, "options") }),
  array: (schema) => ({ type: "array", items: inputSchemaOf(own(schema, "item")) }),
  nullish: (schema) => inputSchemaOf(own(schema, "wrapped")),
  object: objectSchema,
};

/** One row for each step of a pipe that a model should know of. */
const STEPS: { readonly [type: string]: (step: JsonObject) => JsonObject } = {
  description: (step) => ({ description: own(step, "description") }),
  integer: () => ({ type: "integer" }),
  min_value: (step) => ({ minimum: own(step, "requirement") }),
  max_value: (step) => ({ maximum: own(step, "requirement") }),
  min_length: (step) => ({ minItems: own(step, "requirement") }),
  max_length: (step) => ({ maxItems: own(step, "requirement") }),
  non_empty: () => ({ minLength: 1 }),
};

function objectSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(ownObject(schema, "entries"));
  const required = entries.filter(([, entry]) => !isObject(entry) || own(entry, "type") !== "nullish").map(([key]) => key);
  const properties = Object.fromEntries(entries.map(([key, entry]) => [key, inputSchemaOf(entry)]));
  return { type: "object", properties, required, additionalProperties: false };
}

function stepsOf(schema: JsonObject): JsonObject {
  const pipe = own(schema, "pipe");
  if (!Array.isArray(pipe)) return {};
  const steps: unknown[] = pipe.slice(1);
  return Object.assign({}, ...steps.map((step) => (isObject(step) ? lookup(STEPS, own(step, "type"))?.(step) : undefined)));
}

function ownObject(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}
