/** A small validator for the part of JSON Schema that our schemas use; an unknown keyword is an error of the test. */
import { isObject, type JsonObject } from "../../src/lib/json.ts";

/** What is wrong with a value, as `path: keyword`. */
export function schemaErrors(value: unknown, schema: JsonObject, root: JsonObject = schema, path = "$"): string[] {
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (!check) throw new Error(`the validator does not know ${keyword}`);
    return check({ value, rule, schema, root, path }).map((error) => (error === "" ? `${path}: ${keyword}` : error));
  });
}

interface Case {
  readonly value: unknown;
  readonly rule: unknown;
  readonly schema: JsonObject;
  readonly root: JsonObject;
  readonly path: string;
}

type Check = (given: Case) => readonly string[];

const fails = (failed: boolean): readonly string[] => (failed ? [""] : []);
const ignore: Check = () => [];
const part = (value: unknown): JsonObject => (isObject(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const holds = ({ value, root, path }: Case, schema: unknown): boolean => schemaErrors(value, part(schema), root, path).length === 0;

const KEYWORDS: { readonly [keyword: string]: Check } = {
  $schema: ignore,
  title: ignore,
  description: ignore,
  default: ignore,
  examples: ignore,
  definitions: ignore,
  then: ignore, // oxlint-disable-line unicorn/no-thenable -- a keyword of JSON Schema
  format: ignore,
  $ref: ({ value, rule, root, path }) => schemaErrors(value, part(part(root["definitions"])[String(rule).replace("#/definitions/", "")]), root, path),
  type: ({ value, rule }) => fails(!(Array.isArray(rule) ? rule : [rule]).includes(typeOf(value))),
  enum: ({ value, rule }) => fails(!list(rule).includes(value)),
  const: ({ value, rule }) => fails(value !== rule),
  pattern: ({ value, rule }) => fails(typeof value === "string" && !new RegExp(String(rule)).test(value)),
  minLength: ({ value, rule }) => fails(typeof value === "string" && value.length < Number(rule)),
  exclusiveMinimum: ({ value, rule }) => fails(typeof value === "number" && value <= Number(rule)),
  maximum: ({ value, rule }) => fails(typeof value === "number" && value > Number(rule)),
  required: ({ value, rule }) => fails(isObject(value) && list(rule).some((key) => !Object.hasOwn(value, String(key)))),
  items: ({ value, rule, root, path }) => list(value).flatMap((item, index) => schemaErrors(item, part(rule), root, `${path}[${index}]`)),
  properties: ({ value, rule, root, path }) =>
    Object.entries(part(value)).flatMap(([key, child]) =>
      Object.hasOwn(part(rule), key) ? schemaErrors(child, part(part(rule)[key]), root, `${path}.${key}`) : [],
    ),
  propertyNames: ({ value, rule, root, path }) => Object.keys(part(value)).flatMap((key) => schemaErrors(key, part(rule), root, path)),
  additionalProperties: ({ value, rule, schema, root, path }) => {
    const others = Object.entries(part(value)).filter(([key]) => !Object.hasOwn(part(schema["properties"]), key));
    if (rule === true) return [];
    return rule === false
      ? others.map(([key]) => `${path}.${key}: unknown`)
      : others.flatMap(([key, child]) => schemaErrors(child, part(rule), root, `${path}.${key}`));
  },
  anyOf: (given) => fails(!list(given.rule).some((schema) => holds(given, schema))),
  allOf: ({ value, rule, root, path }) => list(rule).flatMap((schema) => schemaErrors(value, part(schema), root, path)),
  not: (given) => fails(holds(given, given.rule)),
  if: (given) => (holds(given, given.rule) ? schemaErrors(given.value, part(given.schema["then"]), given.root, given.path) : []),
};

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
