/** An engine whose decisions are taken down before anybody acts on them. */
import type { Decision, HookReport } from "../model/decision.ts";
import type { Hook } from "../model/hook.ts";
import { unrecorded, type Recorder } from "../model/recorder.ts";
import { sourceText } from "../model/source.ts";
import type { Engine } from "./engine.ts";
import { mergeSilence } from "./merge.ts";

/** The engine with a recorder behind it; without one it is the engine as it is, unless managed settings want everything on record. */
export function recorded(engine: Engine, recorder: Recorder | undefined, hashOf: (hook: Hook) => string | null = () => null): Engine {
  const { auditRequired } = engine.configuration.authority;
  if (!recorder && !auditRequired) return engine;
  const by = auditRequired && `audit: required, ${sourceText(auditRequired)}`;
  // What nobody could take down is not run either.
  if (by !== null && !recorder?.demand)
    return { ...engine, fire: async (event) => withoutLog(mergeSilence(event, null, [], engine.configuration.notices), by) };
  if (by !== null) recorder?.demand?.(by);
  const hooks = new Map(engine.configuration.hooks.map((hook) => [keyOf(hook), hook]));
  const hashOfReport = (report: HookReport): string | null => {
    const hook = hooks.get(keyOf(report));
    return hook ? hashOf(hook) : null;
  };
  return {
    ...engine,
    fire: async (event, options) => {
      const started = performance.now();
      const decision = await engine.fire(event, options);
      const moment = { event, durationMs: performance.now() - started, hashOf: hashOfReport };
      const taken = recorder?.decided(decision, moment) ?? decision;
      return by !== null && taken.id === undefined && taken.verdict !== "deny" ? withoutLog(taken, by) : taken;
    },
  };
}

/** Nobody keeps a log, and there has to be one. */
function withoutLog(decision: Decision, by: string): Decision {
  const message = `no audit log is kept, and decisions must be on record here (${by}): leave out --no-audit and SNAPHOOK_AUDIT=off, or give the engine a recorder`;
  return unrecorded(decision, { notice: { kind: "audit", message }, denial: message });
}

/** A hook is known by where it stands, and what it is called there. */
function keyOf({ name, dialect, source }: Pick<HookReport, "name" | "dialect" | "source">): string {
  return JSON.stringify([name, dialect, source?.file, source?.line, source?.column]);
}
