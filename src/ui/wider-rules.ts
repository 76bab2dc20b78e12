import { lookup, own } from "../lib/json.ts";
import { TOOLS, type ToolCall } from "../model/tools.ts";

/** Words that stand for themselves in a rule. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** Rules that allow a call and others like it, from narrow to wide: for people to decide. */
export function widerRules({ name, input }: ToolCall): readonly string[] {
  const row = lookup(TOOLS, name);
  const argument = row?.argument;
  const value = argument === null || argument === undefined ? undefined : own(input, argument);
  if (!row || typeof value !== "string") return [];
  if (name === "shell") return prefixes(value).map((prefix) => `${row.ruleName}(${prefix}:*)`);
  const folder = value.includes("/") ? value.slice(0, value.lastIndexOf("/")) : "";
  return folder === "" ? [] : [`${row.ruleName}(${folder}/**)`];
}

/** Beginnings of a simple command, the longest first; a program alone says too little. */
function prefixes(command: string): readonly string[] {
  const words = command.trim().split(/\s+/);
  const odd = words.findIndex((word) => !PLAIN_WORD.test(word));
  const plain = odd < 0 ? words.slice(0, -1) : words.slice(0, odd);
  return plain.flatMap((_, index) => (index >= 1 ? [plain.slice(0, index + 1).join(" ")] : [])).toReversed();
}
