/** Whether something holds a hook's program. What it takes to hold one is loaded with the first that must be held. */
import type { ProcessEnd } from "../lib/process.ts";
import type { Hook } from "../model/hook.ts";
import type { RunResult } from "../model/run.ts";
import type { Vouch } from "../trust/vouch.ts";
import type { LaunchWords } from "./launch.ts";
import type { RunContext } from "./runner.ts";

/** What starting a hook takes of its surroundings. */
export type Surroundings = Pick<RunContext, "cwd" | "projectDir" | "env">;

/** What is put into a sandbox besides what its level shows. */
export interface Holding {
  readonly tempDir: string;
  /** Files that the program can't run without. */
  readonly needs?: readonly string[];
  /** Vouches for files: the program sees those that were approved, whatever stands at their paths by then. */
  readonly vouch?: Vouch | null;
  /** The process stays, and what goes on around its files must go on for it too. */
  readonly stays?: boolean;
  /** The number of the first descriptor that it gets. */
  readonly firstDescriptor?: number;
}

/** A program as it is started. */
export interface HeldWords extends LaunchWords {
  /** Descriptors that it is given, in order; whoever starts it closes them. */
  readonly descriptors?: readonly number[];
  /** It can't see other bytes than those that were approved, so nothing need be looked at afterwards. */
  readonly sealed?: boolean;
}

/** Why a program is not started. */
export type NotHeld = Extract<RunResult, { readonly kind: "not-started" | "changed" }>;

/** How a program is held. */
export interface Confining {
  /** Puts a program into the hook's sandbox. */
  readonly wrap: (words: LaunchWords, holding: Holding) => HeldWords | NotHeld;
  /** How the hook itself ended. */
  readonly endOf: (end: ProcessEnd) => ProcessEnd;
}

const UNCONFINED: Confining = { wrap: (words) => words, endOf: (end) => end };

/** How a hook's program is held; a text says why it can't be, and then it must not run. A hook without a sandbox waits for nothing. */
export function confinementOf(hook: Hook, context: Surroundings): Confining | Promise<Confining | string> {
  const { level } = hook.sandbox;
  return level === "none" ? UNCONFINED : import("./confine.ts").then(async ({ confined }) => confined(level, hook, context));
}
