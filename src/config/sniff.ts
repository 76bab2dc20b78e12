/** Whose words a file speaks, when neither its place nor the command line says so. */
import { DIALECT_LIST } from "../dialects/index.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { lookup } from "../lib/json.ts";
import { entryOf, type DocNode } from "../lib/document/node.ts";
import { SHAPES } from "./shapes/index.ts";

/** Tried in this order: of two that fit, the first is the wider one (Lime knows every event of claw, Claude Code of Robota). */
const ORDER = ["snaphook", "goose", "lime", "mains", "claude-code"];

/** The dialect that knows most of the file's entries, by event name and shape; Lime where there is nothing to go by. */
export function sniffDialects(root: DocNode): readonly Dialect[] {
  const candidates = ORDER.flatMap((id) => DIALECT_LIST.filter((dialect) => dialect.id === id));
  const hooks = entryOf(root, "hooks")?.value;
  const scored = candidates.map((dialect) => ({ dialect, score: hooks ? score(hooks, dialect) : 0 }));
  const best = scored.reduce((first, next) => (next.score > first.score ? next : first));
  return [best.score > 0 ? best.dialect : (candidates.find((dialect) => dialect.id === "lime") ?? best.dialect)];
}

function score(hooks: DocNode, dialect: Dialect): number {
  if (hooks.kind !== "object") return 0;
  const { fits } = SHAPES[dialect.config.shape];
  let points = 0;
  for (const { key, value } of hooks.entries) {
    if (!lookup(dialect.events, key)) continue;
    points += 1;
    if (value.kind === "list") points += 2 * value.items.filter(fits).length;
  }
  return points;
}
