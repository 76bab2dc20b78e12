/** Switches of a settings file: what its owner forbids all others. */
import * as v from "valibot";
import { entryOf, kindOf, plainValue, type DocNode } from "../lib/document/node.ts";
import type { Source } from "../model/source.ts";
import type { Report } from "./entry.ts";
import type { ConfigSource } from "./source.ts";

/** Every switch: who may use it, what it does, and how it counts when its value is neither true nor false. */
export const SWITCHES = {
  disableAllHooks: {
    by: "anyone",
    unclear: false,
    text: "Switches hooks off: those of a repository its own, your own settings all but the managed ones.",
  },
  allowManagedHooksOnly: { by: "managed", unclear: true, text: "Only hooks of managed settings run." },
  allowManagedPermissionRulesOnly: { by: "managed", unclear: true, text: "Only managed settings may allow; deny and ask rules of others still count." },
  disableBypassPermissionsMode: { by: "anyone", unclear: true, text: "Nobody may use the mode bypassPermissions here." },
} as const satisfies Record<string, { readonly by: "anyone" | "managed"; readonly unclear: boolean; readonly text: string }>;

export type SwitchName = keyof typeof SWITCHES;

/** The switches that a file has turned on, and where. */
export type Switches = { readonly [name in SwitchName]?: Source };

const NAMES: readonly SwitchName[] = ["disableAllHooks", "allowManagedHooksOnly", "allowManagedPermissionRulesOnly", "disableBypassPermissionsMode"];

/** Reads the switches of a file. One that its layer may not use is reported and does not count. */
export function readSwitches(root: DocNode, { path, layer }: ConfigSource, report: Report): Switches {
  const on: { [name in SwitchName]?: Source } = {};
  for (const name of NAMES) {
    const node = entryOf(root, name)?.value ?? (name === "disableBypassPermissionsMode" ? underPermissions(root, name) : undefined);
    if (!node) continue;
    const { by, unclear } = SWITCHES[name];
    const value = plainValue(node);
    const clear = v.is(v.union([v.boolean(), v.literal("disable")]), value);
    if (!clear) report(node.at, { kind: "wrong-type", message: `${name} is ${kindOf(node)}, not true or false; it counts as ${unclear}` });
    if (clear ? value === false : !unclear) continue;
    if (by === "managed" && layer !== "managed")
      report(node.at, { kind: "authority", message: `${name} counts only in managed settings; here it has no effect` });
    else on[name] = { file: path, ...node.at };
  }
  return on;
}

/** Where Claude Code has it: `permissions: {"disableBypassPermissionsMode": "disable"}`. */
function underPermissions(root: DocNode, name: SwitchName): DocNode | undefined {
  const permissions = entryOf(root, "permissions")?.value;
  return permissions?.kind === "object" ? entryOf(permissions, name)?.value : undefined;
}
