/** Plugins: folders that bring hooks along, found in the places where agents keep them [S10]. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { locateConfigs, namedConfig, surroundings } from "../config/locate.ts";
import type { ConfigSource } from "../config/source.ts";
import { entryOf, plainValue } from "../lib/document/node.ts";
import { formatOf, parseDocument } from "../lib/document/parse.ts";
import { isObject, own, parseJson } from "../lib/json.ts";

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
    .filter(({ name }) => !off.has(name))
    .map(({ root, name, trusted }) => ({
      ...namedConfig({ file: join(root, "hooks", "hooks.json"), cwd, dialect: undefined }),
      plugin: { root, name },
      named: trusted,
    }));
}

function pluginFolders(folder: string): readonly string[] {
  if (folder === "" || !existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name))
    .filter((root) => existsSync(join(root, "hooks", "hooks.json")));
}

/** The name that the plugin gives itself, else that of its folder. */
function pluginName(root: string): string {
  const manifest = join(root, ".claude-plugin", "plugin.json");
  const value = existsSync(manifest) ? parseJson(readFileSync(manifest, "utf8")) : undefined;
  const name = isObject(value) ? own(value, "name") : undefined;
  return typeof name === "string" && name !== "" ? name : basename(root);
}

/** `enabledPlugins: {"name": false}` in any settings file; a later file has the last word, a marketplace behind `@` does not count. */
async function switchedOff(sources: readonly ConfigSource[]): Promise<ReadonlySet<string>> {
  const off = new Set<string>();
  for (const { path } of sources) {
    const document = await parseDocument(readFileSync(path, "utf8"), formatOf(path));
    const entry = document.kind === "parsed" ? entryOf(document.root, "enabledPlugins") : undefined;
    const enabled = entry && plainValue(entry.value);
    for (const [key, value] of Object.entries(isObject(enabled) ? enabled : {})) {
      const name = key.split("@")[0] ?? key;
      if (value === false) off.add(name);
      else off.delete(name);
    }
  }
  return off;
}
