/** Pushes go through a pull request, everything else stays as it is. */
export function callback({ tool_input }) {
  if (!/\bgit\s+push\b/.test(tool_input.command ?? "")) return {};
  return { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "open a pull request instead of pushing" } };
}

/** Text that comes before the prompt. */
export function branch() {
  return { hookSpecificOutput: { additionalContext: "The default branch is main." } };
}

/** Text that comes after the result. */
export async function formatReminder({ tool_input }) {
  return { hookSpecificOutput: { additionalContext: `Format ${tool_input.file_path} before you commit.` } };
}
