import { resolve } from "node:path";
import { surroundings } from "../config/locate.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { discoverPlugins } from "../plugins/discover.ts";
import { inventory, isArmed, type InventoryRow } from "../lint/inventory.ts";
import { recentRuns } from "./audit/recent.ts";
import type { Command } from "./command.ts";
import { CONFIG_OPTIONS, configsOf, trustOf } from "./config-options.ts";
import { inventoryJson, inventoryText } from "./render/inventory.ts";
import { nothingFound } from "./render/places.ts";

/** `snaphook list`. */
export const listCommand: Command = {
  summary: "what is armed, and from where",
  usage: "list [--config FILE]… [--dialect ID] [--cwd DIR] [--trust | --frozen [FILE]] [--json]",
  options: CONFIG_OPTIONS,
  notes: [
    "Hooks that are switched off, not trusted, changed since, ruled out, configured twice or broken are listed with the reason.",
    "Where a log is kept (`snaphook audit`), it shows how often each hook ran in the last 24 hours, and how long: half of the runs took at most p50, 95 % p95.",
    "No hook is run. With --frozen or --require-trust it ends with 78 where a hook is not trusted.",
  ],
  run: async (words, surface) => {
    const cwd = resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? ".");
    const around = surroundings({ cwd, env: surface.env });
    const configs = configsOf(words);
    const { requireTrust, ...trust } = trustOf(words);
    const sources = configs.length === 0 ? await discoverPlugins({ cwd, env: surface.env }) : [];
    const engine = await createEngine({ cwd, env: surface.env, configs, sources, ...trust });
    const { files, broken, notices } = engine.configuration;
    const rows = rowsOf(engine);
    const armed = rows.filter(isArmed).length;
    const runsOf = await recentRuns(surface, Date.now());
    const json = (row: InventoryRow): object => ({ ...inventoryJson(row), lastDay: runsOf?.(row) ?? null });
    if (words.flags["json"]) surface.stdout(`${JSON.stringify({ hooks: rows.map(json), notices, armed, total: rows.length })}\n`);
    else if (rows.length === 0 && files.length === 0) surface.stdout(nothingFound(around, surface.terminal.columns));
    else surface.stdout(inventoryText(rows, { folders: { cwd, home: around.home }, terminal: surface.terminal, configuration: engine.configuration, runsOf }));
    const lacking = requireTrust === true && engine.configuration.leftOut.some(({ state }) => state !== "overruled");
    return lacking || (configs.length > 0 && broken.length === files.length) ? BAD_CONFIGURATION : 0;
  },
};

/** No file that was named could be read, or something is not trusted that has to be. */
const BAD_CONFIGURATION = 78;

/** The files' hooks, and those that a dialect brings along. */
function rowsOf({ configuration, registry }: Engine): readonly InventoryRow[] {
  return inventory(
    configuration,
    registry.hooks.filter((hook) => hook.source === null),
  );
}
