/** What runners get, for tests: nothing inherited, a clock that stands, a temporary folder. */
import { runProcess } from "../../src/lib/process.ts";
import type { Hook } from "../../src/model/hook.ts";
import type { Payload, RunContext } from "../../src/runners/runner.ts";
import { onTestFinished } from "vitest";
import { Workers } from "../../src/runners/worker-pool.ts";
import { tempFolder } from "./temp.ts";

/** The moment at which every test's clock stands. */
export const NOW = new Date("2026-01-02T03:04:05Z");

/** A context of its own for the running test. */
export function runContext(changes: Partial<RunContext> = {}): RunContext {
  const folder = changes.cwd ?? tempFolder();
  const workers = new Workers();
  onTestFinished(async () => workers.close());
  return {
    env: { PATH: process.env["PATH"] ?? "" },
    cwd: folder,
    projectDir: folder,
    tempDir: folder,
    signal: new AbortController().signal,
    eventTimeoutMs: null,
    now: () => 0,
    date: () => NOW,
    callbacks: null,
    limitBytes: 10_000,
    launch: runProcess,
    runners: {},
    workers,
    background: () => {},
    refusal: () => null,
    vouch: () => null,
    ...changes,
  };
}

/** A payload with this on stdin. */
export function payloadOf(stdin: { readonly [key: string]: unknown }, changes: Partial<Payload> = {}): Payload {
  return { stdin, stdinText: JSON.stringify(stdin), env: {}, ownEnv: [], toolUseId: undefined, ...changes };
}

export type Action<Type extends Hook["action"]["type"]> = Extract<Hook["action"], { type: Type }>;
