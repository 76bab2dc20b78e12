/** Tools whose patterns are paths. */
export type FileTool = "read" | "write" | "edit" | "grep";

/** Whose rules speak about a use of a file: a Write rule also covers edits, a deny of either covers both. */
// prettier-ignore
export const RULE_TOOLS = {
  read:  { strict: ["read"],          allow: ["read"] },
  grep:  { strict: ["grep", "read"],  allow: ["grep"] },
  write: { strict: ["write", "edit"], allow: ["write"] },
  edit:  { strict: ["edit", "write"], allow: ["edit", "write"] },
} as const satisfies Record<FileTool, { readonly strict: readonly FileTool[]; readonly allow: readonly FileTool[] }>;
