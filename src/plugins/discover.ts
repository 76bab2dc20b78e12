/** Plugins: folders that bring hooks along, found in the places where agents keep them [S10]. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { GUEST_LAYERS } from "../config/authority.ts";
import { locateConfigs, namedConfig, surroundings } from "../config/locate.ts";
import type { ConfigSource } from "../config/source.ts";
import { entryOf, plainValue } from "../lib/document/node.ts";
import { formatOf, parseDocument } from "../lib/document/parse.ts";
import { isObject, own, parseJson } from "../lib/json.ts";
import { mayExist } from "../lib/may-exist.ts";

/** Where plugins are found, in the order in which their hooks run: the user's before the project's. */
const PLACES = [
  { base: "config", path: "snaphook/plugins", trusted: true },
  { base: "home", path: ".claude/plugins", trusted: true },
  { base: "project", path: ".snaphook/plugins", trusted: false },
  { base: "project", path: ".claude/plugins", trusted: false },
] as const;

/** The hooks files of every plugin that is not switched off, ready to be read. */
export async function discoverPlugins({
  cwd,
  env,
}: {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
}): Promise<readonly ConfigSource[]> {
  const around = surroundings({ cwd, env });
  const found = PLACES.flatMap(({ base, path, trusted }) => {
    const folder = around[base] === "" ? "" : join(around[base], path);
    return pluginFolders(folder).map((root) => ({ root, name: pluginName(root), trusted }));
  });
  if (found.length === 0) return [];
  const off = await switchedOff(locateConfigs(around));
  return found
    .filter(({ name, trusted }) => !off(name, trusted))
    .map(({ root, name, trusted }) => ({
      ...namedConfig({ file: join(root, "hooks", "hooks.json"), cwd, dialect: undefined }),
      plugin: { root, name },
      named: trusted,
    }));
}

function pluginFolders(folder: string): readonly string[] {
  if (folder === "" || !mayExist(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name))
    .filter((root) => mayExist(join(root, "hooks", "hooks.json")));
}

/** The name that the plugin gives itself, else that of its folder. */
function pluginName(root: string): string {
  const manifest = join(root, ".claude-plugin", "plugin.json");
  const value = existsSync(manifest) ? parseJson(readFileSync(manifest, "utf8")) : undefined;
  const name = isObject(value) ? own(value, "name") : undefined;
  return typeof name === "string" && name !== "" ? name : basename(root);
}

/** `enabledPlugins: {"name": false}` in settings files; a marketplace behind `@` does not count. The owner's last word stands, the managed
 * files' above it; a repository may only switch off plugins that it brings itself. */
async function switchedOff(sources: readonly ConfigSource[]): Promise<(name: string, trusted: boolean) => boolean> {
  const owner = new Map<string, boolean>();
  const guest = new Map<string, boolean>();
  for (const source of sources.toReversed()) {
    const said = GUEST_LAYERS.includes(source.layer) ? guest : owner;
    for (const [name, enabled] of await enabledPlugins(source)) if (source.layer === "managed" || !said.has(name)) said.set(name, enabled);
  }
  return (name, trusted) => owner.get(name) === false || (!trusted && owner.get(name) !== true && guest.get(name) === false);
}

async function enabledPlugins({ path }: ConfigSource): Promise<readonly (readonly [string, boolean])[]> {
  const document = await parseDocument(readFileSync(path, "utf8"), formatOf(path));
  const entry = document.kind === "parsed" && document.root.kind === "object" ? entryOf(document.root, "enabledPlugins") : undefined;
  const enabled = entry && plainValue(entry.value);
  return Object.entries(isObject(enabled) ? enabled : {}).map(([key, value]) => [key.split("@")[0] ?? key, value !== false] as const);
}
