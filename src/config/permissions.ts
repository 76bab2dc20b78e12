/** The `permissions` of a settings file: rule lists and the default mode. */
import * as v from "valibot";
import { nearest } from "../lib/nearest.ts";
import { entryOf, kindOf, plainValue, type DocNode } from "../lib/document/node.ts";
import type { Mode, Rule } from "../model/rule.ts";
import { VERDICTS } from "../model/verdict.ts";
import type { Report } from "./entry.ts";
import { PERMISSION_FIELDS } from "./fields.ts";
import type { ConfigSource } from "./source.ts";

/** Reads the rules with their places. */
export function readPermissions(root: DocNode, source: ConfigSource, report: Report): { readonly rules: readonly Rule[]; readonly mode: Mode | null } {
  const permissions = entryOf(root, "permissions");
  if (!permissions) return { rules: [], mode: null };
  if (permissions.value.kind !== "object") {
    report(permissions.value.at, { kind: "wrong-type", message: `"permissions" is ${kindOf(permissions.value)}, not an object of lists` });
    return { rules: [], mode: null };
  }
  reportNearMisses(permissions.value, report);
  const rules = VERDICTS.flatMap((verdict) => readList(permissions.value, verdict, source, report));
  return { rules, mode: readMode(permissions.value, report) };
}

/** A misspelt "deny" would lose its rules in silence; other programs' keys are theirs. */
function reportNearMisses(permissions: DocNode, report: Report): void {
  const known = Object.keys(PERMISSION_FIELDS);
  for (const { key, at } of permissions.kind === "object" ? permissions.entries : []) {
    const meant = known.includes(key) ? undefined : nearest(key, known);
    if (meant !== undefined) report(at, { kind: "unknown-key", message: `unknown key "${key}" in permissions, did you mean "${meant}"?  It has no effect.` });
  }
}

function readList(permissions: DocNode, verdict: Rule["verdict"], { path, layer }: ConfigSource, report: Report): Rule[] {
  const lists = permissions.kind === "object" ? permissions.entries.filter(({ key }) => key === verdict) : [];
  return lists.flatMap(({ value }) => {
    if (value.kind !== "list") {
      report(value.at, { kind: "wrong-type", message: `permissions.${verdict} is ${kindOf(value)}, not a list of rules` });
      return [];
    }
    return value.items.flatMap((item): Rule[] => {
      if (item.kind === "scalar" && typeof item.value === "string") return [{ verdict, text: item.value, source: { file: path, ...item.at }, layer }];
      report(item.at, { kind: "bad-rule", message: `a rule in quotes is wanted here, not ${kindOf(item)}` });
      return [];
    });
  });
}

function readMode(permissions: DocNode, report: Report): Mode | null {
  const entry = entryOf(permissions, "defaultMode");
  if (!entry) return null;
  const parsed = v.safeParse(PERMISSION_FIELDS.defaultMode, plainValue(entry.value));
  if (parsed.success) return parsed.output;
  report(entry.value.at, { kind: "wrong-type", message: `defaultMode ${JSON.stringify(plainValue(entry.value))} ${parsed.issues[0].message}` });
  return null;
}
