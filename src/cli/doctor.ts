import { resolve } from "node:path";
import { surroundings } from "../config/locate.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { inventory, type HookState, type InventoryRow } from "../lint/inventory.ts";
import { probe, type Probed } from "../lint/probe.ts";
import { discoverPlugins } from "../plugins/discover.ts";
import type { Command } from "./command.ts";
import { CONFIG_OPTIONS, configsOf, trustOf } from "./config-options.ts";
import { doctorJson, doctorText, type ExaminedHook } from "./doctor/page.ts";
import { SURROUNDINGS, type Patient } from "./doctor/surroundings.ts";

/** `snaphook doctor`. */
export const doctorCommand: Command = {
  summary: "whether every hook could run now, and what it rests on",
  usage: "doctor [--config FILE]… [--dialect ID] [--cwd DIR] [--trust | --frozen [FILE]] [--json]",
  options: CONFIG_OPTIONS,
  notes: [
    "Arms every hook and looks for what it would start: its program in PATH, its script and the interpreter of its first line, its sandbox,",
    "its address, its module. Nothing of a hook is run, no callback is loaded and nothing is sent; what is not trusted is not looked into.",
    "`snaphook why --run` runs the trusted hooks of a call.",
    "Hooks that are switched off (enabled: false) or repeated are not counted.",
    "Ends with 0 when all are armed and nothing is wrong, with 1 when something is.",
  ],
  run: async (words, surface) => {
    const cwd = resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? ".");
    const around = surroundings({ cwd, env: surface.env });
    const configs = configsOf(words);
    const { requireTrust: _, ...trust } = trustOf(words);
    const sources = configs.length === 0 ? await discoverPlugins({ cwd, env: surface.env }) : [];
    const engine = await createEngine({ cwd, env: surface.env, configs, sources, ...trust });
    try {
      const folders = { cwd, home: around.home };
      const patient: Patient = { engine, surface, folders, configDir: around.config };
      const hooks = await examinedHooks(patient);
      const found = await Promise.all(Object.entries(SURROUNDINGS).map(async ([name, examine]) => ({ name, ...(await examine(patient)) })));
      const aside = rowsOf(engine).filter(({ state }) => ASIDE.includes(state));
      const report = { hooks, found, aside };
      if (words.flags["json"]) surface.stdout(`${JSON.stringify(doctorJson(report))}\n`);
      else surface.stdout(doctorText(report, { folders, terminal: surface.terminal }));
      return hooks.every(({ reason }) => reason === null) && found.every(({ health }) => health !== "bad") ? 0 : NOT_WELL;
    } finally {
      await engine.close();
    }
  },
};

const NOT_WELL = 1;

/** What its owner switched off, or has armed from another file, is no hook that should run. */
const ASIDE: readonly HookState[] = ["disabled", "repeated"];

async function examinedHooks({ engine, surface, folders }: Patient): Promise<readonly ExaminedHook[]> {
  const env = Object.fromEntries(Object.entries(surface.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const context = { ...folders, env, trust: engine.trust };
  const examine = async (row: InventoryRow): Promise<Probed> =>
    row.state === "armed" && row.hook ? probe(row.hook, context) : { reason: row.reason ?? "it is not armed", remarks: [] };
  const rows = rowsOf(engine).filter(({ state }) => !ASIDE.includes(state));
  return Promise.all(rows.map(async (row) => ({ row, ...(await examine(row)) })));
}

function rowsOf({ configuration, registry }: Engine): readonly InventoryRow[] {
  return inventory(
    configuration,
    registry.hooks.filter((hook) => hook.source === null),
  );
}
