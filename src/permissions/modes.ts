import type { Mode } from "../model/rule.ts";
import { TOOLS, type ToolKind } from "../model/tools.ts";
import type { Verdict } from "../model/verdict.ts";

/** The verdict for each kind of tool when no rule speaks. */
// prettier-ignore
export const MODE_TABLE = {
  plan:              { read: "allow", write: "deny",  shell: "deny",  own: "allow", other: "deny" },
  default:           { read: "allow", write: "ask",   shell: "ask",   own: "allow", other: "ask" },
  acceptEdits:       { read: "allow", write: "allow", shell: "ask",   own: "allow", other: "ask" },
  bypassPermissions: { read: "allow", write: "allow", shell: "allow", own: "allow", other: "allow" },
} as const satisfies Record<Mode, Record<ToolKind, Verdict>>;

/** A map, because every decision looks here. */
const KINDS: ReadonlyMap<string, ToolKind> = new Map(Object.entries(TOOLS).map(([name, { kind }]) => [name, kind]));

/** The kind of a tool by its canonical name; a tool in no table can do anything. */
export function kindOf(toolName: string): ToolKind {
  return KINDS.get(toolName) ?? "other";
}

/** What a mode says about a tool. */
export function modeVerdict(mode: Mode, toolName: string): Verdict {
  return MODE_TABLE[mode][kindOf(toolName)];
}
