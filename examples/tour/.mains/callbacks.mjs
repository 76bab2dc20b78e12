// Callbacks of .mains/settings.json. Each gets the event as Mains spells it.

export function branchNote() {
  return { hookSpecificOutput: { additionalContext: "You are on branch main." } };
}

export function pnpmForNpm({ tool_input: { command } }) {
  if (!command.startsWith("npm ")) return {};
  return { hookSpecificOutput: { updatedInput: { command: command.replace(/^npm /, "pnpm ") } } };
}

export async function recoveryNote({ tool_name }) {
  return { hookSpecificOutput: { additionalContext: `${tool_name} failed: read the first error before you try again.` } };
}
