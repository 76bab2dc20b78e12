/** Makes a tool from a schema of its input and a function. */
import * as v from "valibot";
import { canonicalCall } from "../../dialects/spelling.ts";
import type { JsonObject } from "../../lib/json.ts";
import { fileErrorText } from "./file-errors.ts";
import { inputSchemaOf } from "./input-schema.ts";
import { toolError, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

/** What one tool consists of. */
export interface ToolParts<Entries extends v.ObjectEntries> {
  readonly name: string;
  readonly description: string;
  readonly input: Entries;
  readonly asksApprover?: boolean;
  readonly run: (input: v.InferOutput<v.ObjectSchema<Entries, undefined>>, context: ToolContext) => Promise<ToolOutcome>;
}

/** A tool whose input is read by its schema; a wrong input is an error result that names the key [W8]. */
export function defineTool<Entries extends v.ObjectEntries>({ name, description, input: entries, asksApprover = false, run }: ToolParts<Entries>): Tool {
  const schema = v.object(entries);
  // The gate judged the canonical keys, so they are what runs, however the model spelled them.
  const parse = (given: JsonObject) => v.safeParse(schema, canonicalCall({ name, input: given }).input, { abortEarly: true });
  return {
    name,
    description,
    asksApprover,
    inputSchema: inputSchemaOf(schema),
    problemOf: (given) => {
      const parsed = parse(given);
      return parsed.success ? null : problemText(parsed.issues[0]);
    },
    run: async (given: JsonObject, context: ToolContext): Promise<ToolOutcome> => {
      const parsed = parse(given);
      if (!parsed.success) return toolError(problemText(parsed.issues[0]));
      try {
        return await run(parsed.output, context);
      } catch (error) {
        context.signal.throwIfAborted();
        return toolError(fileErrorText(error));
      }
    },
  };
}

function problemText(issue: v.BaseIssue<unknown>): string {
  const key = v.getDotPath(issue) ?? "the input";
  return `${key} ${issue.input === undefined ? "is missing" : issue.message}`;
}

/** Text that may be empty. */
export function text(description: string) {
  return v.pipe(v.string("is not text"), v.description(description));
}

/** Text that says something. */
export function filledText(description: string) {
  return v.pipe(v.string("is not text"), v.nonEmpty("is empty"), v.description(description));
}

/** True or false. */
export function flag(description: string) {
  return v.pipe(v.boolean("is not true or false"), v.description(description));
}

/** A whole number from a least one on. */
export function count(description: string, least: number) {
  return v.pipe(v.number("is not a number"), v.integer("is not a whole number"), v.minValue(least, `is below ${least}`), v.description(description));
}

/** A field that may be left out; models also write null for that. */
export function optional<Schema extends v.GenericSchema>(schema: Schema) {
  return v.nullish(schema);
}
