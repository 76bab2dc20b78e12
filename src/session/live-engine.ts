/** An engine that follows its configuration: a change takes effect on the next event [S13]. */
import { realpathSync, statSync } from "node:fs";
import { candidatePaths, surroundings } from "../config/locate.ts";
import { createEngine, type Engine, type EngineOptions } from "../engine/engine.ts";
import type { HookEvent } from "../model/events.ts";
import { recordFile } from "../trust/record.ts";

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

  /** Trust is required at the start; what comes later untrusted is left out, and the session goes on. */
  static async open(options: EngineOptions): Promise<LiveEngine> {
    return new LiveEngine(await createEngine(options), { ...options, requireTrust: false });
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** Looks for changed files. `mayChange` fires config.change: what it refuses stays out of force until it changes again. */
  async refresh(mayChange: (event: HookEvent) => Promise<boolean>): Promise<Refresh> {
    const stamps = this.#look();
    const touched = [...stamps].filter(([path, stamp]) => this.#stamps.get(path) !== stamp).map(([path]) => path);
    if (touched.length === 0) return { kind: "same" };
    this.#stamps = stamps;
    const next = await createEngine(this.#options);
    const files = touched.filter((path) => path !== this.#record);
    const [file] = files;
    // What the user approves or takes back meanwhile is no change of the configuration.
    if (file === undefined) return this.#replace(next, files);
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
    return this.#replace(next, files);
  }

  #replace(next: Engine, files: readonly string[]): Refresh {
    this.#engine.retire();
    this.#retired.push(this.#engine);
    this.#engine = next;
    return { kind: "changed", files };
  }

  /** Where the user's approvals of this folder are kept. */
  get #record(): string {
    const { cwd, env } = this.#options;
    return recordFile(surroundings({ cwd, env }).config, realpathSync(cwd));
  }

  /** Resolves when no detached hook of any engine is running. */
  async settled(): Promise<void> {
    await Promise.all([this.#engine, ...this.#retired].map(async (engine) => engine.settled()));
  }

  async close(): Promise<void> {
    await Promise.all([this.#engine, ...this.#retired].map(async (engine) => engine.close()));
  }

  #look(): ReadonlyMap<string, string> {
    const { cwd, env, managed } = this.#options;
    const around = surroundings({ cwd, env, ...(managed && { root: managed.root }) });
    const named = this.#engine.configuration.files.map((file) => file.source.path);
    return new Map([...candidatePaths(around), ...named, this.#record].map((path) => [path, stampOf(path)]));
  }
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : "absent";
}
