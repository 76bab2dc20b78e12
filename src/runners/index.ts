import type { ActionType } from "../model/hook.ts";
import { runCallback } from "./callback.ts";
import { runCommand } from "./command.ts";
import { runHttp } from "./http.ts";
import type { Runner } from "./runner.ts";
import { needsSession } from "./unsupported.ts";

/** One runner for each type of hook. */
export const RUNNERS: { readonly [type in ActionType]: Runner } = {
  command: runCommand,
  http: runHttp,
  callback: runCallback,
  prompt: needsSession,
  agent: needsSession,
};
