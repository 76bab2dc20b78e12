/** Run results by name: how a hook may have ended. */
import type { RunResult } from "../model/run.ts";

/** A process that ended by itself. */
export const exited = (code: number, stdout = "", stderr = ""): RunResult => ({ kind: "exited", code, stdout, stderr });

/** A process that was ended by a signal. */
export const signalled = (signal: string, stderr = ""): RunResult => ({ kind: "signalled", signal, stderr });

/** A hook that did not answer in time. */
export const timedOut = (afterMs: number): RunResult => ({ kind: "timed-out", afterMs });

/** A process that printed too much; a code of null: nobody waited for its end. */
export const oversized = (limitBytes: number, code: number | null = 0, stderr = ""): RunResult => ({ kind: "oversized", limitBytes, code, stderr });

/** A program that could not be started. */
export const notStarted = (message: string): RunResult => ({ kind: "not-started", message });

/** What a callback or a server answered. */
export const returned = (value: unknown): RunResult => ({ kind: "returned", value });

/** A callback or a server that failed, by its fault. */
export const failed = (fault: Extract<RunResult, { kind: "failed" }>["fault"], message: string): RunResult => ({ kind: "failed", fault, message });

/** A hook that nobody waited for. */
export const detached: RunResult = { kind: "detached" };
