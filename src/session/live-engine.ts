/** An engine that follows its configuration: a change takes effect on the next event [S13]. */
import { statSync } from "node:fs";
import { candidatePaths, surroundings } from "../config/locate.ts";
import { createEngine, type Engine, type EngineOptions } from "../engine/engine.ts";
import type { HookEvent } from "../model/events.ts";

/** What happened when a change was found. */
export type Refresh =
  | { readonly kind: "same" }
  | { readonly kind: "broken"; readonly file: string; readonly message: string }
  | { readonly kind: "refused"; readonly file: string }
  | { readonly kind: "changed"; readonly files: readonly string[] };

/** Holds the engine in force, and those whose detached hooks still run. */
export class LiveEngine {
  #engine: Engine;
  readonly #options: EngineOptions;
  readonly #retired: Engine[] = [];
  #stamps: ReadonlyMap<string, string>;

  private constructor(engine: Engine, options: EngineOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#stamps = this.#look();
  }

  static async open(options: EngineOptions): Promise<LiveEngine> {
    return new LiveEngine(await createEngine(options), options);
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** Looks for changed files. `mayChange` fires config.change: what it refuses stays out of force until it changes again. */
  async refresh(mayChange: (event: HookEvent) => Promise<boolean>): Promise<Refresh> {
    const stamps = this.#look();
    const files = [...stamps].filter(([path, stamp]) => this.#stamps.get(path) !== stamp).map(([path]) => path);
    const [file] = files;
    if (file === undefined) return { kind: "same" };
    this.#stamps = stamps;
    const next = await createEngine(this.#options);
    const broken = next.configuration.notices.find((notice) => notice.kind === "unreadable-file");
    if (broken) {
      await next.close();
      return { kind: "broken", file, message: broken.message };
    }
    const layers = next.configuration.files.filter((each) => files.includes(each.source.path)).map((each) => each.source.layer);
    if (!(await mayChange({ name: "config.change", source: `${layers[0] ?? "project"}_settings`, file }))) {
      await next.close();
      return { kind: "refused", file };
    }
    this.#engine.retire();
    this.#retired.push(this.#engine);
    this.#engine = next;
    return { kind: "changed", files };
  }

  /** Resolves when no detached hook of any engine is running. */
  async settled(): Promise<void> {
    await Promise.all([this.#engine, ...this.#retired].map(async (engine) => engine.settled()));
  }

  async close(): Promise<void> {
    await Promise.all([this.#engine, ...this.#retired].map(async (engine) => engine.close()));
  }

  #look(): ReadonlyMap<string, string> {
    const around = surroundings({ cwd: this.#options.cwd, env: this.#options.env });
    const named = this.#engine.configuration.files.map((file) => file.source.path);
    return new Map([...candidatePaths(around), ...named].map((path) => [path, stampOf(path)]));
  }
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : "absent";
}
