/** Whether something holds a hook's program. What it takes to hold one is loaded with the first that must be held. */
import type { ProcessEnd } from "../lib/process.ts";
import type { Hook } from "../model/hook.ts";
import type { LaunchWords } from "./launch.ts";
import type { RunContext } from "./runner.ts";

/** What starting a hook takes of its surroundings. */
export type Surroundings = Pick<RunContext, "cwd" | "projectDir" | "env">;

/** How a program is held. */
export interface Confining {
  /** Puts a program into the hook's sandbox; `needs` are files that it can't run without. */
  readonly wrap: (words: LaunchWords, needs?: readonly string[]) => LaunchWords;
  /** How the hook itself ended. */
  readonly endOf: (end: ProcessEnd) => ProcessEnd;
}

const UNCONFINED: Confining = { wrap: (words) => words, endOf: (end) => end };

/** How a hook's program is held; a text says why it can't be, and then it must not run. A hook without a sandbox waits for nothing. */
export function confinementOf(hook: Hook, context: Surroundings): Confining | Promise<Confining | string> {
  const { level } = hook.sandbox;
  return level === "none" ? UNCONFINED : import("./confine.ts").then(async ({ confined }) => confined(level, hook, context));
}
