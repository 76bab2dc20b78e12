/** An engine of ours in a folder of its own, checked before it is measured: a hook that fails is fast and proves nothing. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type AnyLibraryHook, type DialectId, type Engine, type HookEvent } from "../../src/index.ts";
import { Unavailable } from "../row.ts";
import { hookEnv } from "./processes.ts";

/** The event that most rows fire. */
export const EVENT: HookEvent = { name: "tool.before", sessionId: "s", tool: { name: "Bash", input: { command: "ls" } } };

/** What an engine is made from here. */
export interface Setting {
  readonly dialect?: DialectId;
  readonly settings?: object;
  readonly hooks?: readonly AnyLibraryHook[];
}

/** An engine with the folder it lives in. */
export interface OpenEngine {
  readonly engine: Engine;
  readonly close: () => Promise<void>;
}

/** Opens an engine; one whose configuration is not understood in full is not measured. */
export async function openEngine({ dialect = "snaphook", settings = {}, hooks = [] }: Setting): Promise<OpenEngine> {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
  const file = join(folder, "settings.json");
  writeFileSync(file, JSON.stringify(settings));
  const engine = await createEngine({ cwd: folder, env: hookEnv(folder), configs: [{ file, dialect }], hooks });
  const close = async (): Promise<void> => {
    await engine.close();
    rmSync(folder, { recursive: true, maxRetries: 3 });
  };
  const [notice] = engine.configuration.notices;
  if (notice) {
    await close();
    throw new Unavailable(notice.message);
  }
  return { engine, close };
}

/** Fires once and sees that so many hooks ran, each to its end. */
export async function check({ engine }: OpenEngine, event: HookEvent, ran: number): Promise<void> {
  const { hooks } = await engine.fire(event);
  const fault = hooks.find((hook) => hook.fault !== null)?.fault;
  if (fault) throw new Error(`a hook failed: ${fault.message}`);
  if (hooks.length !== ran) throw new Error(`${hooks.length} hooks ran instead of ${ran}`);
}
