/** Which hooks a call concerns, and what they said where they were run. */
import type { Configuration, LeftOut } from "../../config/load.ts";
import { match } from "../../engine/match.ts";
import { buildRegistry, type Registry } from "../../engine/registry.ts";
import { wordsOf } from "../../engine/words.ts";
import type { Decision, HookReport } from "../../model/decision.ts";
import type { HookEvent } from "../../model/events.ts";
import { matcherText, type Hook } from "../../model/hook.ts";
import type { Layer } from "../../model/layer.ts";
import type { Source } from "../../model/source.ts";
import { matchCondition } from "../../permissions/condition.ts";
import type { Scene } from "../../permissions/scene.ts";

/** Why a hook may run, or that it may not. */
export type Trust = "managed" | "user" | "trusted" | "named" | "built in" | "untrusted" | "changed" | "refused" | "overruled";

/** One hook that the call concerns. */
export interface ConcernedHook {
  readonly dialect: string;
  readonly event: string;
  readonly name: string;
  readonly type: string;
  readonly matcher: string | null;
  readonly if: string | null;
  readonly source: Source | null;
  readonly layer: Layer;
  readonly trust: Trust;
  /** Why it may not run, where it may not. */
  readonly leftOutBecause: string | null;
  /** Nobody waits for it, so its answer has no effect. */
  readonly detached: boolean;
  /** Whether it is asked before the permission gate or after it. */
  readonly gate: "hooks-first" | "permission-first";
  /** What it said, where it was run. */
  readonly report: HookReport | null;
}

const TRUST: { readonly [layer in Layer]: Trust } = { managed: "managed", user: "user", project: "trusted", local: "trusted", plugin: "trusted", run: "named" };

const LEFT_OUT: { readonly [state in LeftOut["state"]]: Trust } = {
  new: "untrusted",
  unlocked: "untrusted",
  changed: "changed",
  refused: "refused",
  overruled: "overruled",
};

/** The hooks that a call concerns, in the order in which they run; those that are not trusted come last. */
export function concernedHooks(
  event: HookEvent,
  {
    registry,
    configuration,
    scene,
    decision,
  }: { readonly registry: Registry; readonly configuration: Configuration; readonly scene: Scene; readonly decision: Decision | null },
): readonly ConcernedHook[] {
  const meets = (condition: string): boolean => event.tool !== undefined && matchCondition(condition, event.tool, scene) !== "no";
  const armed = match(registry, event, meets);
  const leftOut = new Map(configuration.leftOut.map((each) => [each.hook, each]));
  const left = match(buildRegistry([...leftOut.keys()]), event, meets);
  const reports = decision === null ? [] : [...decision.hooks];
  return [
    ...armed.map((hook) => concerned(hook, hook.source === null ? "built in" : TRUST[hook.layer], takeReport(reports, hook))),
    ...left.map((hook) => ({ ...concerned(hook, LEFT_OUT[leftOut.get(hook)?.state ?? "new"], null), leftOutBecause: leftOut.get(hook)?.reason ?? null })),
  ];
}

function concerned(hook: Hook, trust: Trust, report: HookReport | null): ConcernedHook {
  const { dialect, row } = wordsOf(hook);
  return {
    dialect: hook.dialect,
    event: hook.wireName,
    name: hook.name,
    type: hook.action.type,
    matcher: matcherText(hook.matcher),
    if: hook.condition,
    source: hook.source,
    layer: hook.layer,
    trust,
    leftOutBecause: null,
    detached: hook.async || row.pace === "detach",
    gate: dialect.gate,
    report,
  };
}

/** The reports stand in the hooks' order, but only of those that were concerned when it ran. */
function takeReport(reports: HookReport[], { name, dialect, source }: Hook): HookReport | null {
  const index = reports.findIndex(
    (each) =>
      each.name === name &&
      each.dialect === dialect &&
      each.source?.file === source?.file &&
      each.source?.line === source?.line &&
      each.source?.column === source?.column,
  );
  return index < 0 ? null : (reports.splice(index, 1)[0] ?? null);
}
