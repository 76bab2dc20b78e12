/** Everything in a folder that needs trust, as it is now. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { guestEntries } from "../../config/guests.ts";
import { namedConfig, surroundings } from "../../config/locate.ts";
import type { ConfigSource } from "../../config/source.ts";
import { createEngine } from "../../engine/engine.ts";
import { discoverPlugins } from "../../plugins/discover.ts";
import { agentEntries } from "../../session/agents.ts";
import { projectServerEntries } from "../../session/mcp/project.ts";
import type { Content } from "../../trust/content.ts";
import type { Surface } from "../command.ts";

/** Looks at every entry of a folder: its hooks, allow rules, MCP servers, subagents, and those of its plugins. Nothing is run. */
export async function survey(cwd: string, { env }: Pick<Surface, "env">): Promise<readonly Content[]> {
  const { home } = surroundings({ cwd, env });
  const sources = [...(await discoverPlugins({ cwd, env })), ...pluginItself(cwd)];
  const { configuration, trust } = await createEngine({ cwd, env, discover: true, sources, trust: false });
  const entries = [...guestEntries(configuration.files, trust), ...(await projectServerEntries(cwd)), ...agentEntries({ root: cwd, home })];
  return entries.map((entry) => trust.look(entry));
}

/** A folder may be a plugin itself, to be named with --plugin-dir. */
function pluginItself(cwd: string): readonly ConfigSource[] {
  const file = join(cwd, "hooks", "hooks.json");
  return existsSync(file) ? [{ ...namedConfig({ file, cwd, dialect: undefined }), named: false }] : [];
}
