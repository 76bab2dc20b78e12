import { own } from "../lib/json.ts";
import type { ToolCall } from "../model/tools.ts";
import { DIALECT_LIST } from "./index.ts";
import { canonicalCall, canonicalName } from "./spelling.ts";

const SEARCHES: readonly string[] = ["grep", "glob"];
/** A name that only a pattern for every file matches. */
const ANY_FILE = "any file at all";

/** Every way a call may be read: one, unless it holds two spellings of a key with different values, and an agent could take either. */
export function readingsOf(call: ToolCall): readonly [ToolCall, ...ToolCall[]] {
  const canonical = canonicalCall(call);
  const tool = canonicalName(call.name, call.input);
  if (tool === undefined) return [canonical];
  const others = DIALECT_LIST.flatMap((dialect) => Object.entries(dialect.tools[tool]?.keys ?? {})).flatMap(([key, spelled]): readonly ToolCall[] => {
    const value = own(call.input, spelled);
    return value === undefined || value === own(canonical.input, key) ? [] : [{ name: canonical.name, input: { ...canonical.input, [key]: value } }];
  });
  const searched = own(canonical.input, "path");
  // A search reads what is in its folder: a rule on everything below it is a rule on the search.
  const below = SEARCHES.includes(tool) && typeof searched === "string" ? [{ name: "read", input: { file_path: `${searched}/${ANY_FILE}` } }] : [];
  return [canonical, ...others, ...below];
}
