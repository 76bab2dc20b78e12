// Callbacks of settings.json beside it. Each gets the event as Mains spells it.

export function branchNote() {
  return { hookSpecificOutput: { additionalContext: "You are on branch main." } };
}

// What is removed goes into the trash: the command is rewritten, and the rules judge what it became.
export function intoTrash({ tool_input: { command } }) {
  const [, name] = /^rm -r (\w+)$/.exec(command) ?? [];
  return name ? { hookSpecificOutput: { updatedInput: { command: `mv ${name} trash/` } } } : {};
}
