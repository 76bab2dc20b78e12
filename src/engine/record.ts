/** An engine whose decisions are taken down before anybody acts on them. */
import type { HookReport } from "../model/decision.ts";
import type { Hook } from "../model/hook.ts";
import type { Recorder } from "../model/recorder.ts";
import type { Engine } from "./engine.ts";

/** The engine with a recorder behind it; without one it is the engine as it is. */
export function recorded(engine: Engine, recorder: Recorder | undefined, hashOf: (hook: Hook) => string | null = () => null): Engine {
  if (!recorder) return engine;
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
      return recorder.decided(decision, { event, durationMs: performance.now() - started, hashOf: hashOfReport });
    },
  };
}

/** A hook is known by where it stands, and what it is called there. */
function keyOf({ name, dialect, source }: Pick<HookReport, "name" | "dialect" | "source">): string {
  return JSON.stringify([name, dialect, source?.file, source?.line, source?.column]);
}
