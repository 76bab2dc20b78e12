/** Who may say what: managed settings above the user's, the user's above a repository's. Pure. */
import type { Hook } from "../model/hook.ts";
import type { Layer } from "../model/layer.ts";
import type { Notice } from "../model/notice.ts";
import { MODES, type Mode, type Rule } from "../model/rule.ts";
import { sourceText, type Source } from "../model/source.ts";
import type { ConfigFile } from "./read.ts";

/** Layers that come with a repository. */
export const GUEST_LAYERS: readonly Layer[] = ["project", "local", "plugin"];

/** Whether a file comes with a repository: a guest may tighten, never grant. */
export function isGuest({ source }: Pick<ConfigFile, "source">): boolean {
  return !source.named && GUEST_LAYERS.includes(source.layer);
}

/** Whose terms bind the hooks of a layer: its own, and those of layers with more authority. What comes with a repository binds nobody else. */
const BINDING: { readonly [layer in Layer]: readonly Layer[] } = {
  managed: ["managed"],
  user: ["managed", "user", "run"],
  run: ["managed", "user", "run"],
  project: ["managed", "user", "run", "project", "local"],
  local: ["managed", "user", "run", "project", "local"],
  plugin: ["managed", "user", "run", "plugin"],
};

/** The files whose terms bind the hooks of a file; a plugin's bind its own hooks only. */
export function boundBy(bound: Pick<ConfigFile["source"], "layer" | "path">, files: readonly ConfigFile[]): readonly ConfigFile[] {
  return files.filter(({ source: { layer, path } }) => BINDING[bound.layer].includes(layer) && (layer !== "plugin" || path === bound.path));
}

/** What holds above everything else that is configured. */
export interface Authority {
  /** Where it is said that only managed hooks run. */
  readonly managedHooksOnly: Source | null;
  /** Where it is said that only managed settings may allow. */
  readonly managedRulesOnly: Source | null;
  /** Where the mode bypassPermissions is forbidden. */
  readonly bypassDisabled: Source | null;
  /** Where the owner switched hooks off, and where a repository switched off its own. */
  readonly hooksDisabled: Source | null;
  readonly guestHooksDisabled: Source | null;
  /** Where it is said that every decision must be on record. */
  readonly auditRequired: Source | null;
  /** The mode of managed settings: no other may be looser. */
  readonly ceiling: Mode | null;
}

/** The authority that these files add up to. */
export function authorityOf(files: readonly ConfigFile[]): Authority {
  const first = (name: keyof ConfigFile["switches"], among: readonly ConfigFile[]): Source | null =>
    among.map(({ switches }) => switches[name]).find((source) => source !== undefined) ?? null;
  const managed = files.filter(({ source }) => source.layer === "managed");
  const guests = files.filter(isGuest);
  const owners = files.filter((file) => !guests.includes(file));
  const modes = managed.flatMap(({ mode }) => mode ?? []);
  return {
    managedHooksOnly: first("allowManagedHooksOnly", managed),
    managedRulesOnly: first("allowManagedPermissionRulesOnly", managed),
    bypassDisabled: first("disableBypassPermissionsMode", files),
    hooksDisabled: first("disableAllHooks", owners),
    guestHooksDisabled: first("disableAllHooks", guests),
    auditRequired: managed.flatMap(({ terms }) => terms.auditRequired ?? [])[0] ?? null,
    ceiling: modes.reduce<Mode | null>((strict, mode) => (strict === null ? mode : stricter(strict, mode)), null),
  };
}

/** Why a hook of a file may not run, whatever was trusted; null when it may. Managed hooks always may. */
export function overruled({ layer }: Hook, { isGuest: guest, authority }: { readonly isGuest: boolean; readonly authority: Authority }): string | null {
  const { managedHooksOnly, hooksDisabled, guestHooksDisabled } = authority;
  if (layer === "managed") return null;
  if (managedHooksOnly) return `only managed hooks run here (allowManagedHooksOnly, ${sourceText(managedHooksOnly)})`;
  if (hooksDisabled) return `hooks are switched off (disableAllHooks, ${sourceText(hooksDisabled)})`;
  if (guestHooksDisabled && guest) return `this folder switches its hooks off (disableAllHooks, ${sourceText(guestHooksDisabled)})`;
  return null;
}

/** Rules without the grants that only managed settings may give. */
export function permittedRules(rules: readonly Rule[], { managedRulesOnly }: Authority, notices: Notice[]): readonly Rule[] {
  if (!managedRulesOnly) return rules;
  const grants = rules.filter(({ verdict, layer }) => verdict === "allow" && layer !== "managed");
  for (const { text, source } of grants) {
    const why = `only managed settings may allow here (allowManagedPermissionRulesOnly, ${sourceText(managedRulesOnly)})`;
    notices.push({ kind: "authority", message: `the allow rule ${text} does not count: ${why}`, ...source });
  }
  return rules.filter((rule) => !grants.includes(rule));
}

/** The mode that holds when one is asked for: never looser than managed settings let it be. */
export function permittedMode(mode: Mode, { bypassDisabled, ceiling }: Pick<Authority, "bypassDisabled" | "ceiling">): Mode {
  const allowed = bypassDisabled && mode === "bypassPermissions" ? "default" : mode;
  return ceiling === null ? allowed : stricter(allowed, ceiling);
}

/** The owner's layers set the mode, the last one wins; a repository's may only tighten it [W1], and none is looser than the managed one. */
export function combinedMode(files: readonly ConfigFile[], authority: Authority, notices: Notice[]): Mode | null {
  let mode: Mode | null = null;
  const leave = ({ source }: ConfigFile, wanted: Mode, why: string): void =>
    void notices.push({
      kind: "authority",
      message: `defaultMode ${wanted} of ${source.path} was left out: ${why}`,
      file: source.path,
      line: 1,
      column: 1,
    });
  for (const file of files.filter(({ source }) => !GUEST_LAYERS.includes(source.layer))) {
    if (!file.mode) continue;
    mode = permittedMode(file.mode, authority);
    if (mode !== file.mode) leave(file, file.mode, `managed settings do not permit it; the mode is ${mode}`);
  }
  for (const file of files.filter(({ source }) => GUEST_LAYERS.includes(source.layer))) {
    const before: Mode = mode ?? "default";
    if (!file.mode) continue;
    mode = stricter(file.mode, before);
    if (mode !== file.mode) leave(file, file.mode, `a project may only tighten the mode, which is ${before}`);
  }
  return mode;
}

function stricter(left: Mode, right: Mode): Mode {
  return MODES.indexOf(left) < MODES.indexOf(right) ? left : right;
}
