/** Everything that is configured: what is armed, and what is not and why. */
import type { Configuration, LeftOut } from "../config/load.ts";
import type { ConfigFile, ReadEntry } from "../config/read.ts";
import type { Hook } from "../model/hook.ts";
import type { Layer } from "../model/layer.ts";
import { NOTICES } from "../model/notice.ts";
import type { Source } from "../model/source.ts";

/** Whether a hook will run, or what keeps it from running. */
export type HookState = "armed" | "disabled" | "untrusted" | "changed" | "refused" | "overruled" | "repeated" | "broken";

/** One line of the inventory. */
export interface InventoryRow {
  readonly state: HookState;
  /** Absent for what could not be read as a hook. */
  readonly hook: Hook | null;
  readonly wireName: string;
  readonly layer: Layer;
  /** Null for hooks that are built in. */
  readonly source: Source | null;
  /** Why it is not armed; null when it is. */
  readonly reason: string | null;
}

/** Whether a row's hook will run. */
export function isArmed({ state }: InventoryRow): boolean {
  return state === "armed";
}

/** Every hook that is configured, the armed ones first, in the order in which they run; `extra` are hooks that stand in no file. */
export function inventory(configuration: Configuration, extra: readonly Hook[] = []): readonly InventoryRow[] {
  const { hooks, leftOut, disabled, files } = configuration;
  const listed = new Set([...hooks, ...leftOut.map(({ hook }) => hook)].map(placeKey));
  const repeated = files.flatMap((file) => file.hooks).filter((hook) => !listed.has(placeKey(hook)));
  return [
    ...[...extra, ...hooks].map((hook) => rowOf(hook, "armed", null)),
    ...leftOut.map(({ hook, state, reason }) => rowOf(hook, LEFT_OUT_STATES[state], reason)),
    ...disabled.map((hook) => rowOf(hook, "disabled", "it is switched off (enabled: false)")),
    ...repeated.map((hook) => rowOf(hook, "repeated", repeatedReason(hook, configuration))),
    ...files.flatMap((file) => file.entries.flatMap((entry) => brokenRows(entry, file))),
  ];
}

/** How the inventory calls what was left out. */
const LEFT_OUT_STATES: { readonly [state in LeftOut["state"]]: HookState } = {
  new: "untrusted",
  unlocked: "untrusted",
  changed: "changed",
  refused: "refused",
  overruled: "overruled",
};

function rowOf(hook: Hook, state: HookState, reason: string | null): InventoryRow {
  return { state, hook, wireName: hook.wireName, layer: hook.layer, source: hook.source, reason };
}

/** A hook by its place: when a repeated one made another stricter, that other is a new object. */
function placeKey({ dialect, wireName, name, source }: Hook): string {
  return JSON.stringify([dialect, wireName, name, source]);
}

function repeatedReason({ source }: Hook, { notices }: Configuration): string {
  const told = notices.find(
    ({ kind, file, line, column }) => kind === "duplicate-hook" && file === source?.file && line === source?.line && column === source?.column,
  );
  return told?.message ?? "another layer configures the same hook";
}

/** One row for each hook that an entry was meant to be and is not. */
function brokenRows({ wireName, at, meant, hooks, notices }: ReadEntry, { source }: ConfigFile): readonly InventoryRow[] {
  const problems = notices.filter(({ kind }) => NOTICES[kind] !== "warning" && kind !== "bad-duration");
  return Array.from({ length: Math.max(0, meant - hooks.length) }, (_, index) => {
    const problem = problems[index] ?? problems.at(-1);
    const place = { file: source.path, line: problem?.line ?? at.line, column: problem?.column ?? at.column };
    return { state: "broken", hook: null, wireName, layer: source.layer, source: place, reason: problem?.message ?? "it could not be read" };
  });
}
