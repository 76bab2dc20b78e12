import { own } from "../lib/json.ts";
import type { ToolCall } from "../model/tools.ts";
import { canonicalCall, canonicalName, keySpellings } from "./spelling.ts";

const SEARCHES: readonly string[] = ["grep", "glob"];
/** A name that only a pattern for every file matches. */
const ANY_FILE = "any file at all";

/** Every way a call may be read: one, unless it holds two spellings of a key with different values, and an agent could take either. */
export function readingsOf(call: ToolCall): readonly [ToolCall, ...ToolCall[]] {
  const canonical = canonicalCall(call);
  const tool = canonicalName(call.name, call.input);
  if (tool === undefined) return [canonical];
  const readings: [ToolCall, ...ToolCall[]] = [canonical];
  for (const [key, spelled] of keySpellings(tool)) {
    const value = own(call.input, spelled);
    if (value !== undefined && value !== own(canonical.input, key)) readings.push({ name: canonical.name, input: { ...canonical.input, [key]: value } });
  }
  const searched = own(canonical.input, "path");
  // A search reads what is in its folder: a rule on everything below it is a rule on the search.
  if (SEARCHES.includes(tool) && typeof searched === "string") readings.push({ name: "read", input: { file_path: `${searched}/${ANY_FILE}` } });
  return readings;
}
