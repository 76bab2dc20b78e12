import { isWarm, type ActionType } from "../model/hook.ts";
import { runCallback } from "./callback.ts";
import { runCommand } from "./command.ts";
import { runHttp } from "./http.ts";
import type { Runner, RunnerResult } from "./runner.ts";
import { needsSession } from "./unsupported.ts";

/** One runner for each type of hook. */
export const RUNNERS: { readonly [type in ActionType]: Runner } = {
  command: (hook, payload, context) => (isWarm(hook.action) ? runWarm : runCommand)(hook, payload, context),
  http: runHttp,
  callback: runCallback,
  module: runWarm,
  prompt: needsSession,
  agent: needsSession,
};

let runWorker: Runner | undefined;

/** Most sessions have no warm hook: the first one loads what it takes. */
async function runWarm(...run: Parameters<Runner>): Promise<RunnerResult> {
  runWorker ??= (await import("./worker.ts")).runWorker;
  return runWorker(...run);
}
