import type { Dialect } from "../dialects/dialect.ts";
import type { Launcher } from "../lib/launcher.ts";
import type { ActionType, Hook } from "../model/hook.ts";
import type { RunResult } from "../model/run.ts";
import type { Vouch } from "../trust/vouch.ts";
import type { Workers } from "./worker-pool.ts";

/** What every runner gets from the engine: nothing here is read from the process. */
export interface RunContext {
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  readonly projectDir: string;
  readonly tempDir: string;
  readonly signal: AbortSignal;
  /** How long all hooks of one event may take together; null: each only has its own limit. */
  readonly eventTimeoutMs: number | null;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Wall-clock time, for signatures. */
  readonly date: () => Date;
  /** Callbacks by name, as given with `--callbacks` or to the library. */
  readonly callbacks: { readonly [name: string]: unknown } | null;
  readonly limitBytes: number;
  /** Starts programs. */
  readonly launch: Launcher["run"];
  /** Runners that stand in for those of the table: a session's, which can ask its model. */
  readonly runners: { readonly [type in ActionType]?: Runner };
  /** The processes that stay between events; they end with the engine. */
  readonly workers: Workers;
  /** Takes what goes on after its hook was let go. */
  readonly background: (work: Promise<unknown>) => void;
  /** Why a hook may not be started now, from this folder: it is not what was trusted any more. Null: it may. */
  readonly refusal: (hook: Hook, cwd: string) => string | null;
  /** Holds a hook that may be started now to what it is now; null where nothing vouches for its files. */
  readonly vouch: (hook: Hook) => Vouch | null;
}

/** What a function needs of it. The signal is made when somebody reads it: most functions never do. */
export type CallContext = Pick<RunContext, "callbacks" | "signal" | "vouch">;

/** The event as one hook is shown it. Hooks that are shown the same words share one `stdin` and one `stdinText`: both are written when first read. */
export interface Payload {
  readonly stdin: { readonly [key: string]: unknown };
  readonly stdinText: string;
  readonly env: { readonly [name: string]: string };
  /** Variables of the dialect that must not be inherited. */
  readonly ownEnv: readonly string[];
  readonly toolUseId: string | undefined;
  /** What a command may print to be let go of; absent: nothing. */
  readonly release?: Dialect["release"];
}

/** What a runner gives back; the engine adds the time it took. */
export interface RunnerResult {
  readonly result: RunResult;
  readonly stubbed: readonly string[];
  readonly remarks: readonly string[];
}

/** Executes hooks of one type; a promise only where something must be waited for. Never rejects for what a hook does. */
export type Runner = (hook: Hook, payload: Payload, context: RunContext) => RunnerResult | Promise<RunnerResult>;

/** What ran, where what was approved changed meanwhile. What was not run at all, and what nobody waits for, stays as it is. */
export function unlessChanged(ran: RunnerResult, message: string | null | undefined): RunnerResult {
  const { kind } = ran.result;
  if (message === null || message === undefined || kind === "skipped" || kind === "detached") return ran;
  return { ...ran, result: { kind: "changed", message, result: ran.result } };
}

const NONE: readonly string[] = [];

/** A result without remarks. */
export function plain(result: RunResult): RunnerResult {
  return { result, stubbed: NONE, remarks: NONE };
}
