import { DIALECT_LIST } from "../../src/dialects/index.ts";
import { apiReference } from "./api.ts";
import { cliReference, configReference, dialectsReference, errorsReference, eventsReference, noticesReference } from "./reference.ts";
import { dialectSchema, sharedSchema } from "./schema.ts";

/** Folders that hold generated files only. */
export const GENERATED_FOLDERS = ["schema", "docs/reference"];

/** Every generated file with its text, by path from the root of the project. */
export async function generatedFiles(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ...DIALECT_LIST.map((dialect): [string, string] => [`schema/${dialect.id}.schema.json`, jsonText(dialectSchema(dialect))]),
    ["schema/claude-settings.schema.json", jsonText(sharedSchema(".claude/settings.json"))],
    ["docs/reference/events.md", eventsReference()],
    ["docs/reference/dialects.md", dialectsReference()],
    ["docs/reference/errors.md", errorsReference()],
    ["docs/reference/notices.md", noticesReference()],
    ["docs/reference/config-fields.md", configReference()],
    ["docs/reference/cli.md", await cliReference()],
    ["docs/reference/api.md", apiReference(root)],
  ]);
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
