import { parseJsonDocument } from "./json.ts";
import type { ParsedDocument } from "./node.ts";

/** Formats by file ending. Anything else is read as JSON with comments. */
const FORMATS: { readonly [ending: string]: Format } = { json: "json", jsonc: "json", yaml: "yaml", yml: "yaml", toml: "toml" };

/** The formats that are read. */
export type Format = "json" | "yaml" | "toml";

/** The format that a file's name promises. */
export function formatOf(path: string): Format {
  // No pattern: every start reads a file, and the first look with one that ignores case costs it a third of a millisecond.
  const ending = path.slice(path.lastIndexOf(".")).slice(1).toLowerCase();
  return Object.hasOwn(FORMATS, ending) ? (FORMATS[ending] ?? "json") : "json";
}

/** Parses a document; the parsers of YAML and TOML are loaded only now. A byte order mark and CRLF are no obstacle. */
export async function parseDocument(text: string, format: Format): Promise<ParsedDocument> {
  const clean = text.startsWith("\uFEFF") ? text.slice(1) : text;
  switch (format) {
    case "json":
      return parseJsonDocument(clean);
    case "yaml":
      return (await import("./yaml.ts")).parseYamlDocument(clean);
    case "toml":
      return (await import("./toml.ts")).parseTomlDocument(clean);
  }
}
