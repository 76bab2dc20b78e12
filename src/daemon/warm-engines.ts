/** Configurations kept ready: the expensive half of an engine. The other half is made anew for each event, so that no event leaves anything to the next. */
import { engineOf, prepareEngine, type Engine, type EngineOptions, type Prepared } from "../engine/engine.ts";
import { Unserved } from "./client.ts";
import { footprintOf, isSameFootprint, refuseProcessPath, type Footprint } from "./footprint.ts";

interface Kept {
  readonly asked: string;
  /** The variables that were looked at while it was made, with what they held. */
  readonly variables: ReadonlyMap<string, string | undefined>;
  readonly footprint: Footprint;
  readonly prepared: Prepared;
}

/** The configurations used last, at most so many. */
export class WarmEngines {
  readonly #limit: number;
  /** The one used last comes first. */
  #kept: readonly Kept[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#kept.length;
  }

  /** An engine as if it had been made just now. */
  async open(options: EngineOptions): Promise<Engine> {
    const engine = engineOf((await this.#prepared(options)).prepared, options);
    return {
      ...engine,
      fire: async (event, fireOptions) => {
        if (event.cwd !== undefined) refuseProcessPath(event.cwd);
        return engine.fire(event, fireOptions);
      },
    };
  }

  async #prepared(options: EngineOptions): Promise<Kept> {
    const footprint = footprintOf(options);
    const asked = JSON.stringify([options.cwd, options.configs, options.trust, options.lock, options.requireTrust]);
    const found = this.#kept.find(
      (kept) => kept.asked === asked && holds(kept.variables, options.env) && isSameFootprint(kept.footprint, footprint) && vouches(kept, options),
    );
    const kept = found ?? (await prepare(options, { asked, footprint }));
    // What changed while it was read may be half old and half new: good for this event, as it would be in any process, and for no other.
    const isWhole = found !== undefined || (isSettled(kept) && isSameFootprint(footprintOf(options), footprint));
    if (isWhole) this.#kept = [kept, ...this.#kept.filter((each) => each !== kept)].slice(0, this.#limit);
    return kept;
  }
}

/** Whether every hook still is what was trusted. */
function vouches({ prepared: { configuration, trust } }: Kept, { cwd }: EngineOptions): boolean {
  return configuration.hooks.every((hook) => trust.refusal(hook, cwd) === null);
}

/** What was left out for want of trust may be trusted when its files change, which no footprint tells. */
function isSettled({ prepared: { configuration } }: Kept): boolean {
  return configuration.leftOut.length === 0 && configuration.notices.every(({ kind }) => kind !== "not-trusted");
}

async function prepare(options: EngineOptions, { asked, footprint }: Pick<Kept, "asked" | "footprint">): Promise<Kept> {
  const variables = new Map<string, string | undefined>();
  const prepared = await prepareEngine({ ...options, env: watched(options.env, variables) });
  if (prepared.configuration.hooks.some((hook) => hook.action.type === "callback"))
    throw new Unserved("a hook is a function, which needs a process of its own");
  return { asked, variables, footprint, prepared };
}

/** An environment that remembers which variables were looked at. */
function watched(env: EngineOptions["env"], variables: Map<string, string | undefined>): EngineOptions["env"] {
  return new Proxy(env, {
    get(target, name) {
      if (typeof name !== "string") return undefined;
      variables.set(name, target[name]);
      return target[name];
    },
    ownKeys(target) {
      for (const [name, value] of Object.entries(target)) variables.set(name, value);
      return Reflect.ownKeys(target);
    },
  });
}

function holds(variables: ReadonlyMap<string, string | undefined>, env: EngineOptions["env"]): boolean {
  for (const [name, value] of variables) if (env[name] !== value) return false;
  return true;
}
