import { claudeCode } from "./claude-code.ts";
import { claw } from "./claw.ts";
import type { Dialect } from "./dialect.ts";
import { goose } from "./goose.ts";
import { lime } from "./lime.ts";
import { mains } from "./mains.ts";
import { robota } from "./robota.ts";
import { snaphook } from "./snaphook.ts";

/** Every dialect, by id. To add one: its file, and its row here. */
export const DIALECTS = { lime, claw, mains, robota, goose, "claude-code": claudeCode, snaphook } as const satisfies Record<string, Dialect>;

export type DialectId = keyof typeof DIALECTS;

/** The dialects as a list, in the order in which shapes are tried. */
export const DIALECT_LIST: readonly Dialect[] = Object.values(DIALECTS);

/** A dialect by its id, which may come from outside. */
export function dialectById(id: string): Dialect | undefined {
  return DIALECT_LIST.find((dialect) => dialect.id === id);
}
