import type { Hook } from "../model/hook.ts";
import type { Worker } from "./worker-queue.ts";

/** The workers of one engine: hooks that start the same thing in the same way share one. They end with the engine. */
export class Workers {
  readonly #byHook = new WeakMap<Hook, Worker>();
  readonly #byKey = new Map<string, Worker>();
  #retired = false;
  #closed = false;

  /** The worker of a hook where its process runs already, and nothing holds it: it can be asked without more ado. */
  running(hook: Hook): Worker | undefined {
    const worker = hook.sandbox.level === "none" ? this.#byHook.get(hook) : undefined;
    return worker?.isRunning ? worker : undefined;
  }

  /** The worker of a hook, made when there is none for what it starts. */
  of(hook: Hook, make: () => Worker): Worker {
    const known = this.#byHook.get(hook);
    if (known) return known;
    const key = JSON.stringify([hook.dialect, hook.action, hook.env, hook.layer, hook.passEnv, hook.sandbox.level, hook.plugin?.root]);
    const worker = this.#byKey.get(key) ?? make();
    this.#byHook.set(hook, worker);
    this.#byKey.set(key, worker);
    if (this.#retired) worker.retire();
    if (this.#closed) void worker.close();
    return worker;
  }

  /** They end as soon as nobody waits for them: another configuration is in force. */
  retire(): void {
    this.#retired = true;
    for (const worker of this.#byKey.values()) worker.retire();
  }

  /** Ends them, and resolves when they are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#byKey.values()].map(async (worker) => worker.close()));
  }
}
