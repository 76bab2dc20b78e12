import { join } from "node:path";
import type { Surroundings } from "../../config/locate.ts";
import type { Place } from "../../dialects/dialect.ts";
import { DIALECT_LIST } from "../../dialects/index.ts";
import { shortPath } from "./paths.ts";
import { wrap } from "./text.ts";

/** What to say where no configuration was found: every place that was searched, by dialect. */
export function nothingFound(around: Surroundings, width: number): string {
  const column = Math.max(...DIALECT_LIST.map(({ title }) => title.length)) + 4;
  const lines = DIALECT_LIST.flatMap(({ title, config }) => {
    const searched = gathered(config.places.flatMap((place) => pathOf(place, around) ?? [])).join(", ");
    return wrap(searched, Math.max(width - column, 40)).map((line, index) => `${(index === 0 ? `  ${title}` : "").padEnd(column)}${line}`);
  });
  return ["no hook files found here; places searched:", ...lines, ""].join("\n");
}

function pathOf({ base, path }: Place, around: Surroundings): string | undefined {
  if (base === "plugin") return undefined;
  return shortPath(join(around[base], path), { cwd: around.project, home: around.home });
}

/** Files that differ in their ending only stand as one: `hooks.{yaml,json}`. */
function gathered(paths: readonly string[]): readonly string[] {
  const endings = new Map<string, string[]>();
  for (const path of paths) {
    const dot = path.lastIndexOf(".");
    endings.set(path.slice(0, dot), [...(endings.get(path.slice(0, dot)) ?? []), path.slice(dot + 1)]);
  }
  return [...endings].map(([stem, found]) => `${stem}.${found.length === 1 ? found[0] : `{${found.join(",")}}`}`);
}
