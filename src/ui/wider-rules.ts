import { lookup, own } from "../lib/json.ts";
import { TOOLS, type ToolCall } from "../model/tools.ts";
import { prefixRules } from "../permissions/prefix-rules.ts";

/** Rules that allow a call and others like it, from narrow to wide: for people to decide. */
export function widerRules({ name, input }: ToolCall): readonly string[] {
  const row = lookup(TOOLS, name);
  const argument = row?.argument;
  const value = argument === null || argument === undefined ? undefined : own(input, argument);
  if (!row || typeof value !== "string") return [];
  if (name === "shell")
    return prefixRules(value.trim())
      .filter((rule) => rule !== `${row.ruleName}(${value.trim()}:*)`)
      .toReversed();
  const folder = value.includes("/") ? value.slice(0, value.lastIndexOf("/")) : "";
  return folder === "" ? [] : [`${row.ruleName}(${folder}/**)`];
}
