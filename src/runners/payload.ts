/** An event → the payload that a hook of some dialect gets. Canonical JSON: parsed and written again [F5]. */
import type { Dialect, WireEvent } from "../dialects/dialect.ts";
import { spelledCall } from "../dialects/spelling.ts";
import type { HookEvent } from "../model/events.ts";
import type { Hook } from "../model/hook.ts";
import type { Payload } from "./runner.ts";

/** Builds stdin and environment for one hook. */
export function payloadFor(event: HookEvent, hook: Hook, { dialect, projectDir }: { readonly dialect: Dialect; readonly projectDir: string }): Payload {
  const wire = wireEvent(event, hook, { dialect, projectDir });
  const stdin = dialect.stdin(wire);
  return {
    stdin,
    stdinText: JSON.stringify(stdin),
    env: { ...dialect.env(wire), ...pluginEnv(event, hook, projectDir), ...hook.env },
    ownEnv: dialect.ownEnv,
    toolUseId: event.tool?.useId,
    ...(dialect.release && { release: dialect.release }),
  };
}

/** The tool's name as a dialect spells it. */
export function shownToolName(event: HookEvent, dialect: Dialect): string | undefined {
  return event.tool && spelledCall(event.tool, dialect).name;
}

function wireEvent(event: HookEvent, { wireName }: Hook, { dialect, projectDir }: { readonly dialect: Dialect; readonly projectDir: string }): WireEvent {
  if (!event.tool) return { event, wireName, inputText: undefined, projectDir };
  const spelled = spelledCall(event.tool, dialect);
  const raw = event.tool.rawInput;
  return { event: { ...event, tool: { ...event.tool, ...spelled } }, wireName, inputText: raw ?? JSON.stringify(spelled.input), projectDir };
}

/** The four variables of plugin hooks [R10]. */
function pluginEnv(event: HookEvent, { plugin, action }: Hook, projectDir: string): { [name: string]: string } {
  if (!plugin) return {};
  const command = action.type === "command" ? action.command : "";
  return {
    CLAUDE_PLUGIN_ROOT: plugin.root,
    CLAUDE_PLUGIN_PATH: scriptOf(command, plugin.root),
    CLAUDE_PROJECT_DIR: projectDir,
    CLAUDE_SESSION_ID: event.sessionId ?? "",
  };
}

/** "Full path to the hook script": the first word of the command that lies in the plugin, else its hooks file. */
function scriptOf(command: string, root: string): string {
  const filled = command.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g, root);
  const words = filled.split(/[\s"';|&]+/);
  return words.find((word) => word.startsWith(`${root}/`)) ?? `${root}/hooks/hooks.json`;
}
